import { type EInvoice, EN16931 } from '../e-invoice.js';
import type { Finding, Report } from './finding.js';
import { checkRequired } from './required.js';
import { checkTaxes } from './taxes.js';
import { checkTotals } from './totals.js';
import { checkXRechnung } from './xrechnung.js';

/** Rules that hold for invoices issued from a day on; a newer edition of the norm gets a pack of its own. */
const PACKS = [{ name: 'en16931-2017', from: '0000-01-01', checks: [checkRequired, checkTotals, checkTaxes] }] as const;

export interface CheckedRules {
  /** Which edition was applied. */
  readonly pack: string;
  readonly findings: readonly Finding[];
}

/**
 * What the rules of EN 16931, and those of XRechnung where the invoice says that it is one, find. These are the rules that
 * documents of this service could break, not all of the official ones: a file without findings may still be refused.
 */
export function checkRules(invoice: EInvoice): CheckedRules {
  const findings: Finding[] = [];
  const report: Report = (finding) => void findings.push({ severity: 'fatal', ...finding });
  const pack = PACKS.findLast((candidate) => candidate.from <= invoice.issueDate) ?? PACKS[0];
  for (const check of pack.checks) check(invoice, report);
  if (isXRechnung(invoice)) checkXRechnung(invoice, report);
  return { pack: pack.name, findings };
}

const isXRechnung = ({ specification }: EInvoice): boolean =>
  specification.startsWith(EN16931) && specification.includes('xrechnung');
