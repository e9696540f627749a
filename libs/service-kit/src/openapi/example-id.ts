/** The id that a resource of a kind has in all examples of the document: `exampleIdOf('customer')`. */
export function exampleIdOf(kind: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const letter of kind) hash = ((hash ^ BigInt(letter.charCodeAt(0))) * 0x100000001b3n) & 0xffffffffffffffffn;
  return `0190a000-0000-7000-8000-${(hash & 0xffffffffffffn).toString(16).padStart(12, '0')}`;
}

/** An id of the kind that a property names: `customerId`, `parentCustomerId`, `invoiceIds`. */
export const exampleIdFor = (property: string): string => exampleIdOf(kindOf(property));

/** `parentCustomerId` is a customer, `invoiceIds[]` are invoices. */
export function kindOf(property: string): string {
  const bare = property.replace(/Ids?$/, '');
  const known = KINDS.find((kind) => bare.toLowerCase().endsWith(kind.toLowerCase()));
  return known ?? bare;
}

/** The longer name first, where one ends with another. */
const KINDS = [
  'subscriptionItem',
  'bankTransaction',
  'originProduct',
  'pricePlan',
  'paymentMethod',
  'billingGroup',
  'taxGroup',
  'productFamily',
  'usageMetric',
  'bankAccount',
  'subscription',
  'invoice',
  'customer',
  'product',
  'plan',
  'coupon',
  'unit',
  'measurement',
  'tenant',
];
