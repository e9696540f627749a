import type { CustomerStatus } from '../db/customer.row.js';
import type { EntitlementRow, FeatureAssignmentRow, FeatureRow } from '../db/entitlement.row.js';
import type { EntitlementFacts } from '../domain/entitlements/entitlement-status.js';
import { entitlementStatus } from '../domain/entitlements/entitlement-status.js';
import { shownValue } from '../domain/entitlements/feature-config.js';
import type { ItemStatus, SubscriptionStatus } from '../domain/subscriptions/subscription.js';
import type { AssignmentJson, EntitlementJson, ListedFeatureJson } from './entitlement.schema.js';

/** An entitlement with what its status and its representation need of the rows around it. */
export interface KnownEntitlement extends EntitlementRow {
  readonly featureName: string;
  readonly featureType: FeatureRow['type'];
  readonly usageMetricId: string | null;
  readonly activatedAt: Date | null;
  readonly subscriptionNumber: string | null;
  readonly subscriptionName: string | null;
  readonly subscriptionStatus: SubscriptionStatus | null;
  readonly itemName: string | null;
  readonly itemStatus: ItemStatus | null;
  readonly customerStatus: CustomerStatus;
  /** The charged period of the item, days of the customer. */
  readonly billedFrom: string | null;
  readonly billedTo: string | null;
}

export const factsOf = (row: KnownEntitlement): EntitlementFacts => ({
  active: row.active,
  validFrom: row.validFrom,
  validUntil: row.validUntil,
  endedAt: row.endedAt,
  isAvailable: row.activatedAt !== null,
  subscriptionStatus: row.subscriptionStatus,
  itemStatus: row.itemStatus,
  isCustomerSuspended: row.customerStatus === 'STATUS_SUSPENDED',
});

export const statusOf = (row: KnownEntitlement, now: Date) => entitlementStatus(factsOf(row), now);

/** An entitlement as every answer and event shows it. */
export const representEntitlement = (row: KnownEntitlement, now: Date): EntitlementJson => ({
  id: row.id,
  feature: { id: row.featureId, name: row.featureName, type: row.featureType },
  value: shownValue(row.featureType, row.value),
  active: row.active,
  status: statusOf(row, now),
  validFrom: row.validFrom?.toISOString() ?? null,
  validUntil: (row.endedAt ?? row.validUntil)?.toISOString() ?? null,
  source: row.source,
  customer: { id: row.customerId },
  subscription:
    row.subscriptionId === null
      ? null
      : {
          id: row.subscriptionId,
          number: row.subscriptionNumber ?? '',
          name: row.subscriptionName,
          status: row.subscriptionStatus ?? '',
        },
  subscriptionItem: row.subscriptionItemId === null ? null : { id: row.subscriptionItemId, name: row.itemName },
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

export const representListedFeature = (row: FeatureRow): ListedFeatureJson => ({
  id: row.id,
  name: row.name,
  description: row.description,
  status: row.status,
  type: row.type,
  config: row.config as ListedFeatureJson['config'],
  unit: row.unitId,
  usageMetric: row.usageMetricId,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

export const representAssignment = (row: FeatureAssignmentRow, feature: FeatureRow): AssignmentJson => ({
  id: row.id,
  feature: { id: feature.id, name: feature.name, type: feature.type },
  object: row.productId === null ? 'product-price' : 'product',
  objectId: (row.productId ?? row.pricePlanId) as string,
  value: shownValue(feature.type, row.value),
  validFrom: row.validFrom?.toISOString() ?? null,
  validUntil: row.validUntil?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
});
