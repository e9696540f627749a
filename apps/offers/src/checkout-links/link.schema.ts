import { type Static, Type } from '@sinclair/typebox';
import { instant, text, words } from '../schema.js';

export const CartItemSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  pricePlan: text(),
  plan: text(),
  quantity: Type.String(),
});

export const CheckoutLinkSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    slug: Type.String(),
    name: text(),
    url: Type.String({ description: 'The page at which anybody can buy.' }),
    state: words(
      ['on_sale', 'link_disabled', 'link_not_open', 'sold_out', 'no_longer_sold', 'unknown'],
      'Whether anybody can buy by it at present, or why not. `no_longer_sold`: a price or plan of it was archived.',
    ),
    items: Type.Array(CartItemSchema),
    options: Type.Object({
      trialDays: Type.Integer(),
      allowCoupons: Type.Boolean(),
      quantityEditable: Type.Boolean(),
      minQuantity: text(),
      maxQuantity: text(),
      forceCompany: Type.Boolean(),
    }),
    afterCheckout: Type.Object({ url: text(), confirmationMessage: text() }),
    languages: Type.Array(words(['de', 'en'])),
    customFields: Type.Array(Type.Object({ key: Type.String(), label: Type.String(), required: Type.Boolean() })),
    termsUrl: text(),
    privacyUrl: text(),
    redirectOrigins: Type.Array(Type.String()),
    embedOrigins: Type.Array(Type.String()),
    sendReminder: Type.Boolean(),
    maxSales: Type.Union([Type.Integer(), Type.Null()]),
    sold: Type.Integer({ description: 'How many carts were confirmed, exactly.' }),
    enabledFrom: instant(),
    enabledUntil: instant(),
    isEnabled: Type.Boolean(),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'CheckoutLink' },
);
export type CheckoutLinkJson = Static<typeof CheckoutLinkSchema>;
