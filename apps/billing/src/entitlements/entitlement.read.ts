import { notFound, prepared } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { type ListQuery, page, type Page } from '@kontor/service-kit';
import * as tables from '../db/tables.js';
import type { EntitlementStatus } from '../domain/entitlements/entitlement-status.js';
import type { EntitlementJson } from './entitlement.schema.js';
import { type KnownEntitlement, representEntitlement } from './represent-entitlement.js';

/** One answer has no more; a subscription or customer with more is asked feature by feature. */
export const MAX_SHOWN = 10_000;

const known = (from: string, tail: string): string => `
  SELECT ${tables.entitlements.selectOf('t')}, f.name AS "featureName", f.type AS "featureType",
    f.usage_metric_id AS "usageMetricId", f.activated_at AS "activatedAt", s.number AS "subscriptionNumber",
    coalesce(s.name, pl.name) AS "subscriptionName", s.status AS "subscriptionStatus", i.status AS "itemStatus",
    coalesce(i.name, pr.name) AS "itemName", i.billed_from AS "billedFrom", i.billed_to AS "billedTo",
    c.status AS "customerStatus"
  FROM ${from}
  JOIN customer c ON c.tenant_id = $1 AND c.id = t.customer_id
  JOIN feature f ON f.tenant_id = $1 AND f.id = t.feature_id
  LEFT JOIN subscription s ON s.tenant_id = $1 AND s.id = t.subscription_id
  LEFT JOIN plan pl ON pl.tenant_id = $1 AND pl.id = s.plan_id
  LEFT JOIN subscription_item i ON i.tenant_id = $1 AND i.id = t.subscription_item_id
  LEFT JOIN price_plan pp ON pp.tenant_id = $1 AND pp.id = i.price_plan_id
  LEFT JOIN product pr ON pr.tenant_id = $1 AND pr.id = pp.product_id
  ${tail}`;

// OFFSET 0 keeps the choice by index apart from the joins, whatever the planner thinks of arrays.
const OF_CUSTOMER = prepared(
  known(
    `(SELECT * FROM entitlement WHERE tenant_id = $1 AND customer_id = $2 ORDER BY created_at, id LIMIT ${MAX_SHOWN} OFFSET 0) t`,
    'ORDER BY t.created_at, t.id',
  ),
);
const BY_IDS = known(
  `unnest($2::uuid[]) AS k (key)
   CROSS JOIN LATERAL (SELECT * FROM entitlement WHERE tenant_id = $1 AND id = k.key OFFSET 0) t`,
  'ORDER BY t.created_at, t.id',
);
const OF_SUBSCRIPTIONS = known(
  `unnest($2::uuid[]) AS k (key)
   CROSS JOIN LATERAL (SELECT * FROM entitlement WHERE tenant_id = $1 AND subscription_id = k.key OFFSET 0) t`,
  'ORDER BY t.created_at, t.id',
);

/** All entitlements of a customer, its subscriptions' included, from the earliest to the latest. */
export const entitlementsOfCustomer = (tx: TenantTx, customerId: string): Promise<KnownEntitlement[]> =>
  tx.query(OF_CUSTOMER, [tx.tenantId, customerId]);

export const entitlementsByIds = (tx: TenantTx, ids: readonly string[]): Promise<KnownEntitlement[]> =>
  ids.length === 0 ? Promise.resolve([]) : tx.query(BY_IDS, [tx.tenantId, ids]);

export const entitlementsOfSubscriptions = (tx: TenantTx, ids: readonly string[]): Promise<KnownEntitlement[]> =>
  ids.length === 0 ? Promise.resolve([]) : tx.query(OF_SUBSCRIPTIONS, [tx.tenantId, ids]);

/** @throws DomainError `not_found` */
export async function knownEntitlement(tx: TenantTx, id: string): Promise<KnownEntitlement> {
  const [row] = await entitlementsByIds(tx, [id]);
  if (!row) throw notFound('Entitlement');
  return row;
}

/** Expired ones are left out unless they are asked for, by `includeExpired` or by their status. */
export function isListed(status: EntitlementStatus, { filters, others }: ListQuery): boolean {
  const wanted = filters['status'];
  if (wanted) return wanted.includes(status);
  return status !== 'expired' || others['includeExpired'] === 'true';
}

/** One page of the entitlements of a subscription, or of one of its items. @throws DomainError `not_found` */
export async function listEntitlements(
  tx: TenantTx,
  of: { readonly subscription: string } | { readonly item: string },
  list: ListQuery,
): Promise<Page<EntitlementJson>> {
  const all = await ('subscription' in of ? ofSubscription(tx, of.subscription) : ofItem(tx, of.item));
  const shown = all.map((row) => representEntitlement(row, tx.now)).filter(({ status }) => isListed(status, list));
  return page(shown.slice((list.page - 1) * list.limit, list.page * list.limit), shown.length, list);
}

async function ofSubscription(tx: TenantTx, id: string): Promise<KnownEntitlement[]> {
  if (!(await tables.subscriptions.exists(tx, { id }))) throw notFound('Subscription');
  return entitlementsOfSubscriptions(tx, [id]);
}

async function ofItem(tx: TenantTx, id: string): Promise<KnownEntitlement[]> {
  const item = await tables.subscriptionItems.get(tx, id);
  if (!item) throw notFound('Subscription item');
  const all = await entitlementsOfSubscriptions(tx, [item.subscriptionId]);
  return all.filter(({ subscriptionItemId }) => subscriptionItemId === id);
}
