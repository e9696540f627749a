/** What every tenant's users can be. */
export const BUILT_IN_ROLES = ['administrator', 'accounting', 'support', 'read_only'] as const;
export type BuiltInRole = (typeof BUILT_IN_ROLES)[number];

/** A role and what it allows. */
export interface Role {
  /** The name of a built-in one, the id of a tenant's own. */
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly builtIn: boolean;
}

const readOf = (...subjects: string[]): string[] => subjects.map((subject) => `${subject}:read`);
const allOf = (...subjects: string[]): string[] =>
  subjects.flatMap((subject) => [`${subject}:read`, `${subject}:write`]);

const CATALOGUE = ['product', 'price-plan', 'product-family', 'measurement', 'coupon'];

const PERMISSIONS_OF: Readonly<Record<BuiltInRole, readonly string[]>> = {
  administrator: ['*'],
  accounting: [
    ...allOf('customer', 'invoice', 'transaction', 'tax-group', 'billing-group', 'dunning-rule', 'dunning-document'),
    ...allOf('bank-account-transaction', 'payment-method', 'wallet'),
    ...readOf(...CATALOGUE, 'subscription', 'entitlement', 'usage-event', 'cart', 'offer', 'settings'),
  ],
  support: [
    ...allOf('customer', 'subscription', 'entitlement', 'cart', 'offer'),
    ...readOf(...CATALOGUE, 'invoice', 'transaction', 'tax-group', 'billing-group', 'dunning-rule', 'dunning-document'),
    ...readOf('payment-method', 'wallet', 'usage-event'),
    'payment-method:add',
  ],
  read_only: readOf(
    ...CATALOGUE,
    'customer',
    'invoice',
    'transaction',
    'subscription',
    'tax-group',
    'billing-group',
    'entitlement',
    'dunning-rule',
    'dunning-document',
    'bank-account-transaction',
    'payment-method',
    'wallet',
    'usage-event',
    'cart',
    'offer',
    'settings',
  ),
};

const NAMES: Readonly<Record<BuiltInRole, string>> = {
  administrator: 'Administrator',
  accounting: 'Accounting',
  support: 'Support',
  read_only: 'Read only',
};

export const builtInRoles: readonly Role[] = BUILT_IN_ROLES.map((id) => ({
  id,
  name: NAMES[id],
  permissions: PERMISSIONS_OF[id],
  builtIn: true,
}));

export const isBuiltInRole = (id: string): id is BuiltInRole => (BUILT_IN_ROLES as readonly string[]).includes(id);

/** All that somebody may do who has these roles; one that is no longer there allows nothing. */
export function permissionsOfRoles(roles: readonly string[], ownRoles: readonly Role[]): string[] {
  const known = new Map([...builtInRoles, ...ownRoles].map((role) => [role.id, role.permissions]));
  return [...new Set(roles.flatMap((id) => known.get(id) ?? []))];
}
