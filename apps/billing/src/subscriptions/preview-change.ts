import { dayOf, notFound } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import { changeItem } from '../domain/subscriptions/change-item.js';
import { lockAgreement } from './agreement.js';
import type { ChangeTiming } from '../domain/subscriptions/change-direction.js';
import { pricePlanFor } from './references.js';
import { type WantedChange, wantedTerms } from './wanted-change.js';
import type { Measured } from '../domain/metering/metered.js';
import { MeasuredPreview, type PreviewAttempt } from '../preview/measured-preview.js';
import type { PreviewJson } from '../preview/preview-json.js';
import { FOR_EVER, LONG_AGO, RatePreview, withoutEffect } from '../preview/rate-preview.js';

export interface ChangePreviewJson {
  timing: ChangeTiming;
  /** First day of the new price, `YYYY-MM-DD` in the customer's zone. */
  effectiveOn: string | null;
  invoice: PreviewJson;
}

const CHANGED = [
  'pricePlanId',
  'quantity',
  'nextPricePlanId',
  'nextQuantity',
  'nextFrom',
  'quantitySteps',
  'creditFrom',
  'creditDueOn',
] as const;

/**
 * What a change of an item would bill: at once its credit and the rest of the period at the new price, else the first
 * lines at the new price. Nothing is stored.
 */
@Injectable()
export class PreviewChange {
  constructor(
    private readonly replicas: Replicas,
    private readonly previews: RatePreview,
    private readonly measured: MeasuredPreview,
  ) {}

  /** @throws DomainError `not_found`, `unknown_reference`, and what the change itself would refuse */
  execute(tenantId: string, itemId: string, wanted: WantedChange): Promise<ChangePreviewJson> {
    return this.measured.execute(tenantId, (tx, measured) => this.attempt(tx, itemId, wanted, measured));
  }

  private async attempt(
    tx: TenantTx,
    itemId: string,
    wanted: WantedChange,
    measured: Measured,
  ): Promise<PreviewAttempt<ChangePreviewJson>> {
    const known = await tables.subscriptionItems.get(tx, itemId);
    if (!known) throw notFound('Subscription item');
    if (wanted.pricePlan) await pricePlanFor(tx, known.customerId, wanted.pricePlan, 'pricePlan');
    const loaded = await lockAgreement(
      tx,
      this.replicas,
      known.subscriptionId,
      wanted.pricePlan ? [wanted.pricePlan] : [],
    );
    const { agreement, prices, zones } = loaded;
    const item = agreement.items.find(({ id }) => id === itemId) ?? known;
    const terms = await wantedTerms(tx, loaded, item, wanted);
    const { timing } = terms;
    const after = changeItem(item, agreement.subscription, prices.priceOf(item.pricePlanId), {
      ...terms,
      now: tx.now,
      zone: zones.customer,
    });
    const today = dayOf(tx.now, zones.customer);
    const { invoice, requests } = await withoutEffect(tx, async () => {
      await tables.subscriptionItems.update(tx, after, CHANGED);
      const { rating, account } = await this.previews.load(tx, agreement.subscription);
      const scope = { itemIds: [itemId], subscriptionId: agreement.subscription.id, measured };
      const next =
        this.previews.rate(account, rating, { ...scope, until: LONG_AGO }).items.find(({ id }) => id === itemId)
          ?.nextDueOn ?? FOR_EVER;
      const until =
        after.nextFrom !== null && after.nextFrom > today
          ? after.nextFrom
          : next > today && next !== FOR_EVER
            ? next
            : today;
      const { charges, requests } = this.previews.rate(account, rating, { ...scope, until });
      const shown =
        after.nextFrom !== null && after.nextFrom > today
          ? charges.filter(({ charge }) => charge.dueOn === after.nextFrom)
          : charges;
      return { invoice: await this.previews.invoice(tx, account, rating, shown), requests };
    });
    return { shown: { timing, effectiveOn: after.nextFrom ?? after.startOn, invoice }, requests };
  }
}
