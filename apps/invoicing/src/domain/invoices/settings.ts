import type { DocumentType, EInvoiceType } from './invoice.js';

/** The billing settings that documents depend on, as copied from their owner: every key has its value. */
export interface InvoicingSettings {
  readonly paymentTermDays: number;
  readonly manualApproval: boolean;
  readonly createZeroInvoices: boolean;
  readonly usageBreakdownLink: boolean;
  readonly paymentQrCode: boolean;
  /** Days between the notice of a direct debit to its payer and the debit. */
  readonly preNotificationDays: number;
  readonly positionGroupNameTemplate: string | null;
  readonly eInvoiceEnabled: boolean;
  readonly eInvoiceType: EInvoiceType;
  /** Of the customer: what its documents name unless they say otherwise. */
  readonly leitwegId: string | null;
  readonly buyerReference: string | null;
  /** Only on the enterprise plan; see {@link ownRenderingOf}. */
  readonly customPdfRendering: CustomPdfRendering;
  readonly numberFormats: Readonly<Record<DocumentType, string>>;
  readonly dunningEnabled: boolean;
  readonly dunningInterest: { readonly enabled: boolean };
  readonly dunningLumpSum: boolean;
  readonly oss: boolean;
  readonly smallBusiness: boolean;
  readonly seller: Seller;
  /** How the seller's pages and documents look. */
  readonly checkout: { readonly logo: string | null; readonly accentColor: string | null };
}

/** Documents that the tenant's own system renders. */
export interface CustomPdfRendering {
  readonly enabled: boolean;
  readonly embedXml: boolean;
  /** Whether our own renderer takes over when the time is over. */
  readonly fallback: boolean;
  readonly timeoutMinutes: number;
}

export interface Seller {
  readonly company: string | null;
  readonly address: {
    readonly street: string | null;
    readonly houseNumber: string | null;
    readonly zip: string | null;
    readonly city: string | null;
    readonly addition: string | null;
    readonly countryCode: string | null;
  };
  readonly taxNumber: string | null;
  readonly vatId: string | null;
  readonly bankAccount: {
    readonly accountHolder: string | null;
    readonly iban: string | null;
    readonly bic: string | null;
    readonly bankName: string | null;
  } | null;
  readonly creditorIdentifier: string | null;
  /** Register, managing directors: lines of the footer. */
  readonly registration?: string | null;
  readonly contact: {
    readonly name: string | null;
    readonly email: string | null;
    readonly phone: string | null;
  } | null;
}

const DEFAULTS: InvoicingSettings = {
  paymentTermDays: 14,
  manualApproval: false,
  createZeroInvoices: false,
  usageBreakdownLink: true,
  paymentQrCode: true,
  preNotificationDays: 2,
  positionGroupNameTemplate: null,
  eInvoiceEnabled: true,
  eInvoiceType: 'zugferd211',
  leitwegId: null,
  buyerReference: null,
  customPdfRendering: { enabled: false, embedXml: true, fallback: true, timeoutMinutes: 60 },
  numberFormats: {
    TYPE_INVOICE: 'RE-{year}-{seq:5}',
    TYPE_CREDIT: 'GS-{year}-{seq:5}',
    TYPE_REFUND: 'ER-{year}-{seq:5}',
    TYPE_REMINDER: 'ZE-{year}-{seq:5}',
    TYPE_CANCEL: 'ST-{year}-{seq:5}',
    TYPE_DUNNING: 'MA-{year}-{seq:5}',
  },
  dunningEnabled: true,
  dunningInterest: { enabled: false },
  dunningLumpSum: false,
  oss: true,
  smallBusiness: false,
  seller: {
    company: null,
    address: { street: null, houseNumber: null, zip: null, city: null, addition: null, countryCode: null },
    taxNumber: null,
    vatId: null,
    bankAccount: null,
    creditorIdentifier: null,
    contact: null,
  },
  checkout: { logo: null, accentColor: null },
};

/** Settings that a customer may override, or has alone; the others are the tenant's. */
const OVERRIDABLE = [
  'paymentTermDays',
  'manualApproval',
  'createZeroInvoices',
  'dunningEnabled',
  'usageBreakdownLink',
  'paymentQrCode',
  'preNotificationDays',
  'positionGroupNameTemplate',
  'eInvoiceEnabled',
  'eInvoiceType',
  'leitwegId',
  'buyerReference',
] as const;

/** The tenant's settings with the customer's overrides; null overrides nothing. */
export function settingsFor(
  tenant: Readonly<Record<string, unknown>> | null,
  overrides: Readonly<Record<string, unknown>> | null,
): InvoicingSettings {
  const effective: Record<string, unknown> = { ...DEFAULTS, ...tenant };
  effective.numberFormats = { ...DEFAULTS.numberFormats, ...(tenant?.numberFormats as object | undefined) };
  for (const key of OVERRIDABLE) {
    const override = overrides?.[key];
    if (override !== undefined && override !== null) effective[key] = override;
  }
  return effective as unknown as InvoicingSettings;
}

/** The terms of rendering of one's own; null where documents are rendered here. */
export const ownRenderingOf = (
  plan: string,
  { customPdfRendering }: Pick<InvoicingSettings, 'customPdfRendering'>,
): CustomPdfRendering | null => (plan === 'enterprise' && customPdfRendering.enabled ? customPdfRendering : null);

/** True when the seller's data suffice for a document. @see § 14 (4) UStG */
export const isSellerComplete = ({ company, address, taxNumber, vatId }: Seller): boolean =>
  Boolean(company && address.street && address.zip && address.city && address.countryCode && (taxNumber || vatId));
