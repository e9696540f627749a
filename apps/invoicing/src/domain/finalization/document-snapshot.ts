import type { TaxCategory } from '@kontor/tax';
import type { DocumentType } from '../invoices/invoice.js';

/**
 * Everything that a document's PDF and e-invoice show, frozen when the document gets its number. Rendering reads
 * nothing else, so the file is the same whenever it is made. It is plain JSON: stored as such and posted to worker
 * threads. Amounts are integer minor units of `currencyCode` (safe integers, checked before freezing); days are
 * calendar days `YYYY-MM-DD` in the recipient's time zone; quantities, rates and percentages are decimal texts.
 */
export interface DocumentSnapshot {
  /** Form of this snapshot; a newer form gets a newer number. */
  readonly version: 1;
  readonly type: DocumentType;
  /** Null on the preview of a draft. */
  readonly number: string | null;
  /** True for the preview of a draft: the file says that it is none. */
  readonly draft: boolean;
  readonly language: 'de' | 'en';
  readonly currencyCode: string;
  /** Day of finalization (of the preview for a draft). */
  readonly issueDate: string;
  readonly dueDate: string | null;
  /** First and last included day over all positions; null when no position has a period. */
  readonly servicePeriod: ServicePeriod | null;
  readonly seller: SnapshotSeller;
  /** Absent where the seller has neither a colour nor a logo. */
  readonly brand?: SnapshotBrand;
  readonly recipient: SnapshotRecipient;
  readonly texts: { readonly title: string; readonly introduction: string | null; readonly closing: string | null };
  /** Names printed in the reference block: subscriptions and their purchase order numbers, joined. */
  readonly references: {
    readonly subscriptionNumbers: string | null;
    readonly poNumber: string | null;
    readonly leitwegId: string | null;
    /** What a recipient who is no authority asked to be named (BT-10). */
    readonly buyerReference?: string | null;
  };
  /** Top-level positions in print order; headlines come from `group`. */
  readonly positions: readonly SnapshotPosition[];
  /** Headlines by rank; a position names one by `groupId`. */
  readonly groups: readonly SnapshotGroup[];
  /** One row per (category, rate), the VAT table. */
  readonly taxes: readonly SnapshotTax[];
  readonly totals: SnapshotTotals;
  readonly payment: SnapshotPayment;
  /** Of a reminder or dunning letter: what it claims, instead of positions. */
  readonly claim?: SnapshotClaim | null;
  /** The corrected or reminded document, printed as reference. */
  readonly referencedDocument: SnapshotReference | null;
  /** All of them, where a credit is made of lines of several documents; older snapshots have none. */
  readonly referencedDocuments?: readonly SnapshotReference[];
  /** Rates by which positions in other currencies were converted. */
  readonly exchangeRates: readonly SnapshotExchangeRate[];
  /** §19 UStG applies: no tax is shown. */
  readonly smallBusiness: boolean;
  readonly eInvoiceType: 'factorx' | 'zugferd211' | null;
  /** What only the e-invoice says; null or absent where there is none. */
  readonly eInvoice?: SnapshotEInvoice | null;
}

/** How a seller's documents look. */
export interface SnapshotBrand {
  /** `#1a4a87` */
  readonly accentColor: string | null;
  /** A picture as a data address; in stored snapshots its SHA-256. */
  readonly logo: string | null;
}

export interface SnapshotEInvoice {
  /** UNTDID 1001: invoice, credit note, corrected invoice. */
  readonly typeCode: '380' | '381' | '384';
  /** The tax in the currency in which the seller declares it, where the document has another one. */
  readonly accounting: {
    readonly currencyCode: string;
    /** Minor units of that currency. */
    readonly taxAmount: number;
    /** Units of it per unit of the document's currency. */
    readonly rate: string;
    readonly date: string;
  } | null;
}

/** What a reminder or dunning letter claims, in the order of its lines. */
export interface SnapshotClaim {
  readonly level: number;
  /** Of a dunning letter: which one it is, reminders not counted. */
  readonly letter: number;
  readonly invoiceNumber: string;
  readonly invoiceDate: string;
  readonly invoiceDueDate: string | null;
  readonly invoiceGrossAmount: number;
  /** Open of the invoice, after payments and credits. */
  readonly openAmount: number;
  /** Open of earlier reminders' fees. */
  readonly earlierFeesAmount: number;
  /** The fees of this document are its positions. */
  readonly claimAmount: number;
}

/** Another document, by type, number and day. */
export interface SnapshotReference {
  readonly type: DocumentType;
  readonly number: string;
  readonly issueDate: string;
}

/** First and last included calendar day. */
export interface ServicePeriod {
  readonly from: string;
  readonly to: string;
}

export interface SnapshotPostalAddress {
  readonly street: string | null;
  readonly houseNumber: string | null;
  readonly addition: string | null;
  readonly zip: string | null;
  readonly city: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
}

