import type { OfferTerms } from '@kontor/contracts';
import { dayOf, startOfDay } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import type { OfferedSaleRow } from '../db/offered-sale.row.js';
import type { SubscriptionItemRow } from '../db/subscription-item.row.js';
import type { SubscriptionRow } from '../db/subscription.row.js';
import * as tables from '../db/tables.js';
import { itemsOf, type LoadedAgreement } from '../subscriptions/agreement.js';
import { ChangeAgreement, type Changed } from '../subscriptions/change-agreement.js';
import { CreateSubscription, type CreatedWithin } from '../subscriptions/create-subscription.js';
import { newItems } from '../subscriptions/new-items.js';
import type { Sold } from '../subscriptions/references.js';
import { SaveAgreement } from '../subscriptions/save-agreement.js';

/** Subscriptions that wait for the acceptance of an offer: made for it, or named by it. */
@Injectable()
export class OfferedSubscription {
  constructor(
    private readonly create: CreateSubscription,
    private readonly change: ChangeAgreement,
    private readonly save: SaveAgreement,
  ) {}

  /** The subscription as the offer says, in status `offer`, however often it is asked; null: it offers none. */
  async prepare(tx: TenantTx, id: string, terms: OfferTerms, sold: Sold): Promise<string | null> {
    const known = await tables.offeredSales.get(tx, id, { lock: 'update' });
    const isNew = terms.dealType === 'new_business';
    const isOwn = isNew && terms.subscriptionId === null && (terms.plan !== null || terms.items.length > 0);
    const named = isNew ? terms.subscriptionId : null;
    if (known?.subscriptionId) {
      if (known.isOwn && isOwn && (await this.refit(tx, known.subscriptionId, terms, sold)))
        return known.subscriptionId;
      if (known.isOwn || known.subscriptionId !== named) await this.release(tx, known);
    }
    const subscriptionId = isOwn ? await this.make(tx, terms, { sold }) : named;
    if (subscriptionId !== null) await this.wait(tx, subscriptionId);
    await tables.offeredSales.save(tx, { id, subscriptionId, isOwn, updatedAt: tx.now });
    return subscriptionId;
  }

  /** A new draft. */
  async make(tx: TenantTx, terms: OfferTerms, how: CreatedWithin): Promise<string> {
    const { timeZone } = await tables.customers.findOneOrFail(tx, { id: terms.customerId });
    const begins = beginOf(tx, terms, timeZone);
    const { id } = await this.create.within(
      tx,
      {
        customer: terms.customerId,
        plan: terms.plan,
        items: terms.items.map(({ pricePlan, quantity, name, description }) => ({
          pricePlan,
          quantity,
          name,
          description,
        })),
        name: terms.name,
        trialDays: terms.trialDays,
        billingStart: begins?.toISOString() ?? null,
        ...(terms.period && { period: terms.period }),
      },
      how,
    );
    return id;
  }

  /** It waits no longer: one that was made for the offer vanishes, another is a draft again. One that began meanwhile stays. */
  async release(tx: TenantTx, { subscriptionId, isOwn }: OfferedSaleRow): Promise<void> {
    const subscription = subscriptionId && (await tables.subscriptions.get(tx, subscriptionId, { lock: 'update' }));
    if (!subscription || subscription.status !== 'offer') return;
    if (isOwn) await this.save.remove(tx, subscription);
    else await this.becomeDraft(tx, subscription.id);
  }

  /** Accepted, and begun by hand later. */
  async becomeDraft(tx: TenantTx, id: string): Promise<void> {
    await this.change.execute(tx, id, ({ agreement: { subscription, items } }) => ({
      agreement: { subscription: { ...subscription, status: 'draft' }, items },
      notices: [{ type: 'subscription.updated' }],
    }));
  }

  private async wait(tx: TenantTx, id: string): Promise<void> {
    const known = await tables.subscriptions.get(tx, id);
    if (known?.status !== 'draft') return;
    await this.change.execute(tx, id, ({ agreement: { subscription, items } }) => ({
      agreement: { subscription: { ...subscription, status: 'offer' }, items },
      notices: [{ type: 'subscription.offer.created' }],
    }));
  }

  /** Other items and dates for one that was made before; false: it has to be made again. */
  private async refit(tx: TenantTx, id: string, terms: OfferTerms, sold: Sold): Promise<boolean> {
    const known = await tables.subscriptions.get(tx, id);
    if (known?.status !== 'offer' || known.customerId !== terms.customerId || known.planId !== terms.plan) return false;
    const items = await itemsOf(tx, id);
    const kept = items.filter(({ type }) => type === 'plan');
    const former = items.filter(({ type }) => type !== 'plan');
    const isKept = isSame(former, terms);
    const kind = { type: terms.plan === null ? 'product' : 'addon', firstRanking: kept.length } as const;
    const others = isKept ? former : await newItems(tx, known, terms.items, kind, sold);
    const change = ({ agreement: { subscription }, zones }: LoadedAgreement): Changed => ({
      agreement: {
        subscription: { ...subscription, ...fieldsOf(tx, subscription, terms, zones.customer) },
        items: [...kept, ...others],
      },
      notices: isKept ? [] : [{ type: 'subscription.updated' }],
    });
    if (!isKept && former.length > 0) await tables.subscriptionItems.delete(tx, { id: former.map((item) => item.id) });
    await this.change.execute(
      tx,
      id,
      change,
      others.map(({ pricePlanId }) => pricePlanId),
    );
    return true;
  }
}

/** Where it begins on a later day; null: with its acceptance. */
const beginOf = (tx: TenantTx, { startsOn }: OfferTerms, zone: string): Date | null =>
  startsOn !== null && startsOn > dayOf(tx.now, zone) ? startOfDay(startsOn, zone) : null;

const fieldsOf = (tx: TenantTx, known: SubscriptionRow, terms: OfferTerms, zone: string): Partial<SubscriptionRow> => ({
  name: terms.name,
  trialDays: terms.trialDays,
  billingStart: beginOf(tx, terms, zone),
  contractPeriodCount: terms.period?.contractPeriodCount ?? known.contractPeriodCount,
  contractPeriod: terms.period?.contractPeriod ?? known.contractPeriod,
  cancellationPeriod: terms.period ? terms.period.cancellationPeriod : known.cancellationPeriod,
});

const isSame = (items: readonly SubscriptionItemRow[], terms: OfferTerms): boolean =>
  JSON.stringify(
    items.map(({ pricePlanId, quantity, name, description }) => [pricePlanId, quantity, name, description]),
  ) ===
  JSON.stringify(
    terms.items.map(({ pricePlan, quantity, name, description }) => [pricePlan, quantity, name, description]),
  );
