import { Type } from '@sinclair/typebox';
import { text } from '../schema.js';

export const CartMethodsSchema = Type.Object(
  {
    gateways: Type.Array(Type.String(), { description: 'What a new payment method can be of.' }),
    stored: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        gatewayName: Type.String(),
        type: text(),
        name: text(),
        data: Type.Array(Type.String()),
        default: Type.Boolean(),
      }),
    ),
  },
  { $id: 'CartPaymentMethods' },
);

export const CartAddressesSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        type: Type.String(),
        default: Type.Boolean(),
        companyName: text(),
        firstName: text(),
        lastName: text(),
        street: text(),
        houseNumber: text(),
        zip: text(),
        city: text(),
        addition: text(),
        countryCode: Type.String(),
        vatId: text(),
      }),
    ),
  },
  { $id: 'CartInvoiceAddresses' },
);

export const PreparedMethodSchema = Type.Object(
  {
    status: Type.String({ description: '`active`, or `action_required` while the payer has to act.' }),
    paymentMethodId: text(),
    actionUrl: text(),
  },
  { $id: 'PreparedPaymentMethod' },
);
