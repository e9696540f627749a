import { DomainError } from '@kontor/kernel';
import { eInvoiceOf } from '../domain/e-invoice/from-snapshot.js';
import { checkRules } from '../domain/e-invoice/rules/check-rules.js';
import type { Draft, Obstacle } from '../pricing/draft.js';
import type { InvoiceContext } from '../pricing/invoice-context.js';
import { issuedSnapshotOf } from './freeze-document.js';

/** Whether the e-invoice of a priced draft would be refused by its receiver. */
export function checkEInvoice(draft: Draft, context: InvoiceContext): Obstacle | null {
  const snapshot = issuedSnapshotOf(draft, context);
  if (!snapshot.eInvoice) return null;
  const fatal = checkRules(eInvoiceOf(snapshot)).findings.filter((finding) => finding.severity === 'fatal');
  if (fatal.length === 0) return null;
  const error = new DomainError('e_invoice_invalid', {
    detail: 'The document would be no valid e-invoice: the rules that refuse it are the codes of the violations.',
    violations: fatal.slice(0, 50).map(({ field, ruleId, en }) => ({ propertyPath: field, message: en, code: ruleId })),
  });
  return { step: 'e_invoice', reason: 'e_invoice_invalid', error };
}
