import { Injectable } from '@nestjs/common';
import { newUuid, type Tx } from '@kontor/kernel';
import type { FoundNotice } from '../domain/notices.js';

/** Writes the activity entries of notices that ask for one; entries without a customer belong to the tenant. */
@Injectable()
export class RecordActivities {
  async execute(tx: Tx, found: readonly FoundNotice[]): Promise<void> {
    const entries = found.filter(({ notice }) => notice.activity !== null);
    if (entries.length === 0) return;
    await tx.query(
      `INSERT INTO activity (tenant_id, id, customer_id, type, at, actor, metadata)
       SELECT $1, * FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::timestamptz[], $6::jsonb[], $7::jsonb[])`,
      [
        tx.tenantId, entries.map(() => newUuid()), entries.map((e) => e.notice.customerId), entries.map((e) => e.notice.type), entries.map((e) => e.at),
        entries.map((e) => (e.actor ? JSON.stringify(e.actor) : null)), entries.map((e) => JSON.stringify(e.notice.activity!.metadata)),
      ],
    ); // prettier-ignore
  }
}
