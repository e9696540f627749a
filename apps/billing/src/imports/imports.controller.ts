import type { Principal } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import {
  Caller,
  IdParam,
  List,
  type ListOptions,
  type ListQuery,
  listRows,
  Operation,
  page,
} from '@kontor/service-kit';
import { Body, Controller, Get, Headers, Post } from '@nestjs/common';
import { IMPORT_KINDS, LINE_STATUSES } from '../db/import.row.js';
import * as tables from '../db/tables.js';
import { importFormSchema, importLineSchema, importSchema, representImport, representLine } from './import.schema.js';
import { StartImport } from './start-import.js';

const tag = 'Imports';
const LIST = {
  filters: { kind: IMPORT_KINDS, status: ['running', 'completed'], dryRun: 'boolean' },
  order: ['createdAt'],
} satisfies ListOptions;
const LINES = { filters: { status: LINE_STATUSES, code: 'text' }, order: ['line'] } satisfies ListOptions;
const example = {
  id: '018f2f1c-0000-7000-8000-000000000001',
  kind: 'customers',
  dryRun: false,
  fileName: 'customers.csv',
  status: 'running',
  lines: 1200,
  processed: 500,
  imported: 498,
  duplicates: 1,
  failed: 2,
  createdAt: '2026-02-01T09:00:00.000Z',
  completedAt: null,
};
const start = {
  tag,
  success: 202,
  response: importSchema,
  rawBody: true,
  requestBody: importFormSchema,
  requestType: 'multipart/form-data',
  examples: { response: example },
  errors: {
    413: 'The file is larger than 20 MiB, has more than 200,000 lines, or 128 MiB with the names of its columns at every cell.',
    415: 'Not a form.',
    422: '`file_unreadable`; `validation_failed` for a header that cannot be used',
  },
} as const;
const HOW =
  'A form with a CSV file in `file` and, where nothing shall stay, `dryRun` true. Columns are named like the fields of the body with which one ' +
  'is created, `price.amount` or `customFields.region` for what lies deeper; an empty cell is no value. The lines are processed afterwards: ' +
  '`GET /imports/{id}` says how far it is, `GET /imports/{id}/lines` what became of each; `import.completed` reports the end. A line that is ' +
  'refused concerns no other. A file that is sent again makes what has no number or external id once more. ';

/** Files with customers, catalogue and subscriptions. */
@Controller()
export class ImportsController {
  constructor(
    private readonly db: Database,
    private readonly imports: StartImport,
  ) {}

  @Post('customers/import')
  @Operation({
    id: 'importCustomers',
    summary: 'Import customers from CSV',
    permission: 'customer:write',
    description: HOW,
    ...start,
  })
  customers(@Caller() caller: Principal, @Body() body: unknown, @Headers('content-type') contentType = '') {
    return this.imports.execute(caller.tenantId, 'customers', body, contentType);
  }

  @Post('catalogue/products/import')
  @Operation({
    id: 'importProducts',
    summary: 'Import products from CSV',
    permission: 'product:write',
    description: HOW,
    ...start,
  })
  products(@Caller() caller: Principal, @Body() body: unknown, @Headers('content-type') contentType = '') {
    return this.imports.execute(caller.tenantId, 'products', body, contentType);
  }

  @Post('price-plans/import')
  @Operation({
    id: 'importPricePlans',
    summary: 'Import price plans from CSV',
    permission: 'price-plan:write',
    description: `${HOW}\`product\` is its id or its product number; \`tiers\` are JSON.`,
    ...start,
  })
  pricePlans(@Caller() caller: Principal, @Body() body: unknown, @Headers('content-type') contentType = '') {
    return this.imports.execute(caller.tenantId, 'price-plans', body, contentType);
  }

  @Post('subscriptions/import')
  @Operation({
    id: 'importSubscriptions',
    summary: 'Import subscriptions from CSV',
    permission: 'subscription:write',
    description:
      `${HOW}\`customer\` is its id, external id or number, \`plan\` its id or code; \`pricePlan\` and \`quantity\` are a single item, ` +
      '`items` JSON several.',
    ...start,
  })
  subscriptions(@Caller() caller: Principal, @Body() body: unknown, @Headers('content-type') contentType = '') {
    return this.imports.execute(caller.tenantId, 'subscriptions', body, contentType);
  }

  @Get('imports')
  @Operation({
    id: 'listImports',
    summary: 'List imports',
    description: 'They are kept for 30 days after their end.',
    tag,
    permission: 'customer:read',
    response: importSchema,
  })
  list(@Caller() { tenantId }: Principal, @List(LIST) list: ListQuery) {
    return this.db.tenant(
      tenantId,
      async (tx) => {
        const { rows, total } = await listRows(tx, list, {
          table: tables.imports,
          columns: {
            kind: 'kind',
            status: 'status',
            dryRun: { sql: 'dry_run', type: 'boolean' },
            createdAt: 'created_at',
          },
        });
        return page(rows.map(representImport), total, list);
      },
      { readOnly: true },
    );
  }

  @Get('imports/:id')
  @Operation({
    id: 'getImport',
    summary: 'How far an import is',
    tag,
    permission: 'customer:read',
    response: importSchema,
    examples: { response: example },
  })
  get(@Caller() { tenantId }: Principal, @IdParam() id: string) {
    return this.db.tenant(
      tenantId,
      async (tx) => {
        const row = await tables.imports.get(tx, id);
        if (!row) throw notFound('Import');
        return representImport(row);
      },
      { readOnly: true },
    );
  }

  @Get('imports/:id/lines')
  @Operation({
    id: 'listImportLines',
    summary: 'What became of each line of an import',
    description: 'In the order of the file. `status=failed` lists what was refused, with the reason.',
    tag,
    permission: 'customer:read',
    response: importLineSchema,
  })
  lines(@Caller() { tenantId }: Principal, @IdParam() id: string, @List(LINES) list: ListQuery) {
    return this.db.tenant(
      tenantId,
      async (tx) => {
        if (!(await tables.imports.exists(tx, { id }))) throw notFound('Import');
        const { status, code } = list.filters;
        const match = { importId: id, ...(status ? { status } : {}), ...(code ? { code } : {}) } as {
          importId: string;
        };
        const total = await tables.importLines.count(tx, match);
        const rows = await tables.importLines.find(tx, match, {
          orderBy: { line: list.order[0]?.direction ?? 'asc' },
          limit: list.limit,
          offset: (list.page - 1) * list.limit,
        });
        return page(rows.map(representLine), total, list);
      },
      { readOnly: true },
    );
  }
}
