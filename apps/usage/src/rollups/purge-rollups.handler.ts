import { Injectable } from '@nestjs/common';
import { completeDue, Database, type DueBatch, DueHandler, type DueWorker } from '@kontor/persistence';
import { PURGE_ROLLUPS } from './rollup-work.js';

const ROWS = 5_000;

/** Removes the rollups of a definition that a metric has no more. */
@Injectable()
@DueHandler({ kind: PURGE_ROLLUPS, batchSize: 1 })
export class PurgeRollupsHandler implements DueWorker {
  constructor(private readonly database: Database) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) {
      for (let isDone = false; !isDone && !batch.signal.aborted;) {
        isDone = await this.database.tenant(batch.tenantId, async (tx) => {
          const removed = await tx.query(
            `DELETE FROM usage_rollup WHERE tenant_id = $1 AND rollup_id = $2 AND ctid = ANY(ARRAY(
               SELECT ctid FROM usage_rollup WHERE tenant_id = $1 AND rollup_id = $2 LIMIT ${ROWS})) RETURNING 1`,
            [tx.tenantId, item.ref],
          );
          const done = removed.length < ROWS;
          if (done) await completeDue(tx, PURGE_ROLLUPS, item);
          return done;
        });
      }
    }
  }
}
