import { DomainError } from '@kontor/kernel';
import { isDecimal } from '@kontor/money';
import type { ConfirmCartDto } from '../carts/cart.dto.js';
import type { CartRow } from '../carts/cart.row.js';
import { type Buyer, changeQuantity } from '../domain/carts/cart.js';
import type { BuyerForm } from '../pages/cart-page.js';

const FIELDS = [
  'companyName',
  'firstName',
  'lastName',
  'street',
  'houseNumber',
  'zip',
  'city',
  'countryCode',
  'vatId',
] as const;

/** What was typed, cut to what is taken at most. */
export function readForm(form: URLSearchParams): BuyerForm {
  const value = (name: string, max = 255): string => form.get(name)?.trim().slice(0, max) ?? '';
  return {
    email: value('email'),
    phone: value('phone', 50),
    companyName: value('companyName'),
    firstName: value('firstName'),
    lastName: value('lastName'),
    street: value('street'),
    houseNumber: value('houseNumber', 30),
    zip: value('zip', 20),
    city: value('city'),
    countryCode: /^[A-Z]{2}$/.test(value('countryCode')) ? value('countryCode') : 'DE',
    vatId: value('vatId', 30),
    coupon: value('coupon', 100),
    gateway: value('gateway', 50),
  };
}

/** What the cart knows, as if it had been typed. */
export const formOf = ({ buyer, customerEmail, couponCode }: CartRow): BuyerForm => ({
  ...readForm(new URLSearchParams(FIELDS.map((name): [string, string] => [name, buyer?.[name] ?? '']))),
  email: customerEmail ?? '',
  coupon: couponCode ?? '',
});

/** Who was typed; empty fields are null. */
export function buyerOf(typed: BuyerForm): Buyer {
  const orNull = (value: string): string | null => (value === '' ? null : value);
  return {
    companyName: orNull(typed.companyName),
    firstName: orNull(typed.firstName),
    lastName: orNull(typed.lastName),
    street: orNull(typed.street),
    houseNumber: orNull(typed.houseNumber),
    zip: orNull(typed.zip),
    city: orNull(typed.city),
    addition: null,
    countryCode: typed.countryCode,
    vatId: orNull(typed.vatId),
  };
}

/** The items with the quantities that were typed. @throws DomainError `validation_failed`, `quantity_not_editable` */
export function quantitiesOf(cart: CartRow, form: URLSearchParams): CartRow['items'] {
  let { items } = cart;
  for (const { id, quantity } of cart.items) {
    const wanted = form.get(`quantity-${id}`)?.trim().replace(',', '.');
    if (wanted === undefined || wanted === quantity) continue;
    if (!isDecimal(wanted) || wanted.length > 20)
      throw new DomainError('validation_failed', { detail: 'A quantity is a number.' });
    items = changeQuantity(items, { itemId: id, quantity: wanted }, cart.options);
  }
  return items;
}

/** Why the form is no order yet; null: it is one. */
export function problemOf(cart: CartRow, form: URLSearchParams, typed: BuyerForm): string | null {
  if (form.get('terms') !== 'yes') return 'terms';
  const wantsOther = cart.items.some(({ id, quantity }) => {
    const wanted = form.get(`quantity-${id}`)?.trim().replace(',', '.');
    return wanted !== undefined && wanted !== quantity;
  });
  // What was typed and not computed yet was not seen as a price.
  if (wantsOther || (cart.options.allowCoupons && typed.coupon !== (cart.couponCode ?? ''))) return 'total_changed';
  if (cart.customerId !== null) return null;
  const isNamed = typed.companyName.length > 1 || (typed.firstName.length > 1 && typed.lastName.length > 1);
  if (typed.phone === '' || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed.email) || !isNamed) return 'name';
  return typed.street !== '' && typed.zip !== '' && typed.city !== '' ? null : 'address';
}

/** The order that the form is. */
export function orderOf(cart: CartRow, form: URLSearchParams, typed: BuyerForm): ConfirmCartDto {
  const [amount, currencyCode] = [Number(form.get('total')), form.get('currency')];
  return {
    ...(cart.customerId === null && { email: typed.email, phone: typed.phone, newInvoiceAddress: buyerOf(typed) }),
    ...(typed.gateway !== '' && { gateway: typed.gateway }),
    ...(currencyCode !== null && Number.isSafeInteger(amount) && { expectedTotal: { amount, currencyCode } }),
    acceptedTerms: true,
  };
}
