import type { TenantTx } from '@kontor/persistence';
import { ancestorsOf, levelsBelow } from '../customers/set-parent.js';
import type { CustomerRow } from '../db/customer.row.js';
import * as tables from '../db/tables.js';
import { refusesParent } from '../domain/customers/hierarchy.js';

/** What a customer was before it was merged. */
export type FormerPlace = Pick<CustomerRow, 'status' | 'parentCustomerId' | 'invoicesTo' | 'customerGroupId'>;

/** Keeps it with the merge. */
export async function noteFormer(
  tx: TenantTx,
  mergeId: string,
  { status, parentCustomerId, invoicesTo, customerGroupId }: FormerPlace,
): Promise<void> {
  const former: FormerPlace = { status, parentCustomerId, invoicesTo, customerGroupId };
  await tx.query('UPDATE customer_merge SET former = $3 WHERE tenant_id = $1 AND merge_id = $2', [
    tx.tenantId,
    mergeId,
    JSON.stringify(former),
  ]);
}

/** What of it still exists: a group that is in use, a parent under which the customer may be. */
export async function formerPlace(tx: TenantTx, customer: CustomerRow, former: FormerPlace): Promise<FormerPlace> {
  const group =
    former.customerGroupId === null ? undefined : await tables.customerGroups.get(tx, former.customerGroupId);
  const place = { ...former, customerGroupId: group?.status === 'active' ? group.id : null };
  const alone = { ...place, parentCustomerId: null, invoicesTo: 'self' as const };
  if (former.parentCustomerId === null) return alone;
  const parent = await tables.customers.get(tx, former.parentCustomerId, { lock: 'share' });
  if (!parent || parent.status === 'STATUS_ARCHIVED') return alone;
  const problem = refusesParent(customer.id, {
    ancestors: await ancestorsOf(tx, parent.id),
    childLevels: await levelsBelow(tx, customer.id),
  });
  if (problem) return alone;
  return { ...place, invoicesTo: parent.currencyCode === customer.currencyCode ? place.invoicesTo : 'self' };
}
