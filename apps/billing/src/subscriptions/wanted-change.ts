import { DomainError, newUuid, validationFailed } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import * as tables from '../db/tables.js';
import type { PlanRow } from '../db/catalogue.row.js';
import type { SubscriptionItemRow } from '../db/subscription-item.row.js';
import type { ChangeCredit } from '../domain/subscriptions/planned-change.js';
import type { ItemChange } from '../domain/subscriptions/change-item.js';
import { type ChangeTiming, refuseDirection } from '../domain/subscriptions/change-direction.js';
import type { LoadedAgreement } from './agreement.js';

/** When a change is made, and what goes back of what is paid. */
export interface WantedTiming {
  readonly timing?: ChangeTiming | null;
  readonly changeDate?: string | null;
  readonly credit?: ChangeCredit | null;
}

export interface WantedChange extends WantedTiming {
  readonly pricePlan?: string | null;
  readonly quantity?: string | null;
}

type Terms = Omit<ItemChange, 'now' | 'zone' | 'group'>;

/** The plan that a subscription was made from. */
export const planOf = (tx: TenantTx, { agreement }: LoadedAgreement): Promise<PlanRow | null> => {
  const { planId } = agreement.subscription;
  return planId === null ? Promise.resolve(null) : tables.plans.get(tx, planId);
};

export const timingOf = (plan: PlanRow | null): ChangeTiming => plan?.changeApplyBehaviour ?? 'end_of_period';

/** A date alone means `custom`. @throws DomainError `validation_failed` for a date that the timing does not take */
export function termsOfTiming(
  { timing, changeDate, credit }: WantedTiming,
  plan: PlanRow | null,
): Pick<Terms, 'timing' | 'changeDate' | 'credit'> {
  if (changeDate && timing && timing !== 'custom')
    throw validationFailed('changeDate', 'changeDate is allowed for the timing custom only.', 'not_allowed');
  return {
    timing: timing ?? (changeDate ? 'custom' : timingOf(plan)),
    changeDate: changeDate ? new Date(changeDate) : null,
    credit: credit ?? 'pro_rata',
  };
}

/**
 * What an item is to become and when: something else, in its currency and as its plan allows.
 * @throws DomainError `validation_failed`, `change_not_allowed`, `plan_change_pending`
 */
export async function wantedTerms(
  tx: TenantTx,
  loaded: LoadedAgreement,
  item: SubscriptionItemRow,
  wanted: WantedChange,
): Promise<Terms> {
  if (!wanted.pricePlan && !wanted.quantity)
    throw validationFailed('pricePlan', 'pricePlan or quantity is required.', 'required');
  if (wanted.pricePlan && item.type === 'plan' && loaded.agreement.subscription.planChange)
    throw new DomainError('plan_change_pending', {
      detail: 'A change of the whole plan waits for its day; revoke it before its items get other prices.',
    });
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
  return {
    id: newUuid(),
    kind: 'change',
    pricePlanId: wanted.pricePlan ? after.price.id : null,
    quantity: wanted.quantity ?? null,
    ...termsOfTiming(wanted, plan),
  };
}
