import { type Static, type TString, Type } from '@sinclair/typebox';
import { DOCUMENT_TYPES, type DocumentType } from './number-format.js';

const Text = Type.Union([Type.String(), Type.Null()]);
/** An object of so many texts. */
function texts<K extends string>(...keys: K[]) {
  return Type.Object(Object.fromEntries(keys.map((key) => [key, Text])) as Record<K, typeof Text>);
}

/** Every key of `/settings/billing` with its value. @see docs/rules/customers.md#settings */
export const billingSettingsSchema = Type.Object(
  {
    paymentTermDays: Type.Integer(),
    manualApproval: Type.Boolean(),
    createZeroInvoices: Type.Boolean(),
    creditOverpayments: Type.Boolean(),
    applyCreditAutomatically: Type.Boolean(),
    dunningEnabled: Type.Boolean(),
    dunningInterest: Type.Object(
      { enabled: Type.Boolean() },
      { description: 'Statutory interest on what is overdue, claimed by dunning letters (§ 288 BGB).' },
    ),
    dunningLumpSum: Type.Boolean({ description: '40 € once from businesses (§ 288 (5) BGB).' }),
    usageBreakdownLink: Type.Boolean(),
    paymentQrCode: Type.Boolean(),
    billingDisabled: Type.Boolean(),
    usageGraceHours: Type.Integer(),
    usageRetentionDays: Type.Integer(),
    paymentRetryDays: Type.Array(Type.Integer()),
    preNotificationDays: Type.Integer(),
    /** Null: credit never expires. */
    creditExpiryDays: Type.Union([Type.Integer(), Type.Null()]),
    /** Liquid; null: the subscription's name. */
    positionGroupNameTemplate: Text,
    eInvoiceEnabled: Type.Boolean(),
    eInvoiceType: Type.Unsafe<'factorx' | 'zugferd211'>({ type: 'string', enum: ['factorx', 'zugferd211'] }),
    customPdfRendering: Type.Object({
      enabled: Type.Boolean(),
      embedXml: Type.Boolean(),
      fallback: Type.Boolean(),
      timeoutMinutes: Type.Integer(),
    }),
    numberFormats: Type.Object(
      Object.fromEntries(DOCUMENT_TYPES.map((type) => [type, Type.String()])) as Record<DocumentType, TString>,
    ),
    oss: Type.Boolean(),
    smallBusiness: Type.Boolean(),
    checkout: Type.Object(
      { ...texts('termsUrl', 'privacyUrl', 'withdrawalUrl', 'imprintUrl', 'logo', 'accentColor').properties },
      { description: "How the pages for buyers look, and which of the seller's own pages they link." },
    ),
    offers: Type.Object(
      { approvers: Type.Array(Type.String({ format: 'uuid' })), reminderDays: Type.Array(Type.Integer()) },
      { description: 'Who has to approve offers before they are published, and when recipients are reminded of them.' },
    ),
    /** Who issues the documents: §14 UStG wants name, address and a tax number or VAT id. */
    seller: Type.Object({
      company: Text,
      address: texts('street', 'houseNumber', 'zip', 'city', 'addition', 'countryCode'),
      taxNumber: Text,
      vatId: Text,
      bankAccount: texts('accountHolder', 'iban', 'bic', 'bankName'),
      creditorIdentifier: Text,
      registration: Text,
      contact: texts('name', 'email', 'phone'),
    }),
  },
  { $id: 'BillingSettings' },
);

export type BillingSettings = Static<typeof billingSettingsSchema>;
export type Seller = BillingSettings['seller'];
