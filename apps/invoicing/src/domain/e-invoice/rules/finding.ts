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

/** A decimal text as a whole number of hundredths; NaN when it is none. */
export const hundredths = (text: string | null): number =>
  text === null || text === '' ? Number.NaN : Math.round(Number(text) * 100);

export const sumOf = <T>(items: readonly T[], pick: (item: T) => number): number =>
  items.reduce((sum, item) => sum + pick(item), 0);

export const orZero = (value: number): number => (Number.isNaN(value) ? 0 : value);
