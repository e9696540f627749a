import { exampleId } from '@kontor/contracts';
import type { InvoiceJson, MediaJson, OriginJson, PositionJson, TimelineJson } from './invoice.schema.js';

const eur = (amount: number) => ({ amount, currencyCode: 'EUR' });
const mediaOf = (id: string, number: string) => ({
  id,
  isPrivate: true,
  mimeType: 'application/pdf',
  fileExtension: 'pdf',
  fileName: `${number}.pdf`,
  storageFileName: `${id}.pdf`,
  createdAt: '2026-02-28T09:00:00.000Z',
});

const position: PositionJson = {
  id: exampleId(21),
  position: 1,
  quantity: '2',
  unit: null,
  unitPrice: eur(5000),
  netAmount: eur(10_000),
  grossAmount: eur(11_900),
  taxAmount: eur(1900),
  discountAmount: null,
  discountPercentage: null,
  name: 'Consulting',
  description: null,
  taxGroup: {
    id: exampleId(22),
    internalDescription: 'Standard rate',
    reverseChargeType: 'REVERSE_CHARGE',
    type: 'standard',
  },
  tax: { id: exampleId(23), code: 'VAT', rate: '19', description: null },
  taxCategory: 'S',
  taxNote: null,
  taxExemptionCode: null,
  type: 'product',
  group: null,
  createdAt: '2026-02-28T08:55:00.000Z',
  product: null,
  subscriptionItem: null,
  serviceDateFrom: null,
  serviceDateTo: null,
  parent: null,
};

/** An unpaid invoice as the documentation shows it. */
export const INVOICE_EXAMPLE: InvoiceJson = {
  id: exampleId(20),
  customer: { id: exampleId(1), customerNumber: 'K-10001', companyName: 'Backhaus Elbe GmbH' },
  paymentMethod: null,
  referencedInvoice: null,
  referencedInvoices: [],
  type: 'TYPE_INVOICE',
  currencyCode: 'EUR',
  number: 'RE-2026-00001',
  status: 'STATUS_UNPAID',
  creationDate: '2026-02-28T08:55:00.000Z',
  finalizationDate: '2026-02-28T09:00:00.000Z',
  dueDate: '2026-03-14T22:59:59.999Z',
  lastReminderDate: null,
  lastSentAt: null,
  dunningLevel: 0,
  dunningStatus: 'none',
  payDate: null,
  invoiceAddress: {
    companyName: 'Backhaus Elbe GmbH',
    street: 'Elbchaussee',
    houseNumber: '12',
    zip: '22765',
    city: 'Hamburg',
    countryCode: 'DE',
  },
  internalNote: null,
  title: 'Rechnung',
  introduction: null,
  closing: null,
  netAmount: eur(10_000),
  grossAmount: eur(11_900),
  taxAmount: eur(1900),
  discountAmount: null,
  unpaidAmount: eur(11_900),
  file: mediaOf('01KJH2M4Q0ZV5W8R3T6Y9B1C2D', 'RE-2026-00001'),
  xmlFile: null,
  taxes: [
    {
      category: 'S',
      rate: '19',
      netAmount: eur(10_000),
      taxAmount: eur(1900),
      note: null,
      exemptionCode: null,
    },
  ],
  positions: [position],
  applicatedExchangeRates: [],
  eInvoiceType: null,
  leitwegId: null,
  customFields: null,
  serviceDateFrom: null,
  serviceDateTo: null,
  usageBreakdownUrl: null,
  cancellationDocument: null,
  dunningDisabled: false,
  sourceType: 'manual',
  paymentIntent: { id: exampleId(30), status: 'open', amount: eur(11_900), openAmount: eur(11_900) },
};

/** A draft has neither number nor file nor intent. */
export const DRAFT_EXAMPLE: InvoiceJson = {
  ...INVOICE_EXAMPLE,
  number: null,
  status: 'STATUS_DRAFT',
  finalizationDate: null,
  dueDate: null,
  title: null,
  unpaidAmount: eur(0),
  file: null,
  paymentIntent: null,
};

export const MEDIA_EXAMPLE: MediaJson = mediaOf('01KJH2M4Q0ZV5W8R3T6Y9B1C2D', 'RE-2026-00001');

export const TIMELINE_EXAMPLE: TimelineJson = {
  data: [
    {
      dateTime: '2026-02-28T09:00:00.000Z',
      type: 'invoice.finalized',
      sequence: 3,
      metadata: { invoiceId: exampleId(20), number: 'RE-2026-00001', status: 'STATUS_UNPAID' },
    },
  ],
};

export const ORIGIN_EXAMPLE: OriginJson = {
  id: exampleId(6),
  invoiceId: exampleId(20),
  billingDay: '2026-02-28',
  blockedReason: null,
  batches: [{ id: exampleId(5), billingRunId: exampleId(6), subscriptionIds: [exampleId(4)] }],
};

/** A document that takes back `share` of the two units of that invoice. */
function takenBack(type: InvoiceJson['type'], number: string, share: 1 | 2): InvoiceJson {
  const [net, tax] = [-5000 * share, -950 * share];
  return {
    ...INVOICE_EXAMPLE,
    id: exampleId(24),
    type,
    number,
    status: 'STATUS_PAID',
    title: type === 'TYPE_CANCEL' ? 'Stornorechnung' : 'Rechnungskorrektur',
    referencedInvoice: { id: exampleId(20), number: 'RE-2026-00001', type: 'TYPE_INVOICE' },
    referencedInvoices: [{ id: exampleId(20), number: 'RE-2026-00001' }],
    payDate: '2026-03-02T10:00:00.000Z',
    netAmount: eur(net),
    taxAmount: eur(tax),
    grossAmount: eur(net + tax),
    unpaidAmount: eur(0),
    file: mediaOf('01KJH2M4Q0ZV5W8R3T6Y9B1C2E', number),
    positions: [
      {
        ...position,
        id: exampleId(25),
        quantity: `-${share}`,
        netAmount: eur(net),
        taxAmount: eur(tax),
        grossAmount: eur(net + tax),
      },
    ],
    paymentIntent: { id: exampleId(31), status: 'succeeded', amount: eur(net + tax), openAmount: eur(0) },
  };
}

export const CANCELLATION_EXAMPLE = takenBack('TYPE_CANCEL', 'ST-2026-00001', 2);
export const CREDIT_EXAMPLE = takenBack('TYPE_CREDIT', 'GS-2026-00001', 1);
