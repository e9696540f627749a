import { Injectable } from '@nestjs/common';
import type { TenantState } from '@kontor/contracts';
import { completeDueMany, Database, type DueBatch, DueHandler, type DueWorker, Replicas } from '@kontor/persistence';
import { DUNNING_WORK } from '../due-kinds.js';
import { dunningRuleTable } from './dunning-rule.row.js';
import { nextRun } from './dunning-rules.js';
import { RunDunning } from './run-dunning.js';

/** The daily run, at 06:00 of the tenant's zone; a tenant without levels has none. */
@Injectable()
@DueHandler({ kind: DUNNING_WORK, batchSize: 1 })
export class DunningWorker implements DueWorker {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly runDunning: RunDunning,
  ) {}

  async handle({ tenantId, items, now, signal }: DueBatch): Promise<void> {
    await this.runDunning.execute(tenantId, { now, signal });
    if (signal.aborted) return;
    await this.database.tenant(
      tenantId,
      async (tx) => {
        const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
        const goesOn = tenant !== null && (await dunningRuleTable.exists(tx, { isEnabled: true }));
        const nextDueAt = goesOn ? nextRun(tx.now, tenant.timeZone) : null;
        await completeDueMany(
          tx,
          DUNNING_WORK,
          items.map((item) => ({ item, nextDueAt })),
        );
      },
      { now },
    );
  }
}
