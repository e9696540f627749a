import { ChargeLine } from '@kontor/contracts';
import { type Static, type TProperties, Type } from '@sinclair/typebox';
import { CustomFields, Instant, orNull, TextOrNull } from '../schema.js';
import { explanationSchema } from './explanation.schema.js';

const Money = Type.Object({ amount: Type.Integer(), currencyCode: Type.String() });
/** Null while lines are in another currency than the document. */
const Total = orNull(Money);
const line = ChargeLine.properties;

/** As the line of the document will have them. */
const stated = (properties: TProperties) => Type.Unsafe<Record<string, unknown>>(Type.Object(properties));
const productOfLine = stated({
  type: Type.String(),
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  description: TextOrNull,
  invoiceVisibility: Type.String(),
  customFields: CustomFields,
});
const subscriptionItemOfLine = stated({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  description: TextOrNull,
  furtherInformation: TextOrNull,
  status: Type.String(),
  subscriptionId: Type.String({ format: 'uuid' }),
});

/** An invoice that would be made: positions with tax and explanation, and totals. */
export const previewedInvoiceSchema = Type.Object({
  currencyCode: Type.String(),
  billingDate: orNull(Instant),
  netAmount: Total,
  discountAmount: Total,
  taxAmount: Total,
  grossAmount: Total,
  taxes: Type.Array(
    Type.Object({
      category: Type.String(),
      rate: Type.String(),
      netAmount: Total,
      taxAmount: Total,
      note: TextOrNull,
      exemptionCode: TextOrNull,
    }),
  ),
  positions: Type.Array(
    Type.Object({
      position: Type.Integer(),
      name: line.name,
      description: line.description,
      kind: line.kind,
      quantity: line.quantity,
      unit: line.unit,
      unitPrice: line.unitPrice,
      netAmount: line.netAmount,
      discountAmount: line.discountAmount,
      taxAmount: Money,
      grossAmount: Money,
      tax: orNull(
        Type.Object({ id: Type.String(), code: Type.String(), rate: Type.String(), description: TextOrNull }),
      ),
      taxCategory: Type.String(),
      taxNote: TextOrNull,
      taxExemptionCode: TextOrNull,
      product: orNull(productOfLine),
      subscriptionItem: subscriptionItemOfLine,
      serviceDateFrom: line.serviceFrom,
      serviceDateTo: line.serviceTo,
      servicePeriod: Type.Object({ from: line.serviceFrom, to: line.serviceTo }),
      explanation: orNull(explanationSchema),
    }),
  ),
});

export type PreviewJson = Static<typeof previewedInvoiceSchema>;

/** Answer of `POST /subscriptions/{id}/preview-invoice`. */
export const invoicePreviewSchema = Type.Composite(
  [
    Type.Object({ subscription: Type.Object({ id: Type.String({ format: 'uuid' }), number: Type.String() }) }),
    previewedInvoiceSchema,
  ],
  { $id: 'InvoicePreview' },
);

export type InvoicePreviewJson = Static<typeof invoicePreviewSchema>;
