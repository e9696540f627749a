import { Injectable } from '@nestjs/common';
import { completeDue, Database, type DueBatch, DueHandler, type DueWorker } from '@kontor/persistence';
import { buildStep, lockMetrics } from './build-rollups.js';
import { BUILD_ROLLUPS } from './rollup-work.js';

/** Builds rollups of new and changed metrics, step by step; between two steps ingestion goes on. */
@Injectable()
@DueHandler({ kind: BUILD_ROLLUPS, batchSize: 1 })
export class BuildRollupsHandler implements DueWorker {
  constructor(private readonly database: Database) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) {
      for (let built = false; !built && !batch.signal.aborted;) {
        built = await this.database.tenant(batch.tenantId, async (tx) => {
          await lockMetrics(tx);
          const done = await buildStep(tx, item.ref);
          if (done) await completeDue(tx, BUILD_ROLLUPS, item);
          return done;
        });
      }
    }
  }
}
