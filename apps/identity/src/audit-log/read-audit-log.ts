import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { stringify } from 'csv-stringify/sync';
import { auditEntries, type AuditEntryRow, type AuditParty } from '../db/audit-entry.row.js';

const CHUNK = 500;
const COLUMNS = [
  'number',
  'id',
  'type',
  'at',
  'actorKind',
  'actorId',
  'actorName',
  'subjectKind',
  'subjectId',
  'subjectName',
  'address',
  'userAgent',
  'metadata',
  'previousHash',
  'hash',
];

/** Reads all of a tenant's audit log, from the first entry, a part at a time. */
@Injectable()
export class ReadAuditLog {
  constructor(private readonly db: Database) {}

  /** CSV with a line of names. Entries that come meanwhile are left out. */
  async *lines(tenantId: string): AsyncGenerator<string> {
    const last = await this.lastNumber(tenantId);
    let after = 0n;
    yield stringify([COLUMNS]);
    while (after < last) {
      const from = after;
      const entries = await this.db.tenant(
        tenantId,
        (tx) =>
          auditEntries.where(tx, 't.number > $2 AND t.number <= $3 ORDER BY t.number LIMIT $4', [from, last, CHUNK]),
        { readOnly: true },
      );
      if (entries.length === 0) return;
      after = entries.at(-1)!.number;
      yield stringify(entries.map(rowOf), { escape_formulas: true });
    }
  }

  private async lastNumber(tenantId: string): Promise<bigint> {
    const [last] = await this.db.tenant(
      tenantId,
      (tx) => auditEntries.find(tx, {}, { orderBy: { number: 'desc' }, limit: 1 }),
      { readOnly: true },
    );
    return last?.number ?? 0n;
  }
}

const partOf = (party: AuditParty | null) => [party?.kind ?? null, party?.id ?? null, party?.name ?? null];

const rowOf = (entry: AuditEntryRow): (string | null)[] => [
  String(entry.number),
  entry.id,
  entry.type,
  entry.at.toISOString(),
  ...partOf(entry.actor),
  ...partOf(entry.subject),
  entry.address,
  entry.userAgent,
  JSON.stringify(entry.metadata),
  entry.previousHash.toString('hex'),
  entry.hash.toString('hex'),
];
