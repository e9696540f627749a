import { type Decimal, decimal, isDecimal, scaledInteger } from '@kontor/money';
import type { EInvoice } from '../e-invoice.js';

/** What a rule finds: the norm's term that is wrong, and the input of this service by which it is mended. */
export interface Finding {
  readonly ruleId: string;
  readonly severity: 'fatal' | 'warning';
  /** Business term: `BT-48`, `BG-25[2]/BT-153`. */
  readonly location: string;
  readonly field: string;
  readonly de: string;
  readonly en: string;
}

export type Report = (finding: Omit<Finding, 'severity'> & { readonly severity?: Finding['severity'] }) => void;
export type RuleSet = (invoice: EInvoice, report: Report) => void;

const DECIMAL = /^\s*([+-]?)(\d*)(?:\.(\d*))?\s*$/;

/** A decimal text as XML may have it (`+1.`, ` .5 `), exactly; null when it is none. */
export function exact(text: string | null): Decimal | null {
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(text ?? '') ?? [];
  const plain = `${sign === '-' ? '-' : ''}${whole || '0'}.${fraction || '0'}`;
  return whole + fraction !== '' && isDecimal(plain) ? decimal(plain) : null;
}

/** The same as a whole number of hundredths. Sums of large invoices are more than a number carries exactly. */
export function hundredths(text: string | null): bigint | null {
  const value = exact(text);
  return value && scaledInteger(value, 2, 'half_up');
}

export const sumOf = <T>(items: readonly T[], pick: (item: T) => bigint): bigint =>
  items.reduce((sum, item) => sum + pick(item), 0n);

export const orZero = (value: bigint | null): bigint => value ?? 0n;
