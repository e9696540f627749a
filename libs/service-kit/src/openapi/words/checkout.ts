import type { Words } from './word.js';

/** Carts, checkout links and previews. */
export const CHECKOUT: Words = {
  customerEmail: ['E-mail address of a buyer who is no customer yet.', 'rechnung@backhaus-elbe.example'],
  couponCode: ['Code of the coupon; null: none.', null],
  checkoutLink: ['The link that the cart came from; null: none.', null],
  confirmationMessage: ['What the buyer reads afterwards; null: nothing.', null],
  slug: ['Last part of the address of the page.', 'team'],
  allowCoupons: ['Whether a coupon may be named.', true],
  quantityEditable: ['Whether the buyer may change quantities.', true],
  minQuantity: ['Least quantity, as decimal text; null: none.', null],
  maxQuantity: ['Largest quantity, as decimal text; null: none.', null],
  forceCompany: ['Whether only companies can buy.', false],
  afterCheckout: ['Where the buyer goes afterwards; null: nowhere.', null],
  maxSales: ['Most sales in all; null: no limit.', null],
  enabledFrom: ['From when on it can be used; null: at once.', null],
  enabledUntil: ['Until when it can be used; null: no end.', null],
  newInvoiceAddress: ['A further address of the buyer; null: none.', null],
  invoiceAddressId: ['An address of the customer; null: the default.', null],
  acceptedTerms: ['Whether the buyer agrees to the terms.', true],
  category: ['Category of the tax, by EN 16931.', 'S'],
  servicePeriod: 'The time that the line is for; its end is excluded.',
  explanation: ['Why it costs what it costs: days, slices, discounts.', {}],
};
