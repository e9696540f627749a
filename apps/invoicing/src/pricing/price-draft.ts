import { DomainError } from '@kontor/kernel';
import type { PositionRow } from '../db/position.row.js';
import { type BlockedReason, typeOfTotal } from '../domain/invoices/invoice.js';
import { renumbered, servicePeriodOf } from '../domain/invoices/position.js';
import { addressFor } from '../domain/invoices/recipient.js';
import { withSubscriptionGroups } from '../domain/pricing/position-groups.js';
import { priceDocument } from '../domain/pricing/price-document.js';
import type { Draft, Obstacle } from './draft.js';
import { type InvoiceContext, pricingContext } from './invoice-context.js';

/**
 * Brings order, headlines, amounts, tax and totals of a draft up to date with their context.
 * @throws DomainError `exchange_rate_missing`, `tax_rate_missing`, `customer_missing`, `validation_failed`.
 */
export function priceDraft(draft: Draft, context: InvoiceContext): void {
  const { invoice } = draft;
  const customer = context.customers.get(invoice.customerId);
  if (!customer) throw new DomainError('customer_missing', { detail: 'The customer does not exist any more.' });
  draft.customer = customer;
  draft.address = addressFor(customer, invoice.invoiceAddressId);
  const settings = context.settingsOf(customer.id);
  const ordered = renumbered(withSubscriptionGroups(draft.positions, settings.positionGroupNameTemplate));
  const priced = priceDocument(
    ordered,
    pricingContext(context, customer, { currencyCode: invoice.currencyCode, address: draft.address }),
  );
  draft.positions = priced.positions as PositionRow[];
  context.billed.record(invoice, priced);
  draft.taxes = priced.taxes;
  draft.limits = priced.limits;
  const period = servicePeriodOf(draft.positions);
  Object.assign(invoice, {
    language: customer.language === 'de' ? 'de' : 'en',
    type:
      invoice.type === 'TYPE_INVOICE' || invoice.type === 'TYPE_CREDIT' ? typeOfTotal(priced.grossMinor) : invoice.type,
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

/** `priceDraft` for a run: a draft that cannot be priced keeps its obstacle and never stops the others. */
export function tryPriceDraft(draft: Draft, context: InvoiceContext): Obstacle | null {
  try {
    priceDraft(draft, context);
    return null;
  } catch (error) {
    const reason = error instanceof DomainError ? BLOCKING[error.reason] : undefined;
    if (!reason) throw error;
    return { step: 'price', reason, error: error as DomainError };
  }
}
