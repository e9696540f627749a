import { Readable } from 'node:stream';
import type { Principal, TenantState } from '@kontor/contracts';
import { Database, Replicas } from '@kontor/persistence';
import { Caller, List, type ListQuery, Operation } from '@kontor/service-kit';
import { Controller, Get, Query, Res, StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { csvHead, csvLines } from './ledger-csv.js';
import { ReadLedger } from './ledger.read.js';
import { ACCOUNT_CODES, LEDGER_ACCOUNT_SCHEMA, LEDGER_TRANSFER_SCHEMA, TRANSFER_KINDS } from './ledger.schema.js';
import { PageTransfers, type TransferSpan } from './page-transfers.js';
import { instantsOf, readSpan, requiredSpanQuery, spanQuery } from './read-span.js';

const READ = { tag: 'Ledger', permission: 'transaction:read' };

@Controller('ledger')
export class LedgerController {
  constructor(
    private readonly read: ReadLedger,
    private readonly transfers: PageTransfers,
    private readonly database: Database,
    private readonly replicas: Replicas,
  ) {}

  @Get('accounts')
  @Operation({
    id: 'listLedgerAccounts',
    summary: 'Accounts of the ledger with their balances',
    response: LEDGER_ACCOUNT_SCHEMA,
    ...READ,
  })
  accounts(
    @Caller() caller: Principal,
    @List({ filters: { customer: 'uuid', currencyCode: 'text', code: ACCOUNT_CODES } }) list: ListQuery,
  ) {
    return this.read.accounts(caller.tenantId, list);
  }

  @Get('transfers')
  @Operation({
    id: 'listLedgerTransfers',
    summary: 'Transfers of the ledger, newest first',
    response: LEDGER_TRANSFER_SCHEMA,
    ...READ,
  })
  list(
    @Caller() caller: Principal,
    @List({
      filters: { account: 'uuid', customer: 'uuid', currencyCode: 'text', kind: TRANSFER_KINDS, operation: 'text' },
      ranges: ['bookedAt'],
      order: ['bookedAt'],
    })
    list: ListQuery,
  ) {
    return this.read.transfers(caller.tenantId, list);
  }

  @Get('transfers/export')
  @Operation({
    id: 'exportLedgerTransfers',
    summary: 'Transfers of some days as CSV, oldest first',
    description:
      'UTF-8, amounts in major units with a point. Reservations and their release are included; `kind` names them.',
    responseType: 'text/csv',
    query: spanQuery,
    requiredQuery: requiredSpanQuery,
    ...READ,
  })
  async export(
    @Caller() caller: Principal,
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const asked = readSpan(query);
    const span = {
      ...instantsOf(asked, await this.zoneOf(caller.tenantId)),
      currencyCode: asked.currencyCode,
      postedOnly: false,
    };
    void reply.header('cache-control', 'no-store');
    const disposition = `attachment; filename="ledger_${asked.from}_${asked.to}.csv"`;
    return new StreamableFile(Readable.from(this.csv(caller.tenantId, span)), {
      type: 'text/csv; charset=utf-8',
      disposition,
    });
  }

  private async *csv(tenantId: string, span: TransferSpan): AsyncGenerator<string> {
    yield csvHead();
    for await (const rows of this.transfers.pages(tenantId, span)) yield csvLines(rows);
  }

  private zoneOf(tenantId: string): Promise<string> {
    return this.database.tenant(
      tenantId,
      async (tx) => (await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId))?.timeZone ?? 'Europe/Berlin',
    );
  }
}
