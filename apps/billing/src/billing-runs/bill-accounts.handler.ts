import { addDays, type Day, dayOf, DomainError, invariant, InvariantError } from '@kontor/kernel';
import { completeDueMany, Database, type DueBatch, DueHandler, type DueItem, type DueWorker, type TenantTx } from '@kontor/persistence';
import { Log } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { accountDueAt, lastDayOfRequest, lastDayOfRun, nextRunTime } from '../domain/periods/due-time.js';
import { ACCOUNT_DUE, refreshAccounts } from './accounts.js';
import { type Account, type BillingWorld, LoadAccounts } from './load-accounts.js';
import { rateAccount, type RatedAccount, type RatingFailure } from './rate-account.js';
import { dailyRun, recordProgress } from './run-counters.js';
import { SaveCharges } from './save-charges.js';

const ROUNDS = 5;
const later = (a: Day, b: Day | null): Day => (b !== null && b > a ? b : a);

/**
 * The billing run: bills up to 500 accounts at once. Everything is read in one transaction and rated outside of any; a
 * second one proves that the lease is still held and that nothing has changed, and stores. An account that was changed
 * meanwhile is read and rated again.
 */
@Injectable()
@DueHandler({ kind: ACCOUNT_DUE, batchSize: 500 })
export class BillAccountsHandler implements DueWorker {
  constructor(
    private readonly database: Database,
    private readonly load: LoadAccounts,
    private readonly save: SaveCharges,
    private readonly log: Log,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    let open: readonly DueItem[] = batch.items;
    for (let round = 1; open.length > 0 && round <= ROUNDS; round++) {
      const world = await this.read(batch, open);
      const rated = world.accounts.map((account) => rateAccount(account, world, { until: untilOf(account, world) }));
      this.report(batch.tenantId, rated);
      open = await this.storeOrFail(batch, open, rated, world);
    }
  }

  /**
   * An account whose charges cannot be stored fails alone, with all its subscriptions, and is tried by the next run. A batch
   * of several is given back first: the runner then hands over each account by itself.
   */
  private async storeOrFail({ tenantId, now }: DueBatch, open: readonly DueItem[], rated: readonly RatedAccount[], world: BillingWorld): Promise<readonly DueItem[]> {
    try {
      return await this.database.tenant(tenantId, (tx) => this.store(tx, open, rated, world), { now });
    } catch (error) {
      if (open.length > 1 || !isFault(error)) throw error;
      const failed = rated.map((one) => ({ ...one, rated: [], failures: [...one.failures, ...one.rated.map(({ subscription }) => failureOf(subscription.id, error))] }));
      this.report(tenantId, failed);
      return this.database.tenant(tenantId, (tx) => this.store(tx, open, failed, world), { now });
    }
  }

  private read({ tenantId, now }: DueBatch, items: readonly DueItem[]): Promise<BillingWorld> {
    const dueUntil = addDays(dayOf(now, 'UTC'), 2);
    return this.database.tenant(tenantId, (tx) => this.load.execute(tx, items.map((item) => item.ref), { dueUntil }), { now, readOnly: true }); // prettier-ignore
  }

  /** Returns the items whose account was changed since it was read. */
  private async store(tx: TenantTx, items: readonly DueItem[], rated: readonly RatedAccount[], world: BillingWorld): Promise<DueItem[]> {
    const unchanged = await lockUnchanged(tx, rated);
    const byRef = new Map(items.map((item) => [item.ref, item]));
    const stale = rated.filter((one) => !unchanged.has(one.account.customerId)).map((one) => byRef.get(one.account.customerId) as DueItem);
    const mine = rated.filter((one) => unchanged.has(one.account.customerId));
    const times = await this.bill(tx, mine, byRef, world);
    const gone = items.filter((item) => !stale.includes(item) && !times.has(item.ref)).map((item) => ({ item, nextDueAt: null }));
    const done = mine.map(({ account }) => ({ item: byRef.get(account.customerId) as DueItem, nextDueAt: times.get(account.customerId) ?? null }));
    await completeDueMany(tx, ACCOUNT_DUE, [...done, ...gone]);
    return stale;
  }

