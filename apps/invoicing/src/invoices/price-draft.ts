import type { CustomerState, PaymentMethodState } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import type { TaxSubtotal } from '@kontor/tax';
import type { InvoiceRow } from '../db/invoice.row.js';
import type { PositionRow } from '../db/position.row.js';
import type { DocumentSnapshot } from '../domain/document-snapshot.js';
import { type BlockedReason, typeOfTotal } from '../domain/invoice.js';
import { withSubscriptionGroups } from '../domain/position-groups.js';
import { renumbered, servicePeriodOf } from '../domain/position.js';
import { priceDocument } from '../domain/price-document.js';
import { addressFor, type InvoiceAddress } from '../domain/recipient.js';
import { type InvoiceWorld, pricingContext } from './invoice-world.js';

/** A draft in hand: its row, its positions, and what pricing found out about them. */
export interface Draft {
  readonly invoice: InvoiceRow;
  positions: PositionRow[];
  taxes: readonly TaxSubtotal[];
  customer: CustomerState | null;
  address: InvoiceAddress | null;
  /** Settles the document: the one that it names, else the customer's default. */
  method: PaymentMethodState | null;
  /** The document that it is about, as its file names it. */
  referenced?: DocumentSnapshot['referencedDocument'];
}

export const newDraft = (invoice: InvoiceRow, positions: PositionRow[]): Draft => ({
  invoice,
  positions,
  taxes: [],
  customer: null,
  address: null,
  method: null,
});

/**
 * Brings order, headlines, amounts, tax and totals of a draft up to date with the world.
 * @throws DomainError `exchange_rate_missing`, `tax_rate_missing`, `customer_missing`, `validation_failed`.
 */
export function priceDraft(draft: Draft, world: InvoiceWorld): void {
  const { invoice } = draft;
  const customer = world.customers.get(invoice.customerId);
  if (!customer) throw new DomainError('customer_missing', { detail: 'The customer does not exist any more.' });
  draft.customer = customer;
  draft.address = addressFor(customer, invoice.invoiceAddressId);
  const settings = world.settingsOf(customer.id);
  const ordered = renumbered(withSubscriptionGroups(draft.positions, settings.positionGroupNameTemplate));
  const priced = priceDocument(ordered, pricingContext(world, customer, { currencyCode: invoice.currencyCode, address: draft.address }));
  draft.positions = priced.positions as PositionRow[];
  draft.taxes = priced.taxes;
  const period = servicePeriodOf(draft.positions);
  Object.assign(invoice, {
    language: customer.language === 'de' ? 'de' : 'en',
    type: invoice.type === 'TYPE_INVOICE' || invoice.type === 'TYPE_CREDIT' ? typeOfTotal(priced.grossMinor) : invoice.type,
    netMinor: priced.netMinor,
    discountMinor: priced.discountMinor,
    taxMinor: priced.taxMinor,
    grossMinor: priced.grossMinor,
    exchangeRates: [...priced.exchangeRates],
    serviceFrom: period.from,
    serviceLast: period.last,
  });
}

const BLOCKING: Readonly<Record<string, BlockedReason>> = {
  exchange_rate_missing: 'exchange_rate_missing',
  tax_rate_missing: 'tax_rate_missing',
  customer_missing: 'customer_missing',
  validation_failed: 'amount_out_of_range',
};

/** `priceDraft` for a run: what cannot be priced stays a draft with its reason instead of stopping the others. */
export function tryPriceDraft(draft: Draft, world: InvoiceWorld): BlockedReason | null {
  try {
    priceDraft(draft, world);
    return null;
  } catch (error) {
    const reason = error instanceof DomainError ? BLOCKING[error.reason] : undefined;
    if (!reason) throw error;
    return reason;
  }
}
