const id = '018f2f1c-0000-7000-8000-000000000001';
const createdAt = '2026-02-01T09:00:00.000Z';
const config = [
  { value: '10', label: 'Ten seats' },
  { value: 'unlimited', label: 'As many as you like' },
];

export const newFeature = { id: 'seats', name: 'Seats', type: 'quantity', status: 'active', config };
export const changedFeature = { name: 'Seats', description: 'People who may sign in', config };
export const feature = {
  id: 'seats',
  name: 'Seats',
  description: 'People who may sign in',
  status: 'active',
  type: 'quantity',
  config,
  unit: null,
  usageMetric: null,
  createdAt,
  updatedAt: createdAt,
  productAssignmentsCount: 1,
  productPriceAssignmentsCount: 0,
  entitlementsCount: 12,
};

const reference = { id: 'seats', name: 'Seats', type: 'quantity' };
export const newAssignment = { feature: 'seats', object: 'product', objectId: id, value: '10' };
export const assignment = {
  id,
  feature: reference,
  object: 'product',
  objectId: id,
  value: '10',
  validFrom: null,
  validUntil: null,
  createdAt,
};

export const newGrant = { feature: 'seats', value: '10', validUntil: '2027-01-31T23:00:00.000Z' };
export const entitlement = {
  id,
  feature: reference,
  value: '10',
  active: true,
  status: 'active',
  validFrom: null,
  validUntil: '2027-01-31T23:00:00.000Z',
  source: 'subscription',
  customer: { id },
  subscription: { id, number: 'S-10001', name: 'Team', status: 'active' },
  subscriptionItem: null,
  createdAt,
  updatedAt: createdAt,
};
export const entitled = { data: [{ ...entitlement, usage: null }] };
