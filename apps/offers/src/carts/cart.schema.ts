import { embedded } from '@kontor/service-kit';
import { type Static, Type } from '@sinclair/typebox';
import { CartItemSchema } from '../checkout-links/link.schema.js';
import { CART_STATUSES } from '../domain/carts/cart.js';
import { instant, LinesSchema, orNull, RecurringSchema, text, TotalsSchema, words } from '../schema.js';

const address = () =>
  Type.Object({
    companyName: text(),
    firstName: text(),
    lastName: text(),
    street: text(),
    houseNumber: text(),
    zip: text(),
    city: text(),
    addition: text(),
    countryCode: text(),
    vatId: text(),
  });

const fields = {
  id: Type.String({ format: 'uuid' }),
  status: words(CART_STATUSES),
  customerEmail: text(),
  invoiceAddress: orNull(address()),
  items: Type.Array(CartItemSchema),
  couponCode: text(),
  customFields: orNull(Type.Record(Type.String(), Type.String())),
  trialDays: Type.Integer(),
  currencyCode: Type.String(),
  vatIdStatus: text(),
  lines: LinesSchema,
  totals: Type.Object({ ...TotalsSchema.properties, recurring: RecurringSchema }),
  billingDate: instant(),
  subscription: orNull(Type.Object({ id: Type.String({ format: 'uuid' }) })),
  invoice: orNull(Type.Object({ id: Type.String({ format: 'uuid' }) })),
  expiresAt: Type.String({ format: 'date-time' }),
};

/** What the buyer sees. */
export const PublicCartSchema = Type.Object(
  { ...fields, customer: orNull(Type.Object({ companyName: text(), firstName: text(), lastName: text() })) },
  { $id: 'PublicCart' },
);
export type PublicCartJson = Static<typeof PublicCartSchema>;

export const CartSchema = Type.Object(
  {
    ...fields,
    customer: orNull(embedded('Customer')),
    checkoutLink: orNull(Type.Object({ id: Type.String({ format: 'uuid' }) })),
    token: Type.Optional(
      Type.String({ description: 'Who has it may fill and confirm the cart. Only in the answer that made it.' }),
    ),
    url: Type.Optional(
      Type.String({ description: 'The page at which the buyer orders. Only in the answer that made it.' }),
    ),
    metadata: orNull(Type.Record(Type.String(), Type.String())),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'Cart' },
);
export type CartJson = Static<typeof CartSchema>;

export const ConfirmationSchema = Type.Object(
  {
    action: words(['redirect', 'none', 'confirmation_message']),
    redirectUrl: text(),
    status: words(CART_STATUSES),
    confirmationMessage: text(),
  },
  { $id: 'CartConfirmation' },
);
export type ConfirmationJson = Static<typeof ConfirmationSchema>;
