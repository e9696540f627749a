import { dayOf } from '@kontor/kernel';
import { completeDueMany, type DueItem, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { ACCOUNT_DUE, settleAccounts } from '../billing-accounts/accounts.js';
import { SaveCharges, type SavedCharges } from '../charging/save-charges.js';
import { finishedSubscriptions, type RatedAccount } from '../domain/charging/rated-account.js';
import type { RatingContext } from '../domain/charging/rating-context.js';
import { accountDueAt } from '../domain/periods/due-time.js';
import { claimUnchanged } from './claim-unchanged.js';
import { dailyRun, recordProgress } from './run-counters.js';

interface AccountsOfRun {
  readonly id: string;
  readonly accounts: readonly RatedAccount[];
  /** How many of them the run has counted as open. */
  readonly counted: number;
}

/** After how long an account is billed again whose usage was not available. */
const RETRY_MS = 5 * 60_000;

/** Stores rated accounts with their runs and their next due times. */
@Injectable()
export class StoreRated {
  constructor(private readonly saveCharges: SaveCharges) {}

  /** Returns the items whose account was changed since it was read; these are not stored. */
  async execute(
    tx: TenantTx,
    items: readonly DueItem[],
    rated: readonly RatedAccount[],
    context: RatingContext,
  ): Promise<DueItem[]> {
    const sequences = await claimUnchanged(tx, rated, context);
    const byRef = new Map(items.map((item) => [item.ref, item]));
    // Those that share invoices are stored together or not at all.
    const changed = new Set(
      rated.filter(({ account }) => !sequences.has(account.customerId)).map(({ account }) => account.payerId),
    );
    const unchanged = rated.filter(({ account }) => !changed.has(account.payerId));
    const stale = rated
      .filter(({ account }) => changed.has(account.payerId))
      .flatMap(({ account }) => byRef.get(account.customerId) ?? []);
    const runs = await runsOf(tx, unchanged, byRef, context);
    const saved = new Map<string, SavedCharges>();
    for (const { id, accounts } of runs) {
      const ofRun = await this.saveCharges.execute(tx, accounts, context, { runId: id }, sequences);
      for (const [customerId, charges] of ofRun) saved.set(customerId, charges);
    }
    const times = await nextTimes(tx, unchanged, byRef, saved, context);
    const done = items.filter((item) => !stale.includes(item));
    await completeDueMany(
      tx,
      ACCOUNT_DUE,
      done.map((item) => ({ item, nextDueAt: times.get(item.ref) ?? null })),
    );
    // Last, because every batch of a run counts in the same row.
    for (const run of runs) await recordRun(tx, run, saved);
    return stale;
  }
}

/**
 * The run that each account is billed by: the one that was requested for it or for one that shares its invoices, else
 * the day's. Always in the same order, so that transactions do not wait for each other in a circle. An account counts
 * with the run that it waits for itself, when it is claimed.
 */
async function runsOf(
  tx: TenantTx,
  rated: readonly RatedAccount[],
  items: ReadonlyMap<string, DueItem>,
  { tenantZone }: RatingContext,
): Promise<AccountsOfRun[]> {
  const needsDaily = rated.some(({ account }) => account.requestedRunId === null);
  const daily = needsDaily ? await dailyRun(tx, dayOf(tx.now, tenantZone), false) : null;
  const requested = new Map<string, string>();
  for (const { account } of rated) if (account.requestedRunId) requested.set(account.payerId, account.requestedRunId);
  const byRun = Map.groupBy(rated, ({ account }) => requested.get(account.payerId) ?? daily?.id);
  const waiting = Map.groupBy(rated, ({ account }) => account.requestedRunId ?? daily?.id);
  const isCounted = (runId: string, { account, isCut }: RatedAccount): boolean => {
    const item = items.get(account.customerId);
    return item !== undefined && (runId === daily?.id ? item.dueAt <= daily.openedAt : !isCut);
  };
  return [...new Set([...byRun.keys(), ...waiting.keys()])]
    .filter((id) => id !== undefined)
    .map((id) => ({
      id,
      accounts: byRun.get(id) ?? [],
      counted: (waiting.get(id) ?? []).filter((account) => isCounted(id, account)).length,
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * When accounts are billed next. One of which a portion was billed goes on at once, behind all that wait; one that cannot be billed now
 * (a failure, billing switched off) is left to the next run, one whose usage was not available is retried soon.
 */
async function nextTimes(
  tx: TenantTx,
  rated: readonly RatedAccount[],
  items: ReadonlyMap<string, DueItem>,
  saved: ReadonlyMap<string, SavedCharges>,
  { tenantZone }: RatingContext,
): Promise<Map<string, Date | null>> {
  const zones = new Map(rated.map(({ account }) => [account.customerId, account.zone]));
  const accounts = await settleAccounts(
    tx,
    rated.map(({ account: { customerId }, isCut }) => ({
      customerId,
      batches: saved.get(customerId)?.batches ?? 0,
      // A run that was requested waits for all that is due.
      claimed: items.has(customerId) && !isCut,
    })),
  );
  const retried = new Set(
    rated
      .filter(({ failures }) => failures.some(({ retryable }) => retryable))
      .map(({ account }) => account.customerId),
  );
  const cut = new Set(rated.filter(({ isCut }) => isCut).map(({ account }) => account.customerId));
  const known = new Map<string, Date>();
  return new Map(
    accounts.map(({ customerId, dueOn, graceHours }) => {
      if (dueOn === null) return [customerId, null];
      if (cut.has(customerId)) return [customerId, tx.now];
      if (retried.has(customerId)) return [customerId, new Date(tx.now.getTime() + RETRY_MS)];
      const customer = zones.get(customerId) as string;
      const key = `${dueOn} ${customer} ${graceHours}`;
      const at = known.get(key) ?? accountDueAt(dueOn, tx.now, { tenant: tenantZone, customer }, graceHours);
      known.set(key, at);
      return [customerId, at];
    }),
  );
}

const recordRun = (
  tx: TenantTx,
  { id, accounts, counted }: AccountsOfRun,
  saved: ReadonlyMap<string, SavedCharges>,
): Promise<void> => {
  const ofRun = accounts.flatMap(({ account }) => saved.get(account.customerId) ?? []);
  return recordProgress(tx, {
    runId: id,
    accounts: counted,
    billed: finishedSubscriptions(accounts),
    batches: ofRun.reduce((sum, { batches }) => sum + batches, 0),
    lines: ofRun.reduce((sum, { lines }) => sum + lines, 0),
    failures: accounts.flatMap(({ failures }) => failures),
  });
};
