import type { Words } from './word.js';

/** Imports, dunning and reports. */
export const BUSINESS: Words = {
  customerGroupId: ['The group of the customer; null: none.', null],
  dryRun: ['Whether it is only checked.', true],
  cells: ['The line as it came, by column.', { email: 'rechnung@backhaus-elbe.example' }],
  documentDate: 'Date of the document.',
  dunningInterest: ['Whether interest is claimed.', { enabled: false }],
  lumpSumAmount: ['Lump sum that is claimed; null: none.', null],
  media: ['The file; null: not yet.', null],
  daysOverdue: ['Days after the due date, or after the level before.', 7],
  dueInDays: ['Days that the letter gives.', 7],
  attachOriginalInvoice: ['Whether the invoice comes along.', false],
  documents: ['How many documents.', 1],
  notDue: 'Open and not due yet.',
  days1To30: 'Overdue by 1 to 30 days.',
  days31To60: 'Overdue by 31 to 60 days.',
  days61To90: 'Overdue by 61 to 90 days.',
  over90Days: 'Overdue by more than 90 days.',
  total: 'The sum.',
  invoiced: 'What was invoiced.',
  recognized: 'What belongs to the month by its service.',
  deferred: 'What was invoiced and belongs to later months.',
};
