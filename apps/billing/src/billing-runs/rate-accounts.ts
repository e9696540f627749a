import type { DueBatch } from '@kontor/persistence';
import { LoopTurn } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { billingHorizon } from '../domain/charging/billing-horizon.js';
import { deferAccount, isUsageUnavailable, postponed } from '../domain/charging/defer-account.js';
import { rateAccount } from '../domain/charging/rate-account.js';
import { costOf, PORTION_OF_BATCH } from '../domain/charging/portion.js';
import type { RatedAccount } from '../domain/charging/rated-account.js';
import type { Account, RatingContext } from '../domain/charging/rating-context.js';
import type { Measured, QuantityRequest } from '../domain/metering/metered.js';
import { MeteredSources } from '../metering/metered-sources.js';

/**
 * Rates the accounts of a batch, outside of any transaction. What must be measured is requested by one call for all of
 * them; an account whose usage is not available now is deferred as a whole, with all that share its invoices, so that their
 * lines stay on one. Of an account that is far behind a portion is rated, and accounts that are more than a batch can take
 * wait for the next.
 */
@Injectable()
export class RateAccounts {
  constructor(private readonly sources: MeteredSources) {}

  async execute(
    { tenantId, now }: Pick<DueBatch, 'tenantId' | 'now'>,
    context: RatingContext,
  ): Promise<RatedAccount[]> {
    const until = billingHorizon(context);
    const rate = (account: Account, measured?: Measured): RatedAccount =>
      rateAccount(account, context, { until: until(account), corrections: true, measured, inPortions: true });
    const rated = await this.rateFirst(context.accounts, rate);
    const requests = rated.flatMap((account) => account.requests);
    if (requests.length === 0) return rated;
    const measured = await this.sources.measure(tenantId, requests, { now, freeze: true });
    const late = (account: RatedAccount): QuantityRequest[] =>
      account.requests.filter((request) => isUsageUnavailable(measured, request));
    const deferred = new Set(rated.filter((account) => late(account).length > 0).map(({ account }) => account.payerId));
    return rated.map((account) => {
      if (deferred.has(account.account.payerId)) return deferAccount(account, late(account), measured);
      return account.requests.length === 0 ? account : rate(account.account, measured);
    });
  }

  /** Accounts that share invoices are rated together, or wait together. */
  private async rateFirst(
    accounts: readonly Account[],
    rate: (account: Account) => RatedAccount,
  ): Promise<RatedAccount[]> {
    const turn = new LoopTurn();
    const begun = new Set<string>();
    const rated: RatedAccount[] = [];
    let cost = 0;
    for (const account of accounts) {
      if (cost >= PORTION_OF_BATCH && !begun.has(account.payerId)) {
        rated.push(postponed(account));
        continue;
      }
      begun.add(account.payerId);
      const result = rate(account);
      cost += costOf(result);
      rated.push(result);
      if (turn.isOver) await turn.pass();
    }
    return rated;
  }
}
