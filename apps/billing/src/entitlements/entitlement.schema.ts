import { type Static, Type } from '@sinclair/typebox';
import { ENTITLEMENT_SOURCES, ENTITLEMENT_STATUSES } from '../domain/entitlements/entitlement-status.js';
import { FEATURE_TYPES } from '../domain/entitlements/feature-config.js';
import { Instant, oneOf, orNull, TextOrNull, Uuid } from '../schema.js';

const Value = Type.Union([Type.Boolean(), Type.String()], {
  description: 'A boolean for a switch; else text: a level, a decimal, or `unlimited`.',
});

const featureConfigSchema = Type.Union([
  Type.Array(Type.Object({ value: Type.String(), label: TextOrNull })),
  Type.Object({
    min: TextOrNull,
    max: TextOrNull,
    step: TextOrNull,
    allowUnlimitedMin: Type.Boolean(),
    allowUnlimitedMax: Type.Boolean(),
  }),
  Type.Null(),
]);

const featureFields = {
  id: Type.String(),
  name: Type.String(),
  description: TextOrNull,
  status: oneOf(['draft', 'active', 'archived']),
  type: oneOf(FEATURE_TYPES),
  config: featureConfigSchema,
  unit: orNull(Uuid),
  usageMetric: orNull(Uuid),
  createdAt: Instant,
  updatedAt: Instant,
};

/** An entry of the list of features. */
export const listedFeatureSchema = Type.Object(featureFields, { $id: 'ListedEntitlementFeature' });
export const featureSchema = Type.Object(
  {
    ...featureFields,
    productAssignmentsCount: Type.Integer(),
    productPriceAssignmentsCount: Type.Integer(),
    entitlementsCount: Type.Integer(),
  },
  { $id: 'EntitlementFeature' },
);
export type ListedFeatureJson = Static<typeof listedFeatureSchema>;
export type FeatureJson = Static<typeof featureSchema>;

const featureReference = Type.Object({ id: Type.String(), name: Type.String(), type: oneOf(FEATURE_TYPES) });

export const assignmentSchema = Type.Object(
  {
    id: Uuid,
    feature: featureReference,
    object: oneOf(['product', 'product-price']),
    objectId: Uuid,
    value: Value,
    validFrom: orNull(Instant),
    validUntil: orNull(Instant),
    createdAt: Instant,
  },
  { $id: 'FeatureAssignment' },
);
export type AssignmentJson = Static<typeof assignmentSchema>;

const entitlementFields = {
  id: Uuid,
  feature: featureReference,
  value: Value,
  active: Type.Boolean({ description: 'False: disabled by hand.' }),
  status: oneOf(ENTITLEMENT_STATUSES),
  validFrom: orNull(Instant),
  validUntil: orNull(Instant),
  source: oneOf(ENTITLEMENT_SOURCES),
  customer: Type.Object({ id: Uuid }),
  subscription: orNull(Type.Object({ id: Uuid, number: Type.String(), name: TextOrNull, status: Type.String() })),
  subscriptionItem: orNull(Type.Object({ id: Uuid, name: TextOrNull })),
  createdAt: Instant,
  updatedAt: Instant,
};
export const entitlementSchema = Type.Object(entitlementFields, { $id: 'Entitlement' });
export type EntitlementJson = Static<typeof entitlementSchema>;

const usageSchema = Type.Object(
  {
    usageMetric: Type.Object({ id: Uuid, name: TextOrNull }),
    used: Type.String({ description: 'Of the period, so far.' }),
    remaining: Type.String({ description: 'What is left of the value, at least 0; `unlimited` where that is.' }),
    from: Instant,
    to: Instant,
  },
  { $id: 'EntitlementUsage' },
);
export type UsageJson = Static<typeof usageSchema>;

const entitledSchema = Type.Object(
  { ...entitlementFields, usage: orNull(usageSchema) },
  { $id: 'CustomerEntitlement' },
);
export type EntitledJson = Static<typeof entitledSchema>;

export const customerEntitlementsSchema = Type.Object(
  { data: Type.Array(entitledSchema) },
  { $id: 'CustomerEntitlements' },
);
export type CustomerEntitlementsJson = Static<typeof customerEntitlementsSchema>;
