import { Injectable } from '@nestjs/common';
import type { ClientBase } from 'pg';
import type { CountedEvent } from '../domain/metrics/counted-event.js';
import { isLater } from '../domain/rollups/rollup-state.js';
import { readTenantMetrics, type TenantMetrics } from './metric-definitions.js';
import { RollupRows } from './rollup-rows.js';
import { touch } from './touch.js';

/** What a transaction did to a tenant's events. */
export interface ChangedEvents {
  /** Stored by this transaction; nothing that was there before. */
  readonly added?: readonly CountedEvent[];
  /** Voided by this transaction. */
  readonly removed?: readonly CountedEvent[];
}

/** What is left to do after the commit, in the background. */
export interface FollowUp {
  readonly repair: boolean;
  readonly thresholds: boolean;
}

interface Frontier {
  readonly at: number;
  readonly id: string;
}

const MAX_TENANTS = 1_000;

/**
 * Keeps rollups equal to the events in the transaction that changes these. It runs last in that transaction, because
 * rows of rollups are shared by all that one customer sends, and with any role: the database's functions see to rights
 * and tenant.
 */
@Injectable()
export class UpdateRollups {
  private readonly known = new Map<string, TenantMetrics>();
  private readonly stale = new Set<string>();
  private followUp: (tenantId: string, work: FollowUp) => void = () => undefined;

  /**
   * `version` is what `usage_metrics_begin` returned in this very transaction: until it ends, definitions stay as they
   * are.
   */
  async execute(client: ClientBase, tenantId: string, version: bigint, changes: ChangedEvents): Promise<void> {
    if (BigInt(version) === 0n) return;
    const metrics = await this.metricsOf(client, tenantId, BigInt(version));
    const frontiers = metrics.building ? await readFrontiers(client, tenantId) : NONE;
    for (const change of ['removed', 'added'] as const) {
      const rows = rowsOf(changes[change] ?? [], metrics, frontiers);
      if (await rows.apply(client, tenantId, change === 'added' ? 'add' : 'remove')) this.stale.add(tenantId);
      await touch(client, tenantId, rows);
    }
  }

  /**
   * To be called after the commit: a tenant's usage has changed. A hint: it may be lost, and one too many does no harm.
   */
  committed(tenantId: string): void {
    const repair = this.stale.delete(tenantId);
    const thresholds = this.known.get(tenantId)?.watched ?? false;
    if (repair || thresholds) this.followUp(tenantId, { repair, thresholds });
  }

  /** Who does what is left. */
  onFollowUp(followUp: (tenantId: string, work: FollowUp) => void): void {
    this.followUp = followUp;
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

const NONE: ReadonlyMap<string, Frontier> = new Map();

function rowsOf(
  events: readonly CountedEvent[],
  metrics: TenantMetrics,
  frontiers: ReadonlyMap<string, Frontier>,
): RollupRows {
  const rows = new RollupRows();
  for (const event of events) {
    for (const { metric, sample } of metrics.byEventName.get(event.eventName) ?? []) {
      const found = sample(event);
      const frontier = frontiers.get(metric.rollupId);
      if (found && (!frontier || isBuilt(event, frontier))) rows.add(metric, found);
    }
  }
  return rows;
}

/** Events before the frontier are still to be counted by whoever builds the rollups. */
function isBuilt({ id, occurredAt }: CountedEvent, frontier: Frontier): boolean {
  const at = occurredAt.getTime();
  return isLater({ at, id }, frontier) || (at === frontier.at && id === frontier.id);
}

async function readFrontiers(client: ClientBase, tenantId: string): Promise<Map<string, Frontier>> {
  const { rows } = await client.query<{ rollup_id: string; built_from: Date; built_from_id: string }>(
    'SELECT * FROM usage_metrics_building($1)',
    [tenantId],
  );
  return new Map(rows.map((row) => [row.rollup_id, { at: row.built_from.getTime(), id: row.built_from_id }]));
}