  private async bill(tx: TenantTx, rated: readonly RatedAccount[], items: ReadonlyMap<string, DueItem>, world: BillingWorld): Promise<Map<string, Date | null>> {
    const unasked = rated.filter(({ account }) => account.requestedRunId === null);
    const daily = unasked.length === 0 ? null : await dailyRun(tx, dayOf(tx.now, world.tenantZone), unasked.some((one) => dueCount([one]) > 0)); // prettier-ignore
    const runs = new Map<string, RatedAccount[]>();
    for (const one of rated) {
      const runId = one.account.requestedRunId ?? daily?.id;
      if (runId !== undefined) runs.set(runId, [...(runs.get(runId) ?? []), one]);
    }
    // Always in the same order: two batches that share runs must not wait for each other in a circle.
    for (const [runId, list] of [...runs].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const batches = await this.save.execute(tx, list, world, { runId });
      const failures = list.flatMap((one) => one.failures);
      const counted = runId === daily?.id ? list.filter(({ account }) => (items.get(account.customerId) as DueItem).dueAt <= daily.openedAt) : list;
      await recordProgress(tx, { runId, accounts: counted.length, due: dueCount(list), batches, failures });
    }
    await tx.query('update billing_account set requested_run_id = null, requested_date = null where tenant_id = $1 and customer_id = any($2::uuid[]) and requested_run_id is not null', [
      tx.tenantId,
      rated.map(({ account }) => account.customerId),
    ]);
    return this.nextTimes(tx, rated, world);
  }

  /** An account that cannot be billed now (a failure, billing switched off) is looked at again by the next run. */
  private async nextTimes(tx: TenantTx, rated: readonly RatedAccount[], world: BillingWorld): Promise<Map<string, Date | null>> {
    const accounts = await refreshAccounts(tx, rated.map(({ account }) => account.customerId)); // prettier-ignore
    return new Map(
      accounts.map(({ customerId, dueOn, customerZone }) => {
        if (dueOn === null) return [customerId, null];
        const at = accountDueAt(dueOn, tx.now, { tenant: world.tenantZone, customer: customerZone });
        return [customerId, at > tx.now ? at : nextRunTime(tx.now, world.tenantZone)];
      }),
    );
  }

  private report(tenantId: string, rated: readonly RatedAccount[]): void {
    for (const failure of rated.flatMap((one): readonly RatingFailure[] => one.failures)) {
      const { subscriptionId, reason, error } = failure;
      if (reason === 'internal_error') this.log.error({ tenantId, subscriptionId, error }, 'a subscription could not be rated');
    }
  }
}

/** What trying again would not change, unlike a lost connection or lease. */
const isFault = (error: unknown): boolean => error instanceof DomainError || error instanceof InvariantError || error instanceof RangeError || error instanceof TypeError;

const failureOf = (subscriptionId: string, error: unknown): RatingFailure => ({
  subscriptionId,
  reason: error instanceof DomainError ? error.reason : 'internal_error',
  error,
});

const dueCount = (rated: readonly RatedAccount[]): number =>
  rated.reduce((count, one) => count + one.failures.length + one.rated.filter(({ charges }) => charges.length > 0).length, 0);

/** The last due day that is billed: what the daily run has reached, and what a request wants. */
function untilOf(account: Account, world: BillingWorld): Day {
  const zones = { tenant: world.tenantZone, customer: account.zone };
  if (account.billingDisabled) return NEVER;
  return later(lastDayOfRun(world.now, zones), account.requestedDate === null ? null : lastDayOfRequest(account.requestedDate, zones));
}
const NEVER: Day = '0001-01-01';

/** Locks the accounts in the order that everybody uses; those that still are as they were read. */
async function lockUnchanged(tx: TenantTx, rated: readonly RatedAccount[]): Promise<Set<string>> {
  const rows = await tx.query<{ customerId: string; version: bigint; requestedRunId: string | null }>(
    `select customer_id as "customerId", version, requested_run_id as "requestedRunId" from billing_account
     where tenant_id = $1 and customer_id = any($2::uuid[]) order by customer_id for update`,
    [tx.tenantId, rated.map(({ account }) => account.customerId)],
  );
  const now = new Map(rows.map((row) => [row.customerId, row]));
  return new Set(
    rated.flatMap(({ account }) => {
      const row = now.get(account.customerId);
      invariant(row, 'a billing account is never removed alone');
      return row.version === account.version && row.requestedRunId === account.requestedRunId ? [account.customerId] : [];
    }),
  );
}