export interface SnapshotSeller {
  readonly companyName: string;
  readonly address: SnapshotPostalAddress;
  readonly vatId: string | null;
  readonly taxNumber: string | null;
  /** Commercial register and managing directors, for the footer; one line each. */
  readonly registrationLines: readonly string[];
  readonly contact: {
    readonly name: string | null;
    readonly email: string | null;
    readonly phone: string | null;
    readonly website: string | null;
  };
  readonly bankAccount: {
    readonly accountHolder: string;
    readonly iban: string;
    readonly bic: string | null;
    readonly bankName: string | null;
  } | null;
  readonly creditorIdentifier: string | null;
}

export interface SnapshotRecipient {
  readonly customerId: string;
  readonly customerNumber: string;
  /** Lines of the name in window order: company, then person with salutation. Never empty. */
  readonly nameLines: readonly string[];
  readonly companyName: string | null;
  readonly personName: string | null;
  readonly address: SnapshotPostalAddress;
  readonly vatId: string | null;
  readonly costCentre: string | null;
  readonly email: string | null;
}

export interface SnapshotGroup {
  readonly id: string;
  readonly ranking: number;
  readonly name: string;
}

export interface SnapshotPosition {
  readonly id: string;
  /** Printed number: `1`, `2`; children `1.1`. */
  readonly label: string;
  readonly groupId: string | null;
  readonly name: string;
  readonly description: string | null;
  /** Decimal text; carries the sign of a credit. */
  readonly quantity: string;
  readonly unitName: string | null;
  /** `amount × 10^-precision` of `currencyCode`; after conversion into the document's currency. */
  readonly unitPrice: { readonly amount: number; readonly precision: number };
  /** Before discount. */
  readonly netAmount: number;
  /** Positive, of `netAmount`'s sign; 0 without discount. */
  readonly discountAmount: number;
  /** Shown beside the discount when it was given as a percentage. */
  readonly discountPercentage: string | null;
  /** After discount. */
  readonly netAfterDiscount: number;
  readonly taxAmount: number;
  readonly grossAmount: number;
  readonly taxCategory: TaxCategory;
  /** Percent: `19`. */
  readonly taxRate: string;
  readonly servicePeriod: ServicePeriod | null;
  /** What was measured, of a line that bills usage; days are included. */
  readonly usage?: {
    readonly metric: string;
    readonly quantity: string;
    readonly unit: string | null;
    readonly group: Readonly<Record<string, string>> | null;
    readonly period: ServicePeriod;
  } | null;
  /** Depth two at most: children have no children. A child's amounts count for themselves, not in its parent's. */
  readonly children: readonly SnapshotPosition[];
}

export interface SnapshotTax {
  /** EN 16931 code: S, AE, K, G, E, Z, O. */
  readonly category: TaxCategory;
  readonly rate: string;
  /** Sum of (net − discount). */
  readonly baseAmount: number;
  readonly taxAmount: number;
  /** Reason for tax not being charged, in the document's language; null for S and Z. */
  readonly legalNote: string | null;
  /** Exemption reason for the e-invoice (VATEX code), where one exists. */
  readonly exemptionCode: string | null;
}

export interface SnapshotTotals {
  /** Sum of the positions' net amounts, before discounts. */
  readonly netBeforeDiscountAmount: number;
  readonly discountAmount: number;
  /** After discounts. */
  readonly netAmount: number;
  readonly taxAmount: number;
  readonly grossAmount: number;
  /** Paid before the document was issued; absent: nothing. */
  readonly prepaidAmount?: number;
}

/** How the amount is settled; printed as the payment block. */
export type SnapshotPayment =
  | {
      readonly kind: 'transfer';
      readonly accountHolder: string;
      readonly iban: string;
      readonly bic: string | null;
      readonly bankName: string | null;
      /** What the payer is asked to write: the document's number. */
      readonly remittance: string;
      /** GiroCode wanted and possible (EUR, IBAN known). */
      readonly qrCode: boolean;
    }
  | {
      readonly kind: 'sepa_debit';
      /** Masked. */
      readonly iban: string | null;
      readonly mandateReference: string | null;
      readonly creditorIdentifier: string | null;
      /** Day of the debit: the due day. */
      readonly debitDate: string | null;
    }
  /**
   * Card, online wallet, test gateway: collected without the recipient's doing. `label` is the method's display name.
   */
  | {
      readonly kind: 'collected';
      readonly label: string;
      readonly card?: { readonly last4: string; readonly holder: string | null } | null;
    }
  /** Credit documents: set off or paid out. */
  | { readonly kind: 'credit' }
  /** Nothing to pay (total 0) or no way of paying known. */
  | { readonly kind: 'none' };

export interface SnapshotExchangeRate {
  readonly sourceCurrencyCode: string;
  readonly destinationCurrencyCode: string;
  /** Units of the destination per unit of the source, decimal text. */
  readonly rate: string;
  readonly date: string;
}
