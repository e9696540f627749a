import { InvoiceRow } from '../db/invoice.row.js';
import { PositionRow } from '../db/position.row.js';

const EMPTY_INVOICE = {
  version: 1,
  type: 'TYPE_INVOICE',
  number: null,
  status: 'STATUS_DRAFT',
  language: 'en',
  finalizedAt: null,
  dueAt: null,
  payDate: null,
  title: null,
  introduction: null,
  closing: null,
  internalNote: null,
  customFields: null,
  paymentMethodId: null,
  invoiceAddressId: null,
  invoiceAddress: null,
  netMinor: 0n,
  discountMinor: 0n,
  taxMinor: 0n,
  grossMinor: 0n,
  unpaidMinor: 0n,
  serviceFrom: null,
  serviceLast: null,
  exchangeRates: [],
  mediaId: null,
  eInvoiceType: null,
  leitwegId: null,
  xmlMediaId: null,
  referencedInvoiceId: null,
  referencedInvoices: null,
  intentId: null,
  intentVersion: 0,
  intentStatus: null,
  waitsForPayer: false,
  intentAmountMinor: null,
  intentOpenMinor: null,
  intentPaymentMethodId: null,
  runId: null,
  billingDay: null,
  groupingKey: null,
  joinable: false,
  blockedReason: null,
  dunningDisabled: false,
  usageBreakdown: false,
  cancellationId: null,
  reason: null,
  pdfAwaited: false,
  lastSentAt: null,
  mailed: true,
  imported: false,
  dunningLevel: 0,
  dunningStatus: 'none',
  lastReminderAt: null,
  dunning: null,
} as const;

type NewInvoice = Pick<InvoiceRow, 'tenantId' | 'id' | 'sourceType' | 'customerId' | 'currencyCode' | 'createdAt'> &
  Partial<InvoiceRow>;

/** A draft before anything is known about it but whose it is. */
export const emptyInvoice = (values: NewInvoice): InvoiceRow =>
  Object.assign(new InvoiceRow(), EMPTY_INVOICE, { exchangeRates: [] }, values);

const EMPTY_POSITION = {
  parentId: null,
  groupId: null,
  groupName: null,
  groupRanking: null,
  description: null,
  unitId: null,
  unitName: null,
  ratedNetMinor: null,
  ratedDiscountMinor: null,
  discountPercentage: null,
  discountFixedMinor: null,
  isGood: false,
  product: null,
  subscriptionItem: null,
  subscription: null,
  chargeId: null,
  serviceFrom: null,
  serviceLast: null,
  netMinor: 0n,
  discountMinor: 0n,
  taxMinor: 0n,
  grossMinor: 0n,
  taxCategory: null,
  taxRate: '0',
  taxNoteKey: null,
  tax: null,
} as const;

type NewPosition = Omit<PositionRow, keyof typeof EMPTY_POSITION> & Partial<PositionRow>;

/** A position before pricing, of which nothing is known but what it counts and its price. */
export const unpricedPosition = (values: NewPosition): PositionRow =>
  Object.assign(new PositionRow(), EMPTY_POSITION, values);
