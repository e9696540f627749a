/** What an API key or user may be given; each with `:read` and `:write`. @see docs/rules/api.md#permissions */
export const PERMISSION_SUBJECTS = [
  'customer',
  'invoice',
  'transaction',
  'subscription',
  'product',
  'price-plan',
  'product-family',
  'measurement',
  'tax-group',
  'coupon',
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
  'webhook',
  'settings',
  'api-key',
  'user',
] as const;

/** All permissions behind `*`, in their canonical spelling. `operator` is not among them. */
export const PERMISSIONS: readonly string[] = [
  ...PERMISSION_SUBJECTS.flatMap((subject) => [`${subject}:read`, `${subject}:write`]),
  'payment-method:add',
  'audit-log:read',
];
export const OPERATOR = 'operator';
/** Beside `*` in a tenant that is being deleted: nobody can give it, and it lets do only what is allowed then. */
export const CLOSED = 'tenant:closed';

const known = new Set([...PERMISSIONS, OPERATOR, '*']);

/** `BankAccountTransactionWrite` → `bank-account-transaction:write`: such spellings are synonyms. Unknown words stay as they are. */
export function canonicalPermission(permission: string): string {
  if (known.has(permission)) return permission;
  const match = /^([A-Z][A-Za-z]*?)(Read|Write|Add)$/.exec(permission);
  if (!match) return permission;
  const kebab = match[1]!.replace(/(?<!^)([A-Z])/g, '-$1').toLowerCase();
  return `${kebab}:${match[2]!.toLowerCase()}`;
}

/** True for a permission that a key can be given, in either spelling. */
export const isPermission = (permission: unknown): permission is string =>
  typeof permission === 'string' && known.has(canonicalPermission(permission));

/** Whether the holder of `granted` may do what `required` asks for. `*` is everything but `operator`. */
export function permits(granted: readonly string[], required: string): boolean {
  const wanted = canonicalPermission(required);
  return granted.some((permission) => {
    const held = canonicalPermission(permission);
    if (held === wanted) return true;
    if (wanted === OPERATOR) return false;
    return held === '*' || (wanted === 'payment-method:add' && held === 'payment-method:write');
  });
}
