import { Type } from '@sinclair/typebox';
import { DOCUMENT_TYPES } from '../domain/settings/number-format.js';

const Text = Type.Union([Type.String(), Type.Null()]);
const texts = (...keys: string[]) => Type.Object(Object.fromEntries(keys.map((key) => [key, Text])));

/** Answer of `/settings/billing`: every key with its value. */
export const billingSettingsSchema = Type.Object(
  {
    paymentTermDays: Type.Integer(),
    manualApproval: Type.Boolean(),
    createZeroInvoices: Type.Boolean(),
    creditOverpayments: Type.Boolean(),
    applyCreditAutomatically: Type.Boolean(),
    dunningEnabled: Type.Boolean(),
    usageBreakdownLink: Type.Boolean(),
    paymentQrCode: Type.Boolean(),
    billingDisabled: Type.Boolean(),
    usageGraceHours: Type.Integer(),
    usageRetentionDays: Type.Integer(),
    paymentRetryDays: Type.Array(Type.Integer()),
    preNotificationDays: Type.Integer(),
    creditExpiryDays: Type.Union([Type.Integer(), Type.Null()]),
    positionGroupNameTemplate: Text,
    eInvoiceEnabled: Type.Boolean(),
    eInvoiceType: Type.String({ enum: ['factorx', 'zugferd211'] }),
    customPdfRendering: Type.Object({
      enabled: Type.Boolean(),
      embedXml: Type.Boolean(),
      fallback: Type.Boolean(),
      timeoutMinutes: Type.Integer(),
    }),
    numberFormats: Type.Object(Object.fromEntries(DOCUMENT_TYPES.map((type) => [type, Type.String()]))),
    oss: Type.Boolean(),
    smallBusiness: Type.Boolean(),
    seller: Type.Object({
      company: Text,
      address: texts('street', 'houseNumber', 'zip', 'city', 'addition', 'countryCode'),
      taxNumber: Text,
      vatId: Text,
      bankAccount: texts('accountHolder', 'iban', 'bic', 'bankName'),
      creditorIdentifier: Text,
      contact: texts('name', 'email', 'phone'),
    }),
  },
  { $id: 'BillingSettings' },
);

export const customFieldSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    key: Type.String(),
    name: Type.String(),
    object: Type.String(),
    type: Type.String(),
    options: Type.Array(Type.String()),
    required: Type.Boolean(),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'CustomField' },
);
