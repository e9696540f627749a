import { Injectable } from '@nestjs/common';
import { completeDue, Database, type DueBatch, DueHandler, type DueWorker } from '@kontor/persistence';
import { MeasureUsage } from '../metrics/measure-usage.js';
import { CHECK_THRESHOLDS } from '../rollups/rollup-work.js';
import { checkThresholds, MARKS } from './check-thresholds.js';
import { touchLevels } from './touch-levels.js';

/** A tenant with thresholds is looked at so often even if nobody said that something changed. */
const AGAIN_MS = 60_000;

/** Compares changed usage with thresholds, some hundred marks a transaction. */
@Injectable()
@DueHandler({ kind: CHECK_THRESHOLDS, batchSize: 1 })
export class CheckThresholdsHandler implements DueWorker {
  constructor(
    private readonly database: Database,
    private readonly usage: MeasureUsage,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) {
      for (let done = false; !done && !batch.signal.aborted;) {
        done = await this.database.tenant(batch.tenantId, async (tx) => {
          await touchLevels(tx);
          if ((await checkThresholds(tx, this.usage)) === MARKS) return false;
          const waits = await tx.query('SELECT 1 FROM usage_threshold WHERE tenant_id = $1 LIMIT 1', [tx.tenantId]);
          await completeDue(tx, CHECK_THRESHOLDS, item, waits.length > 0 ? new Date(Date.now() + AGAIN_MS) : null);
          return true;
        });
      }
    }
  }
}
