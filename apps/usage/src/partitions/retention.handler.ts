import { completeDue, Database, type DueBatch, DueHandler, type DueWorker } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { Retention } from './retention.js';

const KIND = 'usage.retention';

/** Retention of tenants with a sandbox clock, as time passes there. */
@Injectable()
@DueHandler({ kind: KIND, batchSize: 1 })
export class RetentionHandler implements DueWorker {
  constructor(
    private readonly database: Database,
    private readonly retention: Retention,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) {
      const next = await this.retention.runOf(batch.tenantId);
      await this.database.tenant(batch.tenantId, (tx) => completeDue(tx, KIND, item, next));
    }
  }
}
