import { type Day, dayOf, startOfDay } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import { groupingKeyOf } from '../domain/charging/group-charges.js';
import type { Account, RatingContext } from '../domain/charging/rating-context.js';
import { correctionDay } from '../domain/charging/rate-corrections.js';
import type { RatingScope } from '../domain/charging/rated-account.js';
import { activate } from '../domain/subscriptions/activate.js';
import { takeEffect } from '../domain/subscriptions/cancel.js';
import { isCancellationPending } from '../domain/subscriptions/subscription.js';
import { type LoadedAgreement, lockAgreement } from './agreement.js';
import { type Known, MeasuredPreview, type PreviewAttempt } from '../preview/measured-preview.js';
import type { InvoicePreviewJson } from '../preview/preview.schema.js';
import { LONG_AGO, RatePreview } from '../preview/rate-preview.js';
import { withoutEffect } from '../db/without-effect.js';

/** What rating looks at. */
export interface RatedAgreement {
  readonly rating: RatingContext;
  readonly account: Account;
}

const STARTED = ['status', 'activatedAt', 'startOn', 'anchorOn'] as const;

/**
 * The next invoice of a subscription, without side effects; a draft is looked at as if it were activated now, and what is paused until it
 * ends as if it had ended: nothing is billed before.
 */
@Injectable()
export class PreviewInvoice {
  constructor(
    private readonly replicas: Replicas,
    private readonly previews: RatePreview,
    private readonly measured: MeasuredPreview,
  ) {}

  /** @throws DomainError `not_found`, 503 `usage_unavailable`, `invoicing_unavailable` */
  execute(tenantId: string, id: string): Promise<InvoicePreviewJson> {
    return this.measured.execute(tenantId, (tx, known) => this.attempt(tx, id, known));
  }

  /** {@link execute} with what is known so far, in a transaction that goes on. */
  async attempt(tx: TenantTx, id: string, known: Known): Promise<PreviewAttempt<InvoicePreviewJson>> {
    const { shown, requests } = await this.look(tx, id, { known, more: () => Promise.resolve({}) });
    return { shown, requests };
  }

  /** {@link attempt}, with what else is to be seen of the subscription as if it were active; nothing of it stays. */
  async look<T extends object>(
    tx: TenantTx,
    id: string,
    { known, more }: { readonly known: Known; readonly more: (rated: RatedAgreement) => Promise<T> },
  ): Promise<PreviewAttempt<InvoicePreviewJson> & T> {
    const loaded = await lockAgreement(tx, this.replicas, id);
    const { subscription } = loaded.agreement;
    const { invoice, requests, seen } = await withoutEffect(tx, async () => {
      await this.startDraft(tx, loaded);
      const endsOn = await this.endPause(tx, loaded);
      const rated = await this.previews.load(tx, subscription);
      const { rating, account } = rated;
      const { charges, requests } = this.nextCharges(account, rating, {
        subscriptionId: id,
        measured: known.measured,
        corrections: true,
      });
      const priced = await this.previews.invoice(tx, { account, rating, charges }, known.billed);
      const invoice = endsOn === null ? priced.invoice : notBefore(priced.invoice, endsOn, account.zone);
      return { invoice, requests: [...requests, ...priced.requests], seen: await more(rated) };
    });
    return { shown: { subscription: { id, number: subscription.number }, ...invoice }, requests, ...seen };
  }

  private async startDraft(tx: TenantTx, { agreement, prices, zones, group }: LoadedAgreement): Promise<void> {
    if (agreement.subscription.status !== 'draft' && agreement.subscription.status !== 'offer') return;
    const started = activate(agreement, prices.priceOf, {
      now: tx.now,
      zone: zones.customer,
      trialDays: null,
      billingStart: null,
      group,
    });
    await tables.subscriptions.update(tx, started.subscription, ['status', 'billingStart', 'trialEndsOn', 'anchorOn']);
    await tables.subscriptionItems.update(tx, started.items, STARTED);
  }

  /** The day on which a paused subscription ends; null for all others. */
  private async endPause(tx: TenantTx, { agreement, zones }: LoadedAgreement): Promise<Day | null> {
    const { status, cancellationDate } = agreement.subscription;
    if (status !== 'paused' || !isCancellationPending(agreement.subscription) || cancellationDate === null) return null;
    const ended = takeEffect(agreement);
    await tables.subscriptions.update(tx, ended.subscription, ['status', 'endsOn', 'pauses']);
    await tables.subscriptionItems.update(tx, ended.items, ['status']);
    return dayOf(cancellationDate, zones.customer);
  }

  /** The lines of the earliest day on which something falls due, as far as they are on one invoice. */
  private nextCharges(
    account: Account,
    rating: RatingContext,
    scope: Omit<RatingScope, 'until'>,
  ): Pick<ReturnType<RatePreview['rate']>, 'charges' | 'requests'> {
    const corrections = account.corrections.filter(({ subscriptionId }) => subscriptionId === scope.subscriptionId);
    let until: Day | null = LONG_AGO;
    // A visit without lines (a change that waits for its day) leads on to the next day.
    for (let visits = VISITS + waitingChanges(account, scope); visits > 0 && until !== null; visits--) {
      const { charges, items, requests } = this.previews.rate(account, rating, { ...scope, until });
      const [first] = [...charges].sort((a, b) => (a.charge.dueOn < b.charge.dueOn ? -1 : 1));
      if (first) {
        const key = groupingKeyOf(first.route);
        return {
          requests,
          charges: charges.filter(
            ({ charge, route }) => charge.dueOn === first.charge.dueOn && groupingKeyOf(route) === key,
          ),
        };
      }
      until =
        [...items.map((item) => item.nextDueOn), ...corrections.map(correctionDay)]
          .filter((day): day is Day => day !== null)
          .sort()[0] ?? null;
    }
    return { charges: [], requests: [] };
  }
}

/** Days without lines that no change brings. */
const VISITS = 5;

/** How many changes of prices and quantities wait for their days. */
const waitingChanges = ({ subscriptions }: Account, { subscriptionId }: Omit<RatingScope, 'until'>): number =>
  subscriptions
    .filter(({ subscription }) => subscription.id === subscriptionId)
    .flatMap(({ items }) => items)
    .reduce(
      (n, { plannedChanges, quantitySteps }) => n + (plannedChanges ?? []).length + (quantitySteps ?? []).length,
      0,
    );

/** Billed on a day, whatever had fallen due before. */
function notBefore<P extends { readonly billingDate: string | null }>(preview: P, day: Day, zone: string): P {
  const billingDate = startOfDay(day, zone).toISOString();
  return preview.billingDate === null || preview.billingDate > billingDate ? preview : { ...preview, billingDate };
}
