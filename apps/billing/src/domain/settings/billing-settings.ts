import type { BillingSettings, Seller } from './billing-settings.schema.js';
import { DEFAULT_NUMBER_FORMATS } from './number-format.js';

const emptySeller: Seller = {
  company: null,
  address: { street: null, houseNumber: null, zip: null, city: null, addition: null, countryCode: null },
  taxNumber: null,
  vatId: null,
  bankAccount: { accountHolder: null, iban: null, bic: null, bankName: null },
  creditorIdentifier: null,
  registration: null,
  contact: { name: null, email: null, phone: null },
};

/** What holds while nothing was set. */
export const DEFAULT_SETTINGS: BillingSettings = {
  paymentTermDays: 14,
  manualApproval: false,
  createZeroInvoices: false,
  creditOverpayments: false,
  applyCreditAutomatically: false,
  dunningEnabled: true,
  dunningInterest: { enabled: false },
  dunningLumpSum: false,
  usageBreakdownLink: true,
  paymentQrCode: true,
  billingDisabled: false,
  usageGraceHours: 2,
  usageRetentionDays: 400,
  paymentRetryDays: [3, 5, 7],
  preNotificationDays: 2,
  creditExpiryDays: null,
  positionGroupNameTemplate: null,
  eInvoiceEnabled: true,
  eInvoiceType: 'zugferd211',
  customPdfRendering: { enabled: false, embedXml: true, fallback: true, timeoutMinutes: 60 },
  numberFormats: DEFAULT_NUMBER_FORMATS,
  oss: true,
  smallBusiness: false,
  checkout: {
    termsUrl: null,
    privacyUrl: null,
    withdrawalUrl: null,
    imprintUrl: null,
    logo: null,
    accentColor: null,
  },
  offers: { approvers: [], reminderDays: [] },
  seller: emptySeller,
};

/** What a sandbox tenant starts with, so that its first invoice can be finalized. All of it is made up. */
export const exampleSeller = (company: string): Seller => ({
  company,
  address: {
    street: 'Musterstraße',
    houseNumber: '1',
    zip: '10115',
    city: 'Berlin',
    addition: null,
    countryCode: 'DE',
  },
  taxNumber: '29/123/45678',
  vatId: 'DE123456788',
  bankAccount: { accountHolder: company, iban: 'DE02120300000000202051', bic: 'BYLADEM1001', bankName: 'Musterbank' },
  creditorIdentifier: 'DE98ZZZ09999999999',
  registration: null,
  contact: { name: 'Buchhaltung', email: 'rechnung@example.com', phone: '+49 30 1234567' },
});

/** Settings that a customer may override; the others concern the tenant's documents and duties as a whole. */
export const OVERRIDABLE_SETTINGS = [
  'paymentTermDays',
  'manualApproval',
  'createZeroInvoices',
  'creditOverpayments',
  'applyCreditAutomatically',
  'dunningEnabled',
  'usageBreakdownLink',
  'paymentQrCode',
  'billingDisabled',
  'usageGraceHours',
  'paymentRetryDays',
  'preNotificationDays',
  'creditExpiryDays',
  'positionGroupNameTemplate',
  'eInvoiceEnabled',
  'eInvoiceType',
] as const satisfies readonly (keyof BillingSettings)[];

/** What a customer alone has: its days, and what the invoices of its runs name. */
export const CUSTOMER_SETTINGS = ['timeZone', 'leitwegId', 'buyerReference'] as const;

type Json = Readonly<Record<string, unknown>>;
const isPlain = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const cleared = (value: Json): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).map(([key, item]) => [key, isPlain(item) ? cleared(item) : null]));

/**
 * `changes` laid over `base`: objects key by key (null clears every key of one), everything else (lists too) as a
 * whole; undefined changes nothing.
 */
export function mergeSettings(base: Json, changes: Json): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) continue;
    const before = merged[key];
    if (isPlain(before))
      merged[key] = isPlain(value) ? mergeSettings(before, value) : value === null ? cleared(before) : value;
    else merged[key] = value;
  }
  return merged;
}

/** Blank text in a body means "nothing"; other text loses the blanks around it. */
export const trimmed = (changes: Json): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(changes).map(([key, value]) => [
      key,
      isPlain(value) ? trimmed(value) : typeof value === 'string' ? value.trim() || null : value,
    ]),
  );

/** What is worth storing: a null where the default has a value means "back to the default", so the key is left out. */
export function withoutEmptied(
  values: Json,
  defaults: Json = DEFAULT_SETTINGS as unknown as Json,
): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    const standard = defaults[key];
    if (isPlain(value) && isPlain(standard)) kept[key] = withoutEmptied(value, standard);
    else if (value !== null || standard === null) kept[key] = value;
  }
  return kept;
}

/** Every key with its value: the defaults, overlaid with what the tenant has set. */
export const effectiveSettings = (stored: Json): BillingSettings =>
  mergeSettings(DEFAULT_SETTINGS as unknown as Json, stored) as unknown as BillingSettings;

/** Settings that hold for a customer: its overrides, else the tenant's. */
export const customerSettings = (tenant: BillingSettings, overrides: Json): BillingSettings =>
  mergeSettings(
    tenant as unknown as Json,
    Object.fromEntries(
      OVERRIDABLE_SETTINGS.filter((key) => overrides[key] !== undefined && overrides[key] !== null).map((key) => [
        key,
        overrides[key],
      ]),
    ),
  ) as unknown as BillingSettings;

/** Names of the top-level keys whose values differ, sorted. */
export const changedKeys = (before: Json, after: Json): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => JSON.stringify(before[key] ?? null) !== JSON.stringify(after[key] ?? null))
    .sort();
