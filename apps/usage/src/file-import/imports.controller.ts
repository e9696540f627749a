import { Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { isUuid, newUuid, notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { badParameter, Caller, IdParam, Operation, type QueryOf, requestContext } from '@kontor/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ImportEvents } from './import-events.js';
import { findImport, listImports, representImport } from './import-rows.js';
import { UsageImport, UsageImportFile, UsageImportList } from './import.schema.js';
import { openUpload } from './open-upload.js';

const importQuery = {
  id: {
    type: 'string',
    format: 'uuid',
    description: 'The import’s id, made by the client: progress can be read under it at once.',
  },
};

const listQuery = { limit: { type: 'integer', minimum: 1, maximum: 100, default: 30 } };

@Controller('api/usage-events')
export class ImportsController {
  constructor(
    private readonly importEvents: ImportEvents,
    private readonly database: Database,
  ) {}

  @Post('import')
  @Operation({
    id: 'importUsageEvents',
    summary: 'Import a file of usage events',
    tag: 'Usage',
    permission: 'usage-event:write',
    success: 201,
    response: UsageImport,
    requestBody: UsageImportFile,
    requestType: 'multipart/form-data',
    rawBody: true,
    resumes: true,
    contentOf: async (request) => (await openUpload(request)).digest(),
    query: importQuery,
    errors: { 415: 'Neither CSV nor NDJSON.' },
    description: [
      'Takes CSV (`text/csv`) or NDJSON (`application/x-ndjson`) as the body, or as the field `file` of a form,',
      'of any size, and answers when it is in.',
      'Progress: `GET /api/usage-events/imports/{id}`, with the `id` that you gave;',
      '`GET /api/usage-events/imports` lists running ones too.',
      'A line that is wrong is an error of its own. An upload that was interrupted is sent again, whole:',
      'events that are in already are duplicates.',
      'CSV has a header: transactionId, eventName, timestamp, customerId;',
      '`properties` (a JSON object) and `properties.<path>` as you need them.',
      'Cells are `true`, `false`, numbers where a JSON number is exact, else text;',
      '`properties.zip:string` (`:number`, `:boolean`, `:json`) says so itself. Delimiters: `,` `;` tab.',
    ].join(' '),
  })
  async create(
    @Caller() { tenantId }: Principal,
    @Query() { id = newUuid() }: QueryOf<typeof importQuery>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (!isUuid(id)) throw badParameter('id', 'must be a UUID');
    const upload = await openUpload(request);
    void reply.header('location', `/api/usage-events/imports/${id.toLowerCase()}`);
    const stored = await this.importEvents.execute(tenantId, id.toLowerCase(), upload);
    const claim = requestContext()?.idempotency;
    if (claim) claim.content = await upload.digest();
    return representImport(stored);
  }

  @Get('imports')
  @Operation({
    id: 'listUsageImports',
    summary: 'List the latest imports',
    tag: 'Usage',
    permission: 'usage-event:read',
    response: UsageImportList,
    query: listQuery,
  })
  list(@Caller() { tenantId }: Principal, @Query() { limit = '30' }: QueryOf<typeof listQuery>) {
    if (!/^([1-9]\d?|100)$/.test(limit)) throw badParameter('limit', 'must be a whole number from 1 to 100');
    return this.database.tenant(
      tenantId,
      async (tx) => ({ data: (await listImports(tx, Number(limit))).map(representImport) }),
      {
        readOnly: true,
      },
    );
  }

  @Get('imports/:id')
  @Operation({
    id: 'getUsageImport',
    summary: 'Progress of an import',
    tag: 'Usage',
    permission: 'usage-event:read',
    response: UsageImport,
  })
  get(@Caller() { tenantId }: Principal, @IdParam() id: string) {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const found = await findImport(tx, id);
        if (!found) throw notFound('The import');
        return representImport(found);
      },
      { readOnly: true },
    );
  }
}
