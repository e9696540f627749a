import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import type { StoredEvent } from '../events/stored-event.js';
import { isLater } from '../domain/metrics/rollup-state.js';
import type { Sample } from '../domain/metrics/sample-event.js';
import { readTenantMetrics, type TenantMetrics } from './metric-definitions.js';
import { RollupRows } from './rollup-rows.js';

/** What a transaction did to a tenant's events. */
export interface ChangedEvents {
  /** Stored by this transaction; nothing that was there before. */
  readonly added?: readonly StoredEvent[];
  /** Voided by this transaction. */
  readonly removed?: readonly StoredEvent[];
}

type CountedEvent = Omit<StoredEvent, 'transactionId' | 'createdAt'>;

const MAX_TENANTS = 1_000;

interface Frontier {
  readonly at: number;
  readonly id: string;
}

/**
 * Keeps rollups equal to the events in the transaction that changes these. It runs last in that transaction, because rows of rollups
 * are shared by all that one customer sends, and with any role: the database's functions see to rights and tenant.
 */
@Injectable()
export class KeepRollups {
  private readonly known = new Map<string, TenantMetrics>();
  private wake: (tenantId: string) => void = () => undefined;

  /** `version` is what `usage_metrics_begin` returned in this very transaction: until it ends, definitions stay as they are. */
  async execute(client: ClientBase, tenantId: string, version: bigint, changes: { added?: readonly CountedEvent[]; removed?: readonly CountedEvent[] }): Promise<void> { // prettier-ignore
    if (BigInt(version) === 0n) return;
    const metrics = await this.metricsOf(client, tenantId, BigInt(version));
    const frontiers = metrics.building ? await readFrontiers(client, tenantId) : new Map<string, Frontier>();
    for (const change of ['removed', 'added'] as const) {
      const rows = new RollupRows();
      for (const event of changes[change] ?? []) {
        for (const { metric, sample } of metrics.byEventName.get(event.eventName) ?? []) {
          const found = sample(event);
          const frontier = frontiers.get(metric.rollupId);
          if (found && (!frontier || isBuilt(found, frontier))) rows.add(metric, found);
        }
      }
      await rows.apply(client, tenantId, change === 'added' ? 'add' : 'remove');
    }
  }

  /** Says, after the commit, that usage has changed. A hint: it may be lost. */
  committed(tenantId: string): void {
    if (this.watches(tenantId)) this.wake(tenantId);
  }

  onCommitted(wake: (tenantId: string) => void): void {
    this.wake = wake;
  }

  private watches(tenantId: string): boolean {
    const metrics = this.known.get(tenantId);
    return metrics !== undefined && [...metrics.byEventName.values()].some((list) => list.some(({ metric }) => metric.watched));
  }

  private async metricsOf(client: ClientBase, tenantId: string, version: bigint): Promise<TenantMetrics> {
    const known = this.known.get(tenantId);
    if (known?.version === version) return known;
    const metrics = await readTenantMetrics(client, tenantId, version);
    if (this.known.size >= MAX_TENANTS) this.known.clear();
    this.known.set(tenantId, metrics);
    return metrics;
  }
}

/** Events before the frontier are still to be counted by whoever builds the rollups. */
const isBuilt = (sample: Sample, frontier: Frontier): boolean =>
  isLater(sample, frontier) || (sample.at === frontier.at && sample.id === frontier.id);

async function readFrontiers(client: ClientBase, tenantId: string): Promise<Map<string, Frontier>> {
  const { rows } = await client.query<{ rollup_id: string; built_from: Date; built_from_id: string }>(
    'SELECT * FROM usage_metrics_building($1)',
    [tenantId],
  );
  return new Map(rows.map((row) => [row.rollup_id, { at: row.built_from.getTime(), id: row.built_from_id }]));
}
