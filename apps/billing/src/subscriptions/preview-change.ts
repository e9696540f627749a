import { notFound } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import { changeItem, effectiveDay } from '../domain/subscriptions/change-item.js';
import { type Known, MeasuredPreview, type PreviewAttempt } from '../preview/measured-preview.js';
import type { ChangePreviewJson } from './subscription.schema.js';
import { lockAgreement } from './agreement.js';
import { PreviewAgreement } from './preview-agreement.js';
import { pricePlanFor } from './references.js';
import { type WantedChange, wantedTerms } from './wanted-change.js';

/** What a change of an item would bill. Nothing is stored. */
@Injectable()
export class PreviewChange {
  constructor(
    private readonly replicas: Replicas,
    private readonly previews: PreviewAgreement,
    private readonly measured: MeasuredPreview,
  ) {}

  /** @throws DomainError `not_found`, `unknown_reference`, and what the change itself would refuse */
  execute(tenantId: string, itemId: string, wanted: WantedChange): Promise<ChangePreviewJson> {
    return this.measured.execute(tenantId, (tx, known) => this.attempt(tx, itemId, wanted, known));
  }

  private async attempt(
    tx: TenantTx,
    itemId: string,
    wanted: WantedChange,
    known: Known,
  ): Promise<PreviewAttempt<ChangePreviewJson>> {
    const stored = await tables.subscriptionItems.get(tx, itemId);
    if (!stored) throw notFound('Subscription item');
    if (wanted.pricePlan) await pricePlanFor(tx, stored.customerId, wanted.pricePlan, 'pricePlan');
    const loaded = await lockAgreement(
      tx,
      this.replicas,
      stored.subscriptionId,
      wanted.pricePlan ? [wanted.pricePlan] : [],
    );
    const { agreement, prices, zones, group } = loaded;
    const item = agreement.items.find(({ id }) => id === itemId) ?? stored;
    const terms = await wantedTerms(tx, loaded, item, wanted);
    const zone = zones.customer;
    const price = prices.priceOf(item.pricePlanId);
    const change = { ...terms, now: tx.now, zone, group };
    const after = changeItem(item, agreement.subscription, prices.priceOf, change);
    const from = effectiveDay(item, price, change);
    const { invoice, requests } = await this.previews.execute(tx, {
      after: { subscription: agreement.subscription, items: [after] },
      itemIds: [itemId],
      from,
      zone,
      known,
    });
    return { shown: { timing: terms.timing, effectiveOn: from ?? after.startOn, invoice }, requests };
  }
}
