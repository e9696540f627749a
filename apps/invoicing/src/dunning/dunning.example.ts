import { exampleId } from '@kontor/contracts';
import { INVOICE_EXAMPLE, MEDIA_EXAMPLE } from '../invoices/invoice.example.js';
import type { DunningRuleDto } from './dunning.dto.js';
import type { DunningDocumentJson, DunningRuleJson } from './dunning.schema.js';

const eur = (amount: number) => ({ amount, currencyCode: 'EUR' });

export const DUNNING_RULE_REQUEST = {
  level: 2,
  type: 'dunning',
  daysOverdue: 10,
  dueInDays: 7,
  feeAmount: eur(500),
  attachOriginalInvoice: true,
} satisfies DunningRuleDto;

export const DUNNING_RULE_EXAMPLE: DunningRuleJson = {
  ...DUNNING_RULE_REQUEST,
  id: exampleId(30),
  isEnabled: true,
  createdAt: '2026-02-01T09:00:00.000Z',
  updatedAt: '2026-02-01T09:00:00.000Z',
};

/** 119.00, of which 49.00 were paid, and a fee of 5.00. */
export const DUNNING_DOCUMENT_EXAMPLE: DunningDocumentJson = {
  id: exampleId(31),
  number: 'MA-2026-00001',
  customer: INVOICE_EXAMPLE.customer,
  invoice: { id: INVOICE_EXAMPLE.id, number: 'RE-2026-00001' },
  level: 2,
  type: 'dunning',
  status: 'open',
  title: '2. Mahnung',
  introduction: 'Unsere Rechnung RE-2026-00001 vom 28.02.2026 ist noch nicht vollständig bezahlt.',
  closing: null,
  documentDate: '2026-03-31T04:00:00.000Z',
  dueDate: '2026-04-07T21:59:59.999Z',
  openAmount: eur(7000),
  dunningFee: eur(500),
  interestAmount: eur(0),
  lumpSumAmount: eur(0),
  claimAmount: eur(7500),
  media: { ...MEDIA_EXAMPLE, fileName: 'MA-2026-00001.pdf' },
};
