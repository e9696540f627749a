import { validationFailed } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import * as tables from '../db/tables.js';
import type { PlanRow } from '../db/catalogue.row.js';
import type { SubscriptionItemRow } from '../db/subscription-item.row.js';
import { type ChangeTiming, refuseDirection } from '../domain/subscriptions/change-direction.js';
import type { LoadedAgreement } from './agreement.js';

export interface WantedChange {
  readonly pricePlan?: string | null;
  readonly quantity?: string | null;
  readonly timing?: ChangeTiming | null;
}

export interface ItemTerms {
  readonly pricePlanId: string;
  readonly quantity: string;
  readonly timing: ChangeTiming;
}

/** The plan that a subscription was made from. */
export const planOf = (tx: TenantTx, { agreement }: LoadedAgreement): Promise<PlanRow | null> => {
  const { planId } = agreement.subscription;
  return planId === null ? Promise.resolve(null) : tables.plans.get(tx, planId);
};

export const timingOf = (plan: PlanRow | null): ChangeTiming => plan?.changeApplyBehaviour ?? 'end_of_period';

/**
 * What an item is to become and when: something else, in its currency and as its plan allows.
 * @throws DomainError `validation_failed`, `change_not_allowed`
 */
export async function wantedTerms(
  tx: TenantTx,
  loaded: LoadedAgreement,
  item: SubscriptionItemRow,
  wanted: WantedChange,
): Promise<ItemTerms> {
  if (!wanted.pricePlan && !wanted.quantity)
    throw validationFailed('pricePlan', 'pricePlan or quantity is required.', 'required');
  const before = { price: loaded.prices.priceOf(item.pricePlanId), quantity: item.quantity };
  const after = {
    price: wanted.pricePlan ? loaded.prices.priceOf(wanted.pricePlan) : before.price,
    quantity: wanted.quantity ?? item.quantity,
  };
  if (after.price.currencyCode !== before.price.currencyCode) {
    const message = 'pricePlan must have the currency of the present price plan.';
    throw validationFailed('pricePlan', message, 'currency_mismatch');
  }
  const plan = await planOf(tx, loaded);
  if (plan !== null && item.type === 'plan') refuseDirection(plan.changeBehaviour, before, after);
  return { pricePlanId: after.price.id, quantity: after.quantity, timing: wanted.timing ?? timingOf(plan) };
}
