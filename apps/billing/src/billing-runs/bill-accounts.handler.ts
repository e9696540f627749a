import { addDays, dayOf, DomainError, InvariantError } from '@kontor/kernel';
import { Database, type DueBatch, DueHandler, type DueItem, type DueWorker } from '@kontor/persistence';
import { Log } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { ACCOUNT_DUE } from '../billing-accounts/accounts.js';
import { LoadRatingContext } from '../charging/load-rating-context.js';
import { withFamilies } from '../customers/payers.js';
import { failAccount } from '../domain/charging/defer-account.js';
import { hasOutcome, type RatedAccount } from '../domain/charging/rated-account.js';
import type { RatingContext } from '../domain/charging/rating-context.js';
import { requireFewLinesInHand } from './lines-in-hand.js';
import { RateAccounts } from './rate-accounts.js';
import { dailyRun } from './run-counters.js';
import { StoreRated } from './store-rated.js';

const ROUNDS = 5;

/**
 * The billing run: bills up to 500 accounts at once. Everything is read in one transaction and rated outside of any; a
 * second one proves that the lease is still held and that nothing has changed, and stores. An account that was changed
 * meanwhile is read and rated again. With an account come those that share its invoices: what falls due of them on one day
 * is one invoice, whichever is claimed first; the others then find nothing left.
 */
@Injectable()
@DueHandler({ kind: ACCOUNT_DUE, batchSize: 500 })
export class BillAccountsHandler implements DueWorker {
  constructor(
    private readonly database: Database,
    private readonly load: LoadRatingContext,
    private readonly rateAccounts: RateAccounts,
    private readonly storeRated: StoreRated,
    private readonly log: Log,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    await requireFewLinesInHand(this.database, batch.tenantId);
    let open: readonly DueItem[] = batch.items;
    for (let round = 1; open.length > 0 && round <= ROUNDS; round++) {
      const context = await this.read(batch, open);
      batch.signal.throwIfAborted();
      const rated = await this.rateAccounts.execute(batch, context);
      batch.signal.throwIfAborted();
      this.logFaults(batch.tenantId, rated);
      await this.beginRun(batch, rated, context);
      open = await this.storeOrFail(batch, open, rated, context);
    }
  }

  private read({ tenantId, now }: DueBatch, items: readonly DueItem[]): Promise<RatingContext> {
    const dueUntil = addDays(dayOf(now, 'UTC'), 2);
    const customerIds = items.map((item) => item.ref);
    return this.database.tenant(
      tenantId,
      async (tx) => this.load.execute(tx, await withFamilies(tx, customerIds), { dueUntil }),
      { now, readOnly: true },
    );
  }

  /** The day's run is begun in a separate transaction: several batches store at once and must not wait for its row. */
  private async beginRun(
    { tenantId, now }: DueBatch,
    rated: readonly RatedAccount[],
    { tenantZone }: RatingContext,
  ): Promise<void> {
    const begins = rated.some((result) => result.account.requestedRunId === null && hasOutcome(result));
    if (begins) await this.database.tenant(tenantId, (tx) => dailyRun(tx, dayOf(now, tenantZone), true), { now });
  }

  /**
   * An account whose charges cannot be stored fails alone, with all its subscriptions, and is tried by the next run. A
   * batch of several is released first: the runner then hands over each account by itself. Returns the items whose
   * account was changed since it was read.
   */
  private async storeOrFail(
    { tenantId, now }: DueBatch,
    open: readonly DueItem[],
    rated: readonly RatedAccount[],
    context: RatingContext,
  ): Promise<readonly DueItem[]> {
    const store = (accounts: readonly RatedAccount[]): Promise<readonly DueItem[]> =>
      this.database.tenant(tenantId, (tx) => this.storeRated.execute(tx, open, accounts, context), { now });
    try {
      return await store(rated);
    } catch (error) {
      if (open.length > 1 || !isFault(error)) throw error;
      const failed = rated.map((account) => failAccount(account, error));
      this.logFaults(tenantId, failed);
      return store(failed);
    }
  }

  private logFaults(tenantId: string, rated: readonly RatedAccount[]): void {
    for (const { subscriptionId, reason, error } of rated.flatMap(({ failures }) => failures)) {
      if (reason === 'internal_error')
        this.log.error({ tenantId, subscriptionId, error }, 'a subscription could not be rated');
    }
  }
}

/** What trying again would not change, unlike a lost connection or lease. */
const isFault = (error: unknown): boolean =>
  error instanceof DomainError ||
  error instanceof InvariantError ||
  error instanceof RangeError ||
  error instanceof TypeError;
