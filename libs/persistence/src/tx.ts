import type { Sql, Tx } from '@kontor/kernel';
import type { PoolClient } from 'pg';

/** An open transaction of one tenant on this service's database; row-level security hides all other tenants. */
export interface TenantTx extends Tx {
  /** The connection itself, for COPY and other protocol work. Never release it, never commit. */
  readonly client: PoolClient;
}

/** A transaction without a tenant: infrastructure tables and security-definer functions only. */
export interface SystemTx extends Sql {
  readonly client: PoolClient;
}

/** Work that waits for the commit of the transaction that it belongs to; kept beside it, not in it. */
const afterCommit = new WeakMap<object, (() => void | Promise<void>)[]>();

/**
 * Runs `work` after a successful commit of `tx` and never after a rollback. It is a hint (wake the relay, wake the runner):
 * it may be lost in a crash, and its failure is ignored.
 */
export function onCommit(tx: object, work: () => void | Promise<void>): void {
  const list = afterCommit.get(tx);
  if (list) list.push(work);
  else afterCommit.set(tx, [work]);
}

/** Runs what `onCommit` collected. Only the transaction's owner calls it. */
export function runAfterCommit(tx: object): void {
  for (const work of afterCommit.get(tx) ?? []) {
    try {
      Promise.resolve(work()).catch(() => undefined);
    } catch {
      // A hint that fails is a hint that came late: whoever waits for it polls as well.
    }
  }
  afterCommit.delete(tx);
}
