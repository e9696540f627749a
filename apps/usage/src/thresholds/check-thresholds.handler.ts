import { Injectable } from '@nestjs/common';
import { completeDue, Database, type DueBatch, DueHandler, type DueWorker } from '@kontor/persistence';
import { MeasureUsage } from '../measurement/measure-usage.js';
import { CHECK_THRESHOLDS } from '../rollups/rollup-work.js';
import { checkThresholds, MARKS } from './check-thresholds.js';
import { usageThresholds } from './usage-threshold.row.js';
import { touchLevels } from './touch-levels.js';

/** A tenant with thresholds is checked so often even without a reported change. */
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
          const again = (await usageThresholds.exists(tx, {})) ? new Date(Date.now() + AGAIN_MS) : null;
          await completeDue(tx, CHECK_THRESHOLDS, item, again);
          return true;
        });
      }
    }
  }
}
