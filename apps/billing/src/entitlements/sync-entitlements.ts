import { newUuid } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { keepFeatures, lockEntitlements, lockEntitlementsOf } from './lock-entitlements.js';
import { entitlementsByIds, entitlementsOfCustomer, entitlementsOfSubscriptions } from './entitlement.read.js';
import { saveEntitlements } from './publish-entitlements.js';
import { type KnownEntitlement, statusOf } from './represent-entitlement.js';

/** What the products and prices of the items give, for each item that is not over. */
const GIVEN = `
  SELECT i.id AS "subscriptionItemId", i.subscription_id AS "subscriptionId", i.customer_id AS "customerId",
    a.id AS "assignmentId", a.feature_id AS "featureId", a.value, a.valid_until AS "validUntil",
    greatest(a.valid_from, i.start_date) AS "validFrom",
    CASE WHEN a.product_id IS NULL THEN 'price' ELSE 'product' END AS source,
    f.name AS "featureName", f.type AS "featureType", f.usage_metric_id AS "usageMetricId",
    f.activated_at AS "activatedAt", s.number AS "subscriptionNumber", coalesce(s.name, pl.name) AS "subscriptionName",
    s.status AS "subscriptionStatus", i.status AS "itemStatus", coalesce(i.name, pr.name) AS "itemName",
    i.billed_from AS "billedFrom", i.billed_to AS "billedTo", c.status AS "customerStatus"
  FROM unnest($2::uuid[]) AS k (key)
  CROSS JOIN LATERAL (
    SELECT * FROM subscription_item WHERE tenant_id = $1 AND subscription_id = k.key AND status <> 'terminated' OFFSET 0
  ) i
  JOIN subscription s ON s.tenant_id = $1 AND s.id = i.subscription_id
  JOIN customer c ON c.tenant_id = $1 AND c.id = i.customer_id
  JOIN price_plan pp ON pp.tenant_id = $1 AND pp.id = i.price_plan_id
  JOIN product pr ON pr.tenant_id = $1 AND pr.id = pp.product_id
  LEFT JOIN plan pl ON pl.tenant_id = $1 AND pl.id = s.plan_id
  JOIN LATERAL (
    SELECT * FROM feature_assignment WHERE tenant_id = $1 AND product_id = pp.product_id
    UNION ALL
    SELECT * FROM feature_assignment WHERE tenant_id = $1 AND price_plan_id = pp.id
  ) a ON true
  JOIN feature f ON f.tenant_id = $1 AND f.id = a.feature_id
  ORDER BY a.created_at, a.id, i.id`;

type Given = Omit<
  KnownEntitlement,
  'tenantId' | 'id' | 'version' | 'active' | 'endedAt' | 'status' | 'createdAt' | 'updatedAt'
>;

const keyOf = ({ assignmentId, subscriptionItemId }: Pick<Given, 'assignmentId' | 'subscriptionItemId'>): string =>
  `${assignmentId}\n${subscriptionItemId}`;

/**
 * Brings the entitlements of subscriptions in line with them, in the transaction that changes them: what products and prices of
 * their items give appears and ends, and what became of all others is announced. Their rows are locked by the caller.
 */
export async function syncEntitlements(tx: TenantTx, subscriptionIds: readonly string[]): Promise<void> {
  if (!(await keepFeatures(tx))) return;
  await lockEntitlementsOf(tx, subscriptionIds);
  const present = await entitlementsOfSubscriptions(tx, subscriptionIds);
  const given = await tx.query<Given>(GIVEN, [tx.tenantId, subscriptionIds]);
  if (present.length === 0 && given.length === 0) return;
  const wanted = new Map(given.map((gift) => [keyOf(gift), gift]));
  const changed = present.filter((row) => row.assignmentId !== null && fit(row, wanted.has(keyOf(row)), tx.now));
  const known = new Set(present.map(keyOf));
  const added = given.filter((gift) => !known.has(keyOf(gift))).map((gift) => newEntitlement(tx, gift));
  const others = present.filter((row) => !changed.includes(row) && row.status !== statusOf(row, tx.now));
  await saveEntitlements(tx, { added, changed: [...changed, ...others] });
}

/** Ends what the item's product or price does not give any more, and revives what it gives again; true when it did. */
function fit(row: KnownEntitlement, isGiven: boolean, now: Date): boolean {
  if (row.itemStatus === 'terminated' || isGiven === (row.endedAt === null)) return false;
  row.endedAt = isGiven ? null : now;
  return true;
}

const newEntitlement = (tx: TenantTx, given: Given): KnownEntitlement => ({
  ...given,
  tenantId: tx.tenantId,
  id: newUuid(),
  version: 1,
  active: true,
  endedAt: null,
  status: 'pending',
  createdAt: tx.now,
  updatedAt: tx.now,
});

/** Announces the entitlements among these whose status is another than it was. */
export async function announce(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await lockEntitlements(tx, ids);
  const rows = await entitlementsByIds(tx, ids);
  await saveEntitlements(tx, { changed: rows.filter((row) => row.status !== statusOf(row, tx.now)) });
}

/** The same for all of a customer, after it was suspended or that was lifted. */
export async function announceOfCustomer(tx: TenantTx, customerId: string): Promise<void> {
  if (!(await keepFeatures(tx))) return;
  const rows = await entitlementsOfCustomer(tx, customerId);
  await announce(
    tx,
    rows.map(({ id }) => id),
  );
}
