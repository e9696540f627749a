import type { PaymentMethodState } from '@kontor/contracts';
import { DomainError, unknownReference, validationFailed } from '@kontor/kernel';
import type { Replicas, TenantTx } from '@kontor/persistence';
import * as tables from '../db/tables.js';
import type { CustomerRow } from '../db/customer.row.js';
import type { BillingGroupRow, PricePlanRow } from '../db/catalogue.row.js';

/** A customer that can have subscriptions. @throws DomainError `unknown_reference`, `customer_archived` */
export function mustTakeSubscriptions(customer: CustomerRow | undefined): CustomerRow {
  if (!customer) throw unknownReference('customer');
  if (customer.status === 'STATUS_ARCHIVED')
    throw new DomainError('customer_archived', { detail: 'An archived customer gets no new subscriptions.' });
  if (customer.status === 'STATUS_SUSPENDED')
    throw new DomainError('customer_suspended', { detail: 'A suspended customer gets no new subscriptions.' });
  return customer;
}

/**
 * @throws DomainError `unknown_reference` unless the method is this customer's; `validation_failed` when it cannot be
 * used.
 */
export async function paymentMethodFor(
  tx: TenantTx,
  replicas: Replicas,
  customerId: string,
  id: string | null | undefined,
  property: string,
): Promise<string | null> {
  if (!id) return null;
  const method = await replicas.get<PaymentMethodState>(tx, 'payment_method', id);
  if (method?.customerId !== customerId) throw unknownReference(property, 'payment method');
  if (method.status === 'revoked' || method.status === 'expired')
    throw validationFailed(property, `The payment method is ${method.status}.`, 'not_usable');
  return id;
}

/** @throws DomainError `unknown_reference` unless the address is this customer's and active. */
export async function addressFor(
  tx: TenantTx,
  customerId: string,
  id: string | null | undefined,
): Promise<string | null> {
  if (!id) return null;
  const there = await tables.customerAddresses.exists(tx, { id, customerId, status: 'active' });
  if (!there) throw unknownReference('invoiceAddress', 'address');
  return id;
}

/** Another customer, named by its id. @throws DomainError `unknown_reference` */
export async function partnerFor(tx: TenantTx, id: string | null | undefined): Promise<string | null> {
  if (!id) return null;
  const customer = await tables.customers.get(tx, id);
  if (!customer) throw unknownReference('partner', 'customer');
  return customer.id;
}

/** @throws DomainError `unknown_reference` unless the group is active and open to this customer. */
export async function billingGroupFor(
  tx: TenantTx,
  customerId: string,
  id: string | null | undefined,
): Promise<BillingGroupRow | null> {
  if (!id) return null;
  const group = await tables.billingGroups.findOne(tx, { id, status: 'active' });
  if (!group || (group.customerId !== null && group.customerId !== customerId))
    throw unknownReference('billingGroup', 'billing group');
  return group;
}

/**
 * A price plan that this customer can buy, locked against changes meanwhile.
 * @throws DomainError `unknown_reference`
 */
export const pricePlanFor = async (
  tx: TenantTx,
  customerId: string,
  id: string,
  property: string,
  sold: Sold = 'active',
): Promise<PricePlanRow> => planOn(await lockPricePlans(tx, [id], sold), customerId, id, property);

/** Which prices and plans can be had: those on sale, or also archived ones, that an offer has promised. */
export type Sold = 'active' | 'promised';

/** Price plans by id that can be had, locked against changes meanwhile; others are missing. */
export async function lockPricePlans(
  tx: TenantTx,
  ids: readonly string[],
  sold: Sold = 'active',
): Promise<Map<string, PricePlanRow>> {
  if (ids.length === 0) return new Map();
  const wanted = { id: [...new Set(ids)], ...(sold === 'active' && { status: 'active' as const }) };
  const plans = await tables.pricePlans.find(tx, wanted, { orderBy: { id: 'asc' }, lock: 'share' });
  return new Map(plans.map((plan) => [plan.id, plan]));
}

/** {@link pricePlanFor} of plans that are locked. @throws DomainError `unknown_reference` */
export function planOn(
  plans: ReadonlyMap<string, PricePlanRow>,
  customerId: string,
  id: string,
  property: string,
): PricePlanRow {
  const plan = plans.get(id.toLowerCase());
  if (!plan || !isFor(plan, customerId)) throw unknownReference(property, 'price plan');
  return plan;
}

/** Whether a price plan is for this customer: everybody's, or its own. */
export const isFor = (plan: Pick<PricePlanRow, 'customerId'>, customerId: string): boolean =>
  plan.customerId === null || plan.customerId === customerId;
