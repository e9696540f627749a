import { Readable } from 'node:stream';
import { Controller, Get, Res, StreamableFile } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, List, type ListQuery, listRows, Operation, page } from '@kontor/service-kit';
import type { FastifyReply } from 'fastify';
import { auditEntries } from '../db/audit-entry.row.js';
import { auditEntrySchema, EXAMPLE_ENTRY, representAuditEntry } from './audit-log.schemas.js';
import { ReadAuditLog } from './read-audit-log.js';
import { AUDIT_TYPES } from './record-audit.js';

const tag = 'Audit log';

/** Who signed in, and who changed what somebody may do. */
@Controller('audit-log')
export class AuditLogController {
  constructor(
    private readonly db: Database,
    private readonly read: ReadAuditLog,
  ) {}

  @Get()
  @Operation({
    id: 'listAuditLog',
    summary: 'Sign-ins and changes of rights, newest first',
    description:
      'The database numbers the entries without a gap, chains them by their hashes and refuses to change one. Times are real time, also in a sandbox.',
    tag,
    permission: 'audit-log:read',
    whenClosed: true,
    response: auditEntrySchema,
    examples: { response: { data: [EXAMPLE_ENTRY] } },
  })
  list(@Caller() caller: Principal, @List({ filters: { type: AUDIT_TYPES }, ranges: ['at'] }) list: ListQuery) {
    return this.db.tenant(
      caller.tenantId,
      async (tx) => {
        const { rows, total } = await listRows(tx, list, {
          table: auditEntries,
          columns: { type: 'type', at: 'at' },
          defaultOrder: 'number DESC',
        });
        return page(rows.map(representAuditEntry), total, list);
      },
      { readOnly: true },
    );
  }

  @Get('export')
  @Operation({
    id: 'exportAuditLog',
    summary: 'All of the audit log as CSV, oldest first',
    description: 'Whoever keeps an export can prove later that nothing was taken out: the hashes go on from it.',
    tag,
    permission: 'audit-log:read',
    whenClosed: true,
    responseType: 'text/csv',
  })
  export(@Caller() caller: Principal, @Res({ passthrough: true }) reply: FastifyReply): StreamableFile {
    void reply.header('cache-control', 'no-store');
    return new StreamableFile(Readable.from(this.read.lines(caller.tenantId)), {
      type: 'text/csv; charset=utf-8',
      disposition: 'attachment; filename="audit-log.csv"',
    });
  }
}
