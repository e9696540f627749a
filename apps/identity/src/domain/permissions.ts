const RESOURCES = [
  'customer', 'invoice', 'transaction', 'subscription', 'product', 'price-plan', 'product-family', 'measurement', 'tax-group', 'coupon',
  'billing-group', 'entitlement', 'dunning-rule', 'dunning-document', 'bank-account-transaction', 'payment-method', 'wallet', 'usage-event', 'cart',
  'offer', 'webhook', 'settings', 'api-key',
] as const; // prettier-ignore

/**
 * Every permission that an API key can have besides `*`, which stands for all of these. `operator` is none of them: only the
 * start-up key has it.
 * @see decisions, section 1 "Permissions"
 */
export const PERMISSIONS: ReadonlySet<string> = new Set([
  ...RESOURCES.flatMap((resource) => [`${resource}:read`, `${resource}:write`]),
  'payment-method:add',
  'BankAccountTransactionWrite',
]);
