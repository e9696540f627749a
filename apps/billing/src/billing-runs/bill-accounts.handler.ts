import { addDays, type Day, dayOf, DomainError, invariant, InvariantError } from '@kontor/kernel';
import { completeDueMany, Database, type DueBatch, DueHandler, type DueItem, type DueWorker, type TenantTx } from '@kontor/persistence';
import { Log } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { accountDueAt, lastClosedDay, lastDayOfRequest, lastDayOfRun } from '../domain/periods/due-time.js';
import { ACCOUNT_DUE, settleAccounts } from './accounts.js';
import { type Account, type BillingWorld, LoadAccounts } from './load-accounts.js';
import { type Amounts, type MeteredAsk, MeteredSources, type Unmeasured } from './metered-sources.js';
import { rateAccount, type RatedAccount, type RatingFailure } from './rate-account.js';
import { dailyRun, recordProgress } from './run-counters.js';
import { SaveCharges } from './save-charges.js';

interface AccountsOfRun {
  readonly id: string;
  readonly accounts: readonly RatedAccount[];
  /** How many of them the run has counted as open. */
  readonly counted: number;
}

const ROUNDS = 5;
const later = (a: Day, b: Day): Day => (b > a ? b : a);
const earlier = (a: Day, b: Day): Day => (b < a ? b : a);

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
    private readonly sources: MeteredSources,
    private readonly log: Log,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    let open: readonly DueItem[] = batch.items;
    for (let round = 1; open.length > 0 && round <= ROUNDS; round++) {
      const world = await this.read(batch, open);
      const until = untilOf(world);
      const rated = await this.rate(batch, world, until);
      this.report(batch.tenantId, rated);
      await this.beginRun(batch, rated, world);
      open = await this.storeOrFail(batch, open, rated, world);
    }
  }

  /**
   * An account whose charges cannot be stored fails alone, with all its subscriptions, and is tried by the next run. A batch
   * of several is given back first: the runner then hands over each account by itself.
   */
  private async storeOrFail(
    { tenantId, now }: DueBatch,
    open: readonly DueItem[],
    rated: readonly RatedAccount[],
    world: BillingWorld,
  ): Promise<readonly DueItem[]> {
    try {
      return await this.database.tenant(tenantId, (tx) => this.store(tx, open, rated, world), { now });
    } catch (error) {
      if (open.length > 1 || !isFault(error)) throw error;
      const failed = rated.map((one) => ({
        ...one,
        rated: [],
        corrections: [],
        corrected: [],
        failures: [...one.failures, ...one.rated.map(({ subscription }) => failureOf(subscription.id, error))],
      }));
      this.report(tenantId, failed);
      return this.database.tenant(tenantId, (tx) => this.store(tx, open, failed, world), { now });
    }
  }

  /** The day's run is begun in a transaction of its own: several batches store at once and must not wait for its row. */
  private async beginRun({ tenantId, now }: DueBatch, rated: readonly RatedAccount[], world: BillingWorld): Promise<void> {
    const begins = rated.some((one) => one.account.requestedRunId === null && dueCount([one]) > 0);
    if (begins) await this.database.tenant(tenantId, (tx) => dailyRun(tx, dayOf(now, world.tenantZone), true), { now });
  }

  /**
   * Rates the accounts. What must be measured is asked for by one call for all of them, between the transactions; an account whose
   * usage nobody can tell now is not billed at all, so that its lines stay on one invoice.
   */
  private async rate({ tenantId, now }: DueBatch, world: BillingWorld, until: (account: Account) => Day): Promise<RatedAccount[]> {
    const rate = (account: Account, amounts?: Amounts): RatedAccount =>
      rateAccount(account, world, { until: until(account), corrections: true, amounts });
    const rated = world.accounts.map((account) => rate(account));
    const asks = rated.flatMap((one) => one.asks);
    if (asks.length === 0) return rated;
    const amounts = await this.sources.measure(tenantId, asks, { now, freeze: true });
    return rated.map((one) => {
      if (one.asks.length === 0) return one;
      const silent = one.asks.filter(({ key }) => isSilent(amounts.get(key)));
      return silent.length === 0 ? rate(one.account, amounts) : heldBack(one, silent, amounts);
    });
  }

  private read({ tenantId, now }: DueBatch, items: readonly DueItem[]): Promise<BillingWorld> {
    const dueUntil = addDays(dayOf(now, 'UTC'), 2);
    return this.database.tenant(tenantId, (tx) => this.load.execute(tx, items.map((item) => item.ref), { dueUntil }), { now, readOnly: true }); // prettier-ignore
  }

  /** Returns the items whose account was changed since it was read. */
  private async store(tx: TenantTx, items: readonly DueItem[], rated: readonly RatedAccount[], world: BillingWorld): Promise<DueItem[]> {
    const sequences = await lockUnchanged(tx, rated);
    const byRef = new Map(items.map((item) => [item.ref, item]));
    const stale = rated.filter((one) => !sequences.has(one.account.customerId)).map((one) => byRef.get(one.account.customerId) as DueItem);
    const mine = rated.filter((one) => sequences.has(one.account.customerId));
    const runs = await this.runsOf(tx, mine, byRef, world);
    const batches = new Map<string, number>();
    for (const run of runs)
      for (const [id, n] of await this.save.execute(tx, run.accounts, world, { runId: run.id }, sequences)) batches.set(id, n);
    const times = await this.nextTimes(tx, mine, batches, world);
    await completeDueMany(tx, ACCOUNT_DUE, items.filter((item) => !stale.includes(item)).map((item) => ({ item, nextDueAt: times.get(item.ref) ?? null }))); // prettier-ignore
    // Last, because every batch of a run counts in the same row.
    for (const { id, accounts, counted } of runs) {
      const failures = accounts.flatMap((one) => one.failures);
      const made = accounts.reduce((sum, { account }) => sum + (batches.get(account.customerId) ?? 0), 0);
      await recordProgress(tx, { runId: id, accounts: counted, billed: billedIds(accounts), batches: made, failures });
    }
    return stale;
  }

  /** Which run each account is billed by: the one that was asked for it, else the day's. Always in the same order, so that nobody waits in a circle. */
  private async runsOf(
    tx: TenantTx,
    rated: readonly RatedAccount[],
    items: ReadonlyMap<string, DueItem>,
    world: BillingWorld,
  ): Promise<AccountsOfRun[]> {
    const unasked = rated.filter(({ account }) => account.requestedRunId === null);
    const daily = unasked.length === 0 ? null : await dailyRun(tx, dayOf(tx.now, world.tenantZone), false);
    const runs = new Map<string, RatedAccount[]>();
    for (const one of rated) {
      const id = one.account.requestedRunId ?? daily?.id;
      if (id === undefined) continue;
      const list = runs.get(id);
      if (list) list.push(one);
      else runs.set(id, [one]);
    }
    return [...runs]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, accounts]) => ({
        id,
        accounts,
        counted: accounts.filter(({ account }) => id !== daily?.id || (items.get(account.customerId) as DueItem).dueAt <= daily.openedAt)
          .length,
      }));
  }

  /**
   * An account that cannot be billed now (a failure, billing switched off) is looked at again by the next run, and one that waits for
   * an answer soon.
   */
  private async nextTimes(
    tx: TenantTx,
    rated: readonly RatedAccount[],
    batches: ReadonlyMap<string, number>,
    world: BillingWorld,
  ): Promise<Map<string, Date | null>> {
    const zones = new Map(rated.map(({ account }) => [account.customerId, account.zone]));
    const accounts = await settleAccounts(tx, rated.map(({ account: { customerId } }) => ({ customerId, batches: batches.get(customerId) ?? 0 }))); // prettier-ignore
    const again = new Set(rated.filter((one) => one.failures.some((failure) => failure.again)).map(({ account }) => account.customerId));
    const known = new Map<string, Date>();
    return new Map(
      accounts.map(({ customerId, dueOn, graceHours }) => {
        if (dueOn === null) return [customerId, null];
        if (again.has(customerId)) return [customerId, new Date(tx.now.getTime() + AGAIN_MS)];
        const customer = zones.get(customerId) as string;
        const key = `${dueOn} ${customer} ${graceHours}`;
        const at = known.get(key) ?? accountDueAt(dueOn, tx.now, { tenant: world.tenantZone, customer }, graceHours);
        known.set(key, at);
        return [customerId, at];
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
const isFault = (error: unknown): boolean =>
  error instanceof DomainError || error instanceof InvariantError || error instanceof RangeError || error instanceof TypeError;

const failureOf = (subscriptionId: string, error: unknown): RatingFailure => ({
  subscriptionId,
  reason: error instanceof DomainError ? error.reason : 'internal_error',
  error,
});

const dueCount = (rated: readonly RatedAccount[]): number =>
  rated.reduce((count, one) => count + one.failures.length, billedIds(rated).length);

/** Subscriptions that got a line. */
function billedIds(rated: readonly RatedAccount[]): string[] {
  return rated.flatMap((one) => {
    const ids = one.rated.filter(({ charges }) => charges.length > 0).map(({ subscription }) => subscription.id);
    return one.corrections.length === 0 ? ids : [...new Set([...ids, ...one.corrections.map(({ subscription }) => subscription.id)])];
  });
}

const isSilent = (amount: ReturnType<Amounts['get']>): amount is Unmeasured => amount !== undefined && 'reason' in amount && amount.again;

/** Nothing of the account is billed; the subscriptions that nobody could tell the usage of say why. */
function heldBack(one: RatedAccount, silent: readonly MeteredAsk[], amounts: Amounts): RatedAccount {
  const reasons = new Map(silent.map(({ key, subscriptionId }) => [subscriptionId, (amounts.get(key) as Unmeasured).reason]));
  const failures = [...reasons].map(([subscriptionId, reason]) => ({
    subscriptionId,
    reason,
    error: new DomainError(reason),
    again: true,
  }));
  return {
    ...one,
    rated: [],
    corrections: [],
    corrected: [],
    failures: [...one.failures.filter((failure) => !reasons.has(failure.subscriptionId)), ...failures],
  };
}

/** After how long an account is billed again whose usage nobody could tell. */
const AGAIN_MS = 5 * 60_000;

/** The last due day that is billed: what the daily run has reached, and what a request wants. */
function untilOf(world: BillingWorld): (account: Account) => Day {
  const reached = new Map<string, Day>();
  return (account) => {
    const { zone, billingDisabled, requestedDate } = account;
    if (billingDisabled) return NEVER;
    const zones = { tenant: world.tenantZone, customer: zone };
    const day = reached.get(zone) ?? lastDayOfRun(world.now, zones);
    reached.set(zone, day);
    if (requestedDate !== null) return later(day, lastDayOfRequest(requestedDate, zones));
    return billsUsage(account, day) ? earlier(day, lastClosedDay(world.now, zone, account.usageGraceHours)) : day;
  };
}
/** Then all of the account waits until usage has had its time to arrive. */
const billsUsage = ({ subscriptions }: Account, until: Day): boolean =>
  subscriptions.some(({ items }) => items.some((item) => item.nextDueMetered && item.nextDueOn !== null && item.nextDueOn <= until));
const NEVER: Day = '0001-01-01';

/** Locks the accounts in the order that everybody uses; of those that still are as they were read, the number of batches so far. */
async function lockUnchanged(tx: TenantTx, rated: readonly RatedAccount[]): Promise<Map<string, bigint>> {
  const rows = await tx.query<{ customerId: string; version: bigint; requestedRunId: string | null; sequence: bigint }>(
    `select customer_id as "customerId", version, requested_run_id as "requestedRunId", charges_seq as sequence from billing_account
     where tenant_id = $1 and customer_id = any($2::uuid[]) order by customer_id for update`,
    [tx.tenantId, rated.map(({ account }) => account.customerId)],
  );
  const now = new Map(rows.map((row) => [row.customerId, row]));
  const unchanged = new Map<string, bigint>();
  for (const { account } of rated) {
    const row = now.get(account.customerId);
    invariant(row, 'a billing account is never removed alone');
    if (row.version === account.version && row.requestedRunId === account.requestedRunId) unchanged.set(account.customerId, row.sequence);
  }
  return unchanged;
}
