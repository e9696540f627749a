import type { TaxCategory } from '@kontor/tax';

/**
 * An invoice as EN 16931 means it, apart from any syntax: what is written as CII or UBL, read from either, and checked
 * by rules. Names follow the business terms (BT) and groups (BG) of the norm; amounts, quantities and rates are decimal
 * texts, days are `YYYY-MM-DD`. What was read may lack anything: those fields are empty texts.
 */
export interface EInvoice {
  /** BT-24. */
  readonly specification: string;
  /** BT-23. */
  readonly process: string | null;
  /** BT-1. */
  readonly number: string;
  /** BT-2. */
  readonly issueDate: string;
  /** BT-3: 380 invoice, 381 credit note, 384 corrected invoice. */
  readonly typeCode: string;
  /** BT-5. */
  readonly currency: string;
  /** BT-6. */
  readonly taxCurrency: string | null;
  /** BT-9. */
  readonly dueDate: string | null;
  /** BT-10: with XRechnung the Leitweg-ID. */
  readonly buyerReference: string | null;
  /** BT-12. */
  readonly contract: string | null;
  /** BT-13. */
  readonly order: string | null;
  /** BT-19: cost centre. */
  readonly buyerAccount: string | null;
  /** BT-20. */
  readonly paymentTerms: string | null;
  /** BG-1: BT-22. */
  readonly notes: readonly string[];
  /** BG-3. */
  readonly preceding: readonly { readonly number: string; readonly issueDate: string | null }[];
  readonly seller: Party;
  readonly buyer: Party;
  /** BG-13. */
  readonly delivery: Delivery | null;
  /** BG-14. */
  readonly period: Period | null;
  readonly payment: PaymentInstructions | null;
  /** BG-20, BG-21. */
  readonly allowances: readonly DocumentAllowance[];
  /** BG-22. */
  readonly totals: Totals;
  /** BG-23. */
  readonly taxes: readonly TaxRow[];
  /** BG-24. */
  readonly attachments: readonly Attachment[];
  /** BG-25. */
  readonly lines: readonly Line[];
}

export interface Party {
  /** BT-27, BT-44. */
  readonly name: string;
  /** BT-29, BT-46. */
  readonly id: string | null;
  /** BT-30, BT-47. */
  readonly legalId: string | null;
  /** BT-31, BT-48. */
  readonly vatId: string | null;
  /** BT-32. */
  readonly taxNumber: string | null;
  /** BT-33: further legal information about the seller. */
  readonly legalText: string | null;
  /** BT-34, BT-49; the scheme is of the EAS list, `EM` for e-mail. */
  readonly endpoint: { readonly id: string; readonly scheme: string } | null;
  readonly address: Address;
  /** BG-6, BG-9. */
  readonly contact: {
    readonly name: string | null;
    readonly phone: string | null;
    readonly email: string | null;
  } | null;
}

export interface Address {
  readonly line1: string | null;
  readonly line2: string | null;
  readonly zip: string | null;
  readonly city: string | null;
  readonly country: string;
}

export interface Period {
  readonly from: string | null;
  readonly to: string | null;
}

export interface Delivery {
  /** BT-72. */
  readonly date: string | null;
  /** BT-70. */
  readonly name: string | null;
  /** BG-15. */
  readonly address: Address | null;
}

export interface PaymentInstructions {
  /** BT-81, of UNCL 4461: 58 SEPA transfer, 59 SEPA debit, 48 card … */
  readonly code: string;
  /** BT-82. */
  readonly text: string | null;
  /** BT-83. */
  readonly remittance: string | null;
  /** BG-17. */
  readonly account: { readonly iban: string; readonly name: string | null; readonly bic: string | null } | null;
  /** BG-18. */
  readonly card: { readonly number: string; readonly holder: string | null } | null;
  /** BG-19. */
  readonly debit: {
    readonly mandate: string | null;
    readonly creditorId: string | null;
    readonly account: string | null;
  } | null;
}

export interface Allowance {
  readonly charge: boolean;
  readonly amount: string;
  readonly baseAmount: string | null;
  readonly percentage: string | null;
  readonly reason: string | null;
  readonly reasonCode: string | null;
}

export interface DocumentAllowance extends Allowance {
  readonly category: TaxCategory;
  readonly rate: string;
}

export interface Totals {
  /** BT-106. */
  readonly lines: string;
  /** BT-107. */
  readonly allowances: string | null;
  /** BT-108. */
  readonly charges: string | null;
  /** BT-109. */
  readonly net: string;
  /** BT-110. */
  readonly tax: string | null;
  /** BT-111, in BT-6. */
  readonly taxInTaxCurrency: string | null;
  /** BT-112. */
  readonly gross: string;
  /** BT-113. */
  readonly prepaid: string | null;
  /** BT-114. */
  readonly rounding: string | null;
  /** BT-115. */
  readonly payable: string;
}

export interface TaxRow {
  readonly base: string;
  readonly tax: string;
  readonly category: TaxCategory;
  /** BT-119. */
  readonly rate: string | null;
  /** BT-120. */
  readonly reason: string | null;
  /** BT-121. */
  readonly reasonCode: string | null;
}

export interface Attachment {
  /** BT-122. */
  readonly id: string;
  /** BT-123. */
  readonly description: string | null;
  readonly fileName: string;
  readonly mimeType: string;
  readonly base64: string;
}

export interface Line {
  /** BT-126. */
  readonly id: string;
  /** BT-127. */
  readonly note: string | null;
  /** BT-129. */
  readonly quantity: string;
  /** BT-130, of UN/ECE Rec. 20. */
  readonly unit: string;
  /** BT-131: after allowances and charges of the line. */
  readonly net: string;
  /** BT-132. */
  readonly orderLine: string | null;
  readonly period: Period | null;
  /** BG-27, BG-28. */
  readonly allowances: readonly Allowance[];
  /** BT-146, per BT-149 units. */
  readonly price: string;
  /** BT-149. */
  readonly baseQuantity: string | null;
  readonly category: TaxCategory;
  /** BT-152: none with category O. */
  readonly rate: string | null;
  /** BT-153. */
  readonly name: string;
  /** BT-154. */
  readonly description: string | null;
}

export const EN16931 = 'urn:cen.eu:en16931:2017';
export const XRECHNUNG = `${EN16931}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0`;
/** BT-23 that XRechnung expects. */
export const PEPPOL_PROCESS = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
