import type { Words } from './word.js';

/** Checkout links, carts and offers. */
export const SELLING: Words = {
  afterCheckout: ['What happens after the order.', { confirmationMessage: 'Welcome!' }],
  confirmationMessage: ['What the buyer reads after the order; null: a text of ours.', 'Welcome!'],
  customerEmail: ['Address of the buyer, as far as it is known.', 'rechnung@backhaus-elbe.example'],
  couponCode: ['The coupon that is used; null: none.', null],
  checkoutLink: ['The link by which the cart was begun; null: none.', null],
  slug: ['Readable part of the address.', 'team'],
  allowCoupons: ['Whether buyers may use coupons.', true],
  quantityEditable: ['Whether buyers may change quantities.', false],
  minQuantity: ['The least that can be bought; null: any.', null],
  maxQuantity: ['The most that can be bought; null: any.', null],
  forceCompany: ['Whether only companies can buy.', false],
  maxSales: ['How many carts can be confirmed; null: any number.', null],
  enabledFrom: ['Since when the link sells; null: since ever.', null],
  enabledUntil: ['Until when the link sells; null: without end.', null],
  newInvoiceAddress: ['Who buys, and where the invoices go.', { companyName: 'Backhaus Elbe GmbH', countryCode: 'DE' }],
  invoiceAddressId: ["One of the customer's addresses.", null],
  acceptedTerms: ['Whether the buyer agrees to the terms; false is refused.', true],
  optional: ['Whether the buyer may leave it out.', true],
  selected: ['Whether it is chosen.', true],
  item: ['Id of an item of the offer.', 'support'],
  startsOn: ['First day; null: the day of acceptance.', null],
};
