import type { TenantTx } from '@kontor/persistence';
import { MAX_OF_EACH } from '../contacts/write-contacts.js';
import { wasMetered } from '../customers/metered-account.js';
import { ancestorsOf, levelsBelow } from '../customers/set-parent.js';
import { MAX_ADDRESSES } from '../customers/write-address.js';
import type { CustomerRow } from '../db/customer.row.js';
import { MAX_LEVELS } from '../domain/customers/hierarchy.js';
import type { MergedParty, MergeLimits } from '../domain/customers/merge-conflicts.js';

export const MERGE_LIMITS: MergeLimits = { levels: MAX_LEVELS, contacts: MAX_OF_EACH, addresses: MAX_ADDRESSES };

type Facts = Pick<MergedParty, 'persons' | 'emails' | 'addresses' | 'hasSubscriptions' | 'isBeingBilled' | 'metrics'>;

const of = (table: string): string => `FROM ${table} x WHERE x.tenant_id = $1 AND x.customer_id = $2`;

/** What decides whether a customer can be merged. */
export async function readParty(tx: TenantTx, customer: CustomerRow): Promise<MergedParty> {
  const [facts] = await tx.query<Facts>(
    `SELECT
       (SELECT count(*)::int ${of('contact_person')}) AS persons,
       (SELECT count(*)::int ${of('customer_email_address')}) AS emails,
       (SELECT count(*)::int ${of('customer_address')}) AS addresses,
       EXISTS (SELECT ${of('subscription')} AND x.status <> 'terminated') AS "hasSubscriptions",
       EXISTS (SELECT ${of('charge_batch')} AND x.settled_at IS NULL)
         OR EXISTS (SELECT ${of('billing_account')} AND x.requested_run_id IS NOT NULL) AS "isBeingBilled",
       coalesce((
         SELECT jsonb_agg(DISTINCT p.usage_metric_id)
         FROM price_plan p
         WHERE p.tenant_id = $1 AND p.usage_metric_id IS NOT NULL AND p.id IN (
           SELECT x.price_plan_id ${of('subscription_item')} AND x.status <> 'terminated'
           UNION
           SELECT c.price_plan_id
           FROM subscription_item i
           JOIN charge c ON c.tenant_id = i.tenant_id AND c.item_id = i.id
           WHERE i.tenant_id = $1 AND i.customer_id = $2)
       ), '[]') AS metrics`,
    [tx.tenantId, customer.id],
  );
  return {
    ...(facts as Facts),
    id: customer.id,
    isMetered: await wasMetered(tx, customer.id),
    status: customer.status,
    currencyCode: customer.currencyCode,
    timeZone: customer.timeZone,
    mergedIntoCustomerId: customer.mergedIntoCustomerId,
    isAnonymized: customer.anonymizedAt !== null,
    ancestors: await ancestorsOf(tx, customer.id),
    levels: await levelsBelow(tx, customer.id),
  };
}
