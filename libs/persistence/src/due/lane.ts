import type { Sql } from '@kontor/kernel';
import { type Claim, claimInTurn, claimPolled } from './claims.js';
import type { DueWorker } from './due-handler.js';

/** Due work of one kind in one process. */
export interface Lane {
  readonly kind: string;
  readonly worker: DueWorker;
  readonly batchSize: number;
  readonly parallel: number;
  /** Claimed by polling, not begun. */
  readonly waiting: Claim[];
  running: number;
  /** While more is due than is claimed at once: after which tenant the turn goes on. */
  turnAfter: string | undefined;
  /** Tenants of which nothing is begun until then, in milliseconds of `performance.now()`. */
  readonly resting: Map<string, number>;
}

/** The tenants that rest now. */
export function restingOf({ resting }: Lane): string[] {
  for (const [tenantId, until] of resting) if (until <= performance.now()) resting.delete(tenantId);
  return [...resting.keys()];
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Claims for lanes that have nothing waiting, at most `limit` for each: the oldest first, and tenants in turn as soon as there
 * is more than that, or some of them rest. `more`: look again at once. A database that is away has nothing due.
 */
export async function claimForLanes(
  sql: Sql,
  lanes: readonly Lane[],
  limit: number,
): Promise<{ claims: Claim[]; more: boolean }> {
  for (const lane of lanes) if (restingOf(lane).length > 0) lane.turnAfter ??= BEFORE_ALL;
  const behind = lanes.filter((lane) => lane.turnAfter !== undefined);
  const others = lanes.filter((lane) => lane.turnAfter === undefined);
  const kinds = others.map(({ kind }) => kind);
  const claims = kinds.length > 0 ? await claimPolled(sql, kinds, limit).catch(nothing) : [];
  for (const lane of others) if (itemsOf(claims, lane.kind) >= limit) lane.turnAfter = BEFORE_ALL;
  for (const lane of behind) {
    const turn = await claimInTurn(sql, lane.kind, limit, lane.turnAfter!, restingOf(lane)).catch(nothing);
    const isWhole = lane.turnAfter === BEFORE_ALL;
    const isMuch = turn.some(({ items }) => items.length >= limit / turn.length);
    const last = turn
      .map(({ tenantId }) => tenantId)
      .sort()
      .at(-1);
    lane.turnAfter = isWhole && !isMuch ? undefined : (last ?? BEFORE_ALL);
    claims.push(...turn);
  }
  return { claims, more: lanes.some(({ turnAfter }) => turnAfter !== undefined) };
}

const nothing = (): Claim[] => [];

const itemsOf = (claims: readonly Claim[], kind: string): number =>
  claims.reduce((sum, claim) => sum + (claim.kind === kind ? claim.items.length : 0), 0);
