import type { EventDefinition } from './define-event.js';
import {
  catalogueChangedV1,
  customerChangedV1,
  settingsChangedV1,
  subscriptionChangedV1,
} from './events/billing/index.js';
import { tenantChangedV1, userChangedV1 } from './events/identity/index.js';
import { paymentMethodChangedV1 } from './events/payments/index.js';
import { usageMetricChangedV1 } from './events/usage/index.js';
import type { ServiceName } from './services.js';

/** Kinds of objects that services copy from their owners. Catalogue kinds are the `kind` of the catalogue state. */
export type ReplicaKind =
  | 'tenant'
  | 'customer'
  | 'settings'
  | 'tax_group'
  | 'product'
  | 'unit'
  | 'subscription'
  | 'payment_method'
  | 'usage_metric'
  | 'user';

export interface ReplicaSpec {
  readonly owner: ServiceName;
  readonly event: EventDefinition;
  /** For events that carry several kinds: the state's `kind`. The copy's data is then `state.object`. */
  readonly catalogueKind?: string;
  /** Services that keep a copy; the owner waits for them after a write (freshness). */
  readonly copiers: readonly ServiceName[];
  /**
   * Those of them that look for it by more than its id, or never ask its owner: only they could miss a new one, the others fetch
   * what they lack. Absent: all copiers.
   */
  readonly searchers?: readonly ServiceName[];
}

const all: readonly ServiceName[] = [
  'billing',
  'usage',
  'invoicing',
  'payments',
  'offers',
  'webhooks',
  'notifications',
];

/** Where every copy comes from. The id of `settings` and `tenant` is the tenant's id. */
export const REPLICAS: Readonly<Record<ReplicaKind, ReplicaSpec>> = {
  tenant: { owner: 'identity', event: tenantChangedV1 as unknown as EventDefinition, copiers: all },
  customer: {
    owner: 'billing',
    event: customerChangedV1 as unknown as EventDefinition,
    copiers: ['identity', 'usage', 'invoicing', 'payments', 'offers', 'webhooks', 'notifications'],
    // By its number or external id.
    searchers: ['usage'],
  },
  settings: {
    owner: 'billing',
    event: settingsChangedV1 as unknown as EventDefinition,
    copiers: ['identity', 'usage', 'invoicing', 'payments', 'offers', 'notifications'],
  },
  tax_group: {
    owner: 'billing',
    event: catalogueChangedV1 as unknown as EventDefinition,
    catalogueKind: 'tax_group',
    copiers: ['invoicing'],
  },
  product: {
    owner: 'billing',
    event: catalogueChangedV1 as unknown as EventDefinition,
    catalogueKind: 'product',
    copiers: ['invoicing'],
  },
  unit: {
    owner: 'billing',
    event: catalogueChangedV1 as unknown as EventDefinition,
    catalogueKind: 'unit',
    copiers: ['invoicing'],
  },
  subscription: {
    owner: 'billing',
    event: subscriptionChangedV1 as unknown as EventDefinition,
    copiers: ['invoicing', 'offers'],
  },
  payment_method: {
    owner: 'payments',
    event: paymentMethodChangedV1 as unknown as EventDefinition,
    copiers: ['billing', 'invoicing'],
  },
  usage_metric: { owner: 'usage', event: usageMetricChangedV1 as unknown as EventDefinition, copiers: ['billing'] },
  user: {
    owner: 'identity',
    event: userChangedV1 as unknown as EventDefinition,
    copiers: ['webhooks', 'offers'],
    searchers: [],
  },
};
