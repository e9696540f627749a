/** The addressee of an address; follows the customer until it is changed by itself. */
export interface AddressOwnerFields {
  readonly companyName: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly countryCode: string;
}

/** The postal part of an address, as `POST /customers` accepts it. */
export interface PostalFields {
  readonly street: string | null;
  readonly houseNumber: string | null;
  readonly zip: string | null;
  readonly city: string | null;
  readonly addition: string | null;
}

export interface AddressLike {
  readonly id: string;
  readonly type: string;
  readonly isDefault: boolean;
  readonly status: string;
}

/** True when at least one postal field was given, so that there is an address at all. */
export const hasPostalFields = (fields: { readonly [K in keyof PostalFields]?: string | null }): boolean =>
  [fields.street, fields.houseNumber, fields.zip, fields.city, fields.addition].some(
    (value) => value !== undefined && value !== null,
  );

/** True when a request moves the customer: its address fields, the country too, are then replaced together. */
export const isMove = (fields: { readonly [K in keyof PostalFields]?: string | null }): boolean =>
  [fields.street, fields.zip, fields.city].some((value) => value !== undefined);

/** The default address of a type: what documents are sent to when a subscription names none. */
export const defaultAddress = <A extends AddressLike>(addresses: readonly A[], type: string): A | undefined =>
  addresses.find((address) => address.type === type && address.isDefault && address.status === 'active');

/**
 * Ids of the addresses that stop being the default when `chosen` becomes the default of its type: one default per
 * customer and type.
 */
export const supersededDefaults = (addresses: readonly AddressLike[], chosen: AddressLike): string[] =>
  addresses
    .filter((other) => other.id !== chosen.id && other.type === chosen.type && other.isDefault)
    .map((other) => other.id);

/**
 * What changes in the customer's default address when the customer itself changes: names and country that were the
 * customer's follow, those that were changed by themselves stay.
 */
export function followedFields(
  address: AddressOwnerFields,
  before: AddressOwnerFields,
  after: AddressOwnerFields,
): Partial<AddressOwnerFields> {
  const followed: { -readonly [K in keyof AddressOwnerFields]?: AddressOwnerFields[K] } = {};
  for (const key of ['companyName', 'firstName', 'lastName'] as const) {
    if (address[key] === before[key] && before[key] !== after[key]) followed[key] = after[key];
  }
  if (address.countryCode === before.countryCode && before.countryCode !== after.countryCode)
    followed.countryCode = after.countryCode;
  return followed;
}
