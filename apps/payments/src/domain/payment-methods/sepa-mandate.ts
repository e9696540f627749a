import { addInterval, type Day } from '@kontor/kernel';
import { electronicFormatIBAN, isSEPACountry, isValidBIC, isValidIBAN } from 'ibantools';

/**
 * Kind of the next debit: the first of several, a following one, the only one, the last one.
 * @see EPC016-06 SEPA Core Direct Debit Rulebook, AT-21
 */
export const SEQUENCE_TYPES = ['FRST', 'RCUR', 'OOFF', 'FNAL'] as const;
export type SequenceType = (typeof SEQUENCE_TYPES)[number];

/** Core for everybody; B2B between companies, where the payer's bank must know the mandate and nothing goes back. */
export const SEPA_SCHEMES = ['CORE', 'B2B'] as const;
export type SepaScheme = (typeof SEPA_SCHEMES)[number];

/** The payer's permission to debit an account, without the account's full number. */
export interface Mandate {
  readonly accountHolder: string;
  /** Masked. */
  readonly iban: string;
  readonly bic: string | null;
  readonly reference: string;
  readonly signedOn: Day;
  readonly scheme: SepaScheme;
  /** How it was consented to on the page of a link; null for mandates that came by the API. */
  readonly consent: MandateConsent | null;
}

/** What proves a mandate that was given on a page. */
export interface MandateConsent {
  readonly at: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly language: string;
  /** The words that the payer agreed to. */
  readonly text: string;
}

/** An IBAN without blanks in upper case, or null when it is none of SEPA with right check digits. */
export function readIban(text: string): string | null {
  const iban = electronicFormatIBAN(text);
  return iban && isValidIBAN(iban) && isSEPACountry(iban.slice(0, 2)) ? iban : null;
}

/** A BIC in upper case, or null. */
export function readBic(text: string): string | null {
  const bic = text.replace(/\s/g, '').toUpperCase();
  return isValidBIC(bic) ? bic : null;
}

/** First four and last four characters: enough to recognize an account. */
export const maskIban = (iban: string): string => `${iban.slice(0, 4)}••••${iban.slice(-4)}`;

export const MANDATE_REFERENCE = /^(?!\/)(?!.*\/\/)[A-Za-z0-9+?/:().,'-]{1,35}(?<!\/)$/;

/** True for what banks accept as a mandate's reference: 35 characters of the SEPA set without blanks. */
export const isMandateReference = (text: string): boolean => MANDATE_REFERENCE.test(text);

/** What the debit after one of this kind is; null: there is none, the mandate is used up. */
export const sequenceAfter = (sequence: SequenceType): SequenceType | null =>
  sequence === 'FRST' || sequence === 'RCUR' ? 'RCUR' : null;

/** A mandate that was not used for 36 months has ended: the first day on which it has. */
export const mandateEnds = (signedOn: Day, lastUsedOn: Day | null): Day =>
  addInterval(lastUsedOn !== null && lastUsedOn > signedOn ? lastUsedOn : signedOn, { count: 36, unit: 'M' });

/**
 * Reasons of a return after which the mandate must not be used again: closed or wrong account, no mandate, refused,
 * deceased.
 */
const ENDING_REASONS = new Set(['AC01', 'AC04', 'AC06', 'AC13', 'AG01', 'MD01', 'MD07', 'SL01', 'MS02']);
export const endsMandate = (reasonCode: string): boolean => ENDING_REASONS.has(reasonCode);
