import type { EInvoice } from '../domain/e-invoice/e-invoice.js';
import type { Inspection } from './inspect.js';
import { CHECKED_RULES } from '../domain/e-invoice/rules/checked-rules.js';
import type { InspectionJson } from './inspection.schema.js';

/** Of what is wrong with a file as much is said: one may have something in each of a hundred thousand lines. */
export const MAX_RESULTS = 1_000;

export const representInspection = ({ syntax, profile, rules, findings, invoice }: Inspection): InspectionJson => ({
  valid: invoice !== null && findings.every(({ severity }) => severity !== 'fatal'),
  syntax,
  profile,
  rules,
  checkedRules: rules === null ? [] : [...CHECKED_RULES],
  results: findings.slice(0, MAX_RESULTS).map(({ ruleId, severity, location, de, en }) => ({
    ruleId,
    severity,
    location,
    message: en,
    messages: { de, en },
  })),
  invoice: invoice && withoutBytes(invoice),
});

const withoutBytes = (invoice: EInvoice): Record<string, unknown> => ({
  ...invoice,
  attachments: invoice.attachments.map(({ id, description, fileName, mimeType, base64 }) => ({
    id,
    description,
    fileName,
    mimeType,
    sizeBytes: Buffer.byteLength(base64, 'base64'),
  })),
});
