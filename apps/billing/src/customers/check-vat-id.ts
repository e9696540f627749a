import { isViesCountry } from '@kontor/kernel';
import { cancelDue, scheduleDueMany, type TenantTx } from '@kontor/persistence';
import type { CustomerRow } from '../db/customer.row.js';
import { sandboxVatIdStatus, vatIdStatusBeforeCheck } from '../domain/customers/vat-id.js';
import type { CustomerNotice } from './customer-aggregate.js';

/** Due work: check with VIES the VAT id of the customer that `ref` names. */
export const VAT_CHECK = 'billing.vat-check';

/**
 * Sets the status of a VAT id that was just entered, changed or removed; true when it is to be checked. A sandbox knows at once;
 * live, well-formed ids of the Union are `unchecked` until VIES has answered, outside of this transaction.
 */
export function enterVatId(customer: CustomerRow, mode: 'live' | 'sandbox', now: Date): boolean {
  const { vatId } = customer;
  customer.vatIdStatus = mode === 'sandbox' ? sandboxVatIdStatus(vatId) : vatIdStatusBeforeCheck(vatId);
  customer.vatIdValidatedAt = customer.vatIdStatus === 'valid' ? now : null;
  return mode === 'live' && vatId !== null && customer.vatIdStatus === 'unchecked' && isViesCountry(vatId);
}

/** {@link enterVatId} on a customer that may have had another one, with what follows from it. */
export async function startVatCheck(
  tx: TenantTx,
  customer: CustomerRow,
  mode: 'live' | 'sandbox',
): Promise<CustomerNotice[]> {
  const isToBeChecked = enterVatId(customer, mode, tx.now);
  if (isToBeChecked) await scheduleVatChecks(tx, [customer]);
  else if (mode === 'live') await cancelDue(tx, VAT_CHECK, customer.id);
  return vatNotices(customer);
}

export const scheduleVatChecks = (tx: TenantTx, customers: readonly CustomerRow[]): Promise<void> =>
  scheduleDueMany(
    tx,
    customers.map(({ id }) => ({ kind: VAT_CHECK, ref: id, dueAt: tx.now })),
  );

/** The entry about a decided check; nothing while it is open. */
export const vatNotices = ({ vatId, vatIdStatus }: CustomerRow): CustomerNotice[] => {
  if (vatIdStatus === 'valid') return [{ type: 'customer.vat_id.validated', metadata: { vatId } }];
  return vatIdStatus === 'invalid' ? [{ type: 'customer.vat_id.invalidated', metadata: { vatId } }] : [];
};
