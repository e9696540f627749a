import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import type { CheckoutMethodsResponse } from '@kontor/contracts';
import { DomainError, storableText } from '@kontor/kernel';
import { isDecimal } from '@kontor/money';
import type { ConfirmCartDto } from '../carts/cart.dto.js';
import type { CartRow } from '../carts/cart.row.js';
import { type Buyer, changeQuantity } from '../domain/carts/cart.js';
import type { BuyerForm } from '../pages/buyer-form-fields.js';
import type { PageLanguage } from '../pages/layout.js';
import type { Orderer } from './orderer.js';

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
export function readForm(form: URLSearchParams, { page }: Pick<CartRow, 'page'>): BuyerForm {
  const value = (name: string, max = 255): string => storableText(form.get(name)?.trim() ?? '', max);
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
    accountHolder: value('accountHolder', 70),
    iban: value('iban', 42),
    answers: Object.fromEntries(page.customFields.map(({ key }) => [key, value(`ask-${key}`)])),
  };
}

/** What the cart knows, as if it had been typed. */
export const formOf = (cart: CartRow): BuyerForm => ({
  ...readForm(new URLSearchParams(FIELDS.map((name): [string, string] => [name, cart.buyer?.[name] ?? ''])), cart),
  answers: cart.customFields ?? {},
  ...filledIn(cart),
});

const filledIn = ({ customerEmail, couponCode }: CartRow) => ({
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
  if (cart.page.customFields.some(({ key, required }) => required && !typed.answers[key])) return 'answers';
  const givesMandate = typed.accountHolder !== '' && typed.iban !== '' && form.get('mandate') === 'yes';
  if (typed.gateway === 'sepa_debit' && !givesMandate) return 'mandate';
  if (typed.gateway === 'sepa_debit' && !isValidIBAN(electronicFormatIBAN(typed.iban) ?? '')) return 'iban';
  const wantsOther = cart.items.some(({ id, quantity }) => {
    const wanted = form.get(`quantity-${id}`)?.trim().replace(',', '.');
    return wanted !== undefined && wanted !== quantity;
  });
  // What was typed and not computed yet was not seen as a price.
  if (wantsOther || (cart.options.allowCoupons && typed.coupon !== (cart.couponCode ?? ''))) return 'total_changed';
  if (cart.customerId !== null) return null;
  const isNamed = typed.companyName.length > 1 || (typed.firstName.length > 1 && typed.lastName.length > 1);
  if (typed.phone === '' || emailOf(typed) === null || !isNamed) return 'name';
  return typed.street !== '' && typed.zip !== '' && typed.city !== '' ? null : 'address';
}

/** An e-mail address, where one was typed. */
export const emailOf = ({ email }: BuyerForm): string | null =>
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? email : null;

/** What was answered to what the seller asks; null: nothing. */
export function knownAnswers({ answers }: BuyerForm): Record<string, string> | null {
  const given = Object.entries(answers).filter(([, answer]) => answer !== '');
  return given.length === 0 ? null : Object.fromEntries(given);
}

interface Circumstances extends Orderer {
  readonly language: PageLanguage;
  readonly mandate: CheckoutMethodsResponse['mandate'];
}

/** The order that the form is. */
export function orderOf(
  cart: CartRow,
  form: URLSearchParams,
  typed: BuyerForm,
  circumstances: Circumstances,
): ConfirmCartDto {
  const [amount, currencyCode] = [Number(form.get('total')), form.get('currency')];
  return {
    ...(cart.customerId === null && { email: typed.email, phone: typed.phone, newInvoiceAddress: buyerOf(typed) }),
    ...paymentOf(typed, circumstances),
    ...(currencyCode !== null && Number.isSafeInteger(amount) && { expectedTotal: { amount, currencyCode } }),
    customFields: knownAnswers(typed),
    acceptedTerms: true,
  };
}

function paymentOf(typed: BuyerForm, { ip, userAgent, language, mandate }: Circumstances): Partial<ConfirmCartDto> {
  if (typed.gateway === '') return {};
  if (typed.gateway !== 'sepa_debit' || !mandate) return { gateway: typed.gateway };
  const { paragraphs, consent } = mandate.texts[language];
  return {
    newPaymentMethod: {
      gateway: 'sepa_debit',
      sepaMandate: { iban: typed.iban, accountHolder: typed.accountHolder },
      mandateConsent: {
        at: new Date().toISOString(),
        ip: ip?.slice(0, 64) ?? null,
        userAgent: userAgent?.slice(0, 300) ?? null,
        language,
        text: [...paragraphs, consent].join('\n'),
      },
    },
  };
}
