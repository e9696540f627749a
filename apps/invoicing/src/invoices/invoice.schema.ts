import { AddressState } from '@kontor/contracts';
import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { DOCUMENT_TYPES, INVOICE_STATUSES } from '../domain/invoices/invoice.js';
import { POSITION_TYPES } from '../domain/invoices/position.js';
import { embedded } from '@kontor/service-kit';
import { TAX_CATEGORIES } from '@kontor/tax';

const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const words = <W extends string>(values: readonly W[]) => Type.Unsafe<W>(Type.String({ enum: [...values] }));
const text = Type.String();
const textOrNull = nullable(text);
const instant = Type.String({ format: 'date-time' });
const instantOrNull = nullable(instant);

const money = Type.Object(
  { amount: Type.Integer({ description: 'Minor units' }), currencyCode: text },
  { $id: 'Money' },
);
const unitPrice = Type.Object(
  { amount: Type.Integer(), currencyCode: text, precision: Type.Optional(Type.Integer()) },
  { $id: 'UnitPrice' },
);

export const mediaSchema = Type.Object(
  {
    id: text,
    isPrivate: Type.Boolean(),
    mimeType: textOrNull,
    fileExtension: text,
    fileName: text,
    storageFileName: text,
    createdAt: instant,
  },
  { $id: 'Media' },
);

const customFields = nullable(Type.Record(text, text));

/** As it was when the line was made; of an imported line what was sent. */
const asStored = (properties: TProperties) =>
  Type.Unsafe<Record<string, unknown>>(Type.Partial(Type.Object(properties)));

const productOfLine = asStored({
  type: text,
  id: text,
  name: text,
  description: textOrNull,
  invoiceVisibility: text,
  customFields,
});
const subscriptionItemOfLine = asStored({
  id: text,
  name: text,
  description: textOrNull,
  furtherInformation: textOrNull,
  status: text,
  subscriptionId: text,
});

const position = {
  id: text,
  position: nullable(Type.Integer()),
  quantity: Type.String({ description: 'Decimal' }),
  unit: nullable(Type.Object({ id: text, name: textOrNull })),
  unitPrice,
  netAmount: money,
  grossAmount: money,
  taxAmount: money,
  discountAmount: nullable(money),
  discountPercentage: textOrNull,
  name: text,
  description: textOrNull,
  taxGroup: Type.Object({ id: text, internalDescription: textOrNull, reverseChargeType: textOrNull, type: textOrNull }),
  tax: nullable(Type.Object({ id: text, code: text, rate: text, description: textOrNull })),
  taxCategory: nullable(words(TAX_CATEGORIES)),
  taxNote: textOrNull,
  taxExemptionCode: textOrNull,
  type: nullable(words(POSITION_TYPES)),
  group: nullable(Type.Object({ id: text, ranking: nullable(Type.Integer()), name: textOrNull })),
  createdAt: instant,
  product: nullable(productOfLine),
  subscriptionItem: nullable(subscriptionItemOfLine),
  serviceDateFrom: instantOrNull,
  serviceDateTo: instantOrNull,
};

export const positionSchema = Type.Object(
  { ...position, parent: nullable(Type.Object(position, { description: 'Without a parent of its own' })) },
  { $id: 'InvoicePosition' },
);

const exchangeRate = Type.Object(
  { sourceCurrencyCode: text, destinationCurrencyCode: text, exchangeRate: text, exchangeRateDate: instant },
  { $id: 'AppliedExchangeRate' },
);

const invoiceAddress = Type.Unsafe<Record<string, unknown>>(Type.Partial(AddressState));

export const invoiceSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    customer: embedded('Customer'),
    paymentMethod: nullable(embedded('PaymentMethod')),
    referencedInvoice: nullable(embedded('Invoice')),
    referencedInvoices: Type.Array(Type.Object({ id: text, number: text }), {
      description: 'All documents that this one is about; a credit may have lines of several',
    }),
    type: words(DOCUMENT_TYPES),
    currencyCode: text,
    number: textOrNull,
    status: words(INVOICE_STATUSES),
    creationDate: instant,
    finalizationDate: instantOrNull,
    dueDate: instantOrNull,
    lastReminderDate: instantOrNull,
    lastSentAt: instantOrNull,
    dunningLevel: Type.Integer(),
    dunningStatus: words(['reminder', 'dunning', 'none']),
    payDate: instantOrNull,
    invoiceAddress: nullable(invoiceAddress),
    internalNote: textOrNull,
    title: textOrNull,
    introduction: textOrNull,
    closing: textOrNull,
    netAmount: money,
    grossAmount: money,
    taxAmount: money,
    discountAmount: nullable(money),
    unpaidAmount: money,
    file: nullable(mediaSchema),
    xmlFile: nullable(mediaSchema),
    taxes: Type.Array(
      Type.Object({
        category: words(TAX_CATEGORIES),
        rate: text,
        netAmount: money,
        taxAmount: money,
        note: textOrNull,
        exemptionCode: textOrNull,
      }),
      { description: 'The sums of each category and rate of the positions; they make the tax of the document.' },
    ),
    positions: Type.Array(positionSchema),
    applicatedExchangeRates: Type.Array(exchangeRate),
    eInvoiceType: textOrNull,
    leitwegId: textOrNull,
    customFields,
    serviceDateFrom: instantOrNull,
    serviceDateTo: instantOrNull,
    usageBreakdownUrl: textOrNull,
    cancellationDocument: nullable(Type.Object({ id: Type.String({ format: 'uuid' }), number: text })),
    dunningDisabled: Type.Boolean(),
    sourceType: words(['cart', 'subscription', 'manual']),
    paymentIntent: nullable(Type.Object({ id: text, status: text, amount: money, openAmount: money })),
  },
  { $id: 'Invoice' },
);

export type InvoiceJson = Static<typeof invoiceSchema>;
export type PositionJson = Static<typeof positionSchema>;
export type MediaJson = Static<typeof mediaSchema>;

export const timelineSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      dateTime: instant,
      type: text,
      sequence: Type.Integer(),
      metadata: nullable(Type.Record(text, Type.Unknown())),
    }),
  ),
});
export type TimelineJson = Static<typeof timelineSchema>;

export const originSchema = Type.Object({
  id: textOrNull,
  invoiceId: text,
  billingDay: textOrNull,
  blockedReason: textOrNull,
  batches: Type.Array(Type.Object({ id: text, billingRunId: textOrNull, subscriptionIds: Type.Array(text) })),
});
export type OriginJson = Static<typeof originSchema>;
