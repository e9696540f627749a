import { insertRows, updateRows } from '@kontor/persistence';
import type { Tx } from '@kontor/kernel';
import { InvoiceSubscriptionRow } from '../db/document.row.js';
import { InvoiceRow } from '../db/invoice.row.js';
import { PositionRow } from '../db/position.row.js';
import type { KnownParts } from './invoice.read.js';
import type { InvoiceWorld } from './invoice-world.js';
import type { Draft } from './price-draft.js';

const INVOICE_PROPERTIES: readonly (keyof InvoiceRow & string)[] = [
  'version', 'type', 'number', 'status', 'customerId', 'currencyCode', 'language', 'finalizedAt', 'dueAt', 'payDate', 'title', 'introduction', 'closing', 'internalNote', 'customFields',
  'paymentMethodId', 'invoiceAddressId', 'invoiceAddress', 'netMinor', 'discountMinor', 'taxMinor', 'grossMinor', 'unpaidMinor', 'serviceFrom', 'serviceLast',
  'exchangeRates', 'mediaId', 'intentId', 'intentVersion', 'intentStatus', 'intentAmountMinor', 'intentOpenMinor', 'intentPaymentMethodId', 'joinable',
  'blockedReason', 'dunningDisabled', 'usageBreakdown',
]; // prettier-ignore

/** What pricing may change in a position. */
const PRICED_PROPERTIES: readonly (keyof PositionRow & string)[] = [
  'ordinal', 'groupId', 'groupName', 'groupRanking', 'netMinor', 'discountMinor', 'taxMinor', 'grossMinor', 'taxCategory', 'taxRate', 'taxNoteKey', 'tax',
]; // prettier-ignore

/** Writes documents whose rows exist. */
export const updateInvoices = (tx: Tx, invoices: readonly InvoiceRow[]): Promise<void> =>
  updateRows(tx, InvoiceRow, invoices, INVOICE_PROPERTIES);

/** Writes what pricing found out about positions whose rows exist. */
export const updatePositions = (tx: Tx, positions: readonly PositionRow[]): Promise<void> =>
  updateRows(tx, PositionRow, positions, PRICED_PROPERTIES);

export async function insertPositions(tx: Tx, positions: readonly PositionRow[]): Promise<void> {
  await insertRows(tx, PositionRow, positions);
  const pairs = new Map<string, InvoiceSubscriptionRow>();
  for (const { tenantId, invoiceId, subscription } of positions) {
    if (subscription) pairs.set(`${subscription.id} ${invoiceId}`, { tenantId, invoiceId, subscriptionId: subscription.id });
  }
  await insertRows(tx, InvoiceSubscriptionRow, [...pairs.values()], 'do nothing');
}

export const insertInvoices = (tx: Tx, invoices: readonly InvoiceRow[]): Promise<void> => insertRows(tx, InvoiceRow, invoices);

/** What is known about drafts in hand: their own rows, and the world that they were priced in. */
export const knownOf = (drafts: readonly Draft[], world?: InvoiceWorld): KnownParts => ({
  positions: new Map(drafts.map((draft) => [draft.invoice.id, draft.positions])),
  customers: world?.customers,
  taxGroups: world?.taxGroups,
});

const EMPTY = {
  version: 1, type: 'TYPE_INVOICE', number: null, status: 'STATUS_DRAFT', language: 'en', finalizedAt: null, dueAt: null, payDate: null, title: null, introduction: null,
  closing: null, internalNote: null, customFields: null, paymentMethodId: null, invoiceAddressId: null, invoiceAddress: null, netMinor: 0n, discountMinor: 0n, taxMinor: 0n,
  grossMinor: 0n, unpaidMinor: 0n, serviceFrom: null, serviceLast: null, exchangeRates: [], mediaId: null, referencedInvoiceId: null, intentId: null,
  intentVersion: 0, intentStatus: null, intentAmountMinor: null, intentOpenMinor: null, intentPaymentMethodId: null, runId: null, billingDay: null, groupingKey: null,
  joinable: false, blockedReason: null, dunningDisabled: false, usageBreakdown: false,
} as const; // prettier-ignore

type Given = Pick<InvoiceRow, 'tenantId' | 'id' | 'sourceType' | 'customerId' | 'currencyCode' | 'createdAt'> & Partial<InvoiceRow>;

/** A draft before anything is known about it but whose it is. */
export const emptyInvoice = (given: Given): InvoiceRow => Object.assign(new InvoiceRow(), EMPTY, { exchangeRates: [] }, given);

/** Before pricing. */
const UNPRICED = {
  netMinor: 0n,
  discountMinor: 0n,
  taxMinor: 0n,
  grossMinor: 0n,
  taxCategory: null,
  taxRate: '0',
  taxNoteKey: null,
  tax: null,
} as const;

export const unpricedPosition = (tenantId: string, position: Omit<PositionRow, 'tenantId' | keyof typeof UNPRICED>): PositionRow =>
  Object.assign(new PositionRow(), UNPRICED, { tenantId }, position);
