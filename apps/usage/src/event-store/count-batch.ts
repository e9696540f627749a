import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import { UpdateRollups } from '../rollups/update-rollups.js';
import type { EventBatch } from './event-batch.js';
import type { Alongside } from './ingest-lane.js';

/** Counts the events of a batch in its tenants' rollups. A tenant without metrics costs nothing. */
@Injectable()
export class CountBatch {
  constructor(private readonly updateRollups: UpdateRollups) {}

  /** What has to commit with a batch that is copied; nothing where no tenant has metrics. */
  alongside(batch: EventBatch): Alongside {
    const needed = batch.states.some(({ versions }) => versions.metrics !== 0n);
    return needed ? { alongside: (client) => this.execute(client, batch) } : {};
  }

  /**
   * Last in the transaction that stores the batch, tenants in the order of their ids: the rows of rollups are shared,
   * and two batches lock them in one order. `ids` names the events that were new, where not all are.
   */
  async execute(client: ClientBase, batch: EventBatch, ids?: ReadonlySet<string>): Promise<void> {
    const counted = batch.states.filter(({ versions }) => versions.metrics !== 0n);
    for (const state of counted) {
      const added = batch.eventsOf(state, ids);
      if (added.length === 0) continue;
      // The guard went through all tenants and left the last one's rows visible.
      if (batch.states.length > 1) await client.query("SELECT set_config('app.tenant', $1, true)", [state.tenantId]);
      await this.updateRollups.execute(client, state.tenantId, state.versions.metrics, { added });
    }
  }

  committed(batch: EventBatch): void {
    for (const { tenantId, versions } of batch.states)
      if (versions.metrics !== 0n) this.updateRollups.committed(tenantId);
  }
}
