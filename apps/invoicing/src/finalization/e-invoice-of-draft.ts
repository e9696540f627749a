import type { AppliedRate } from '../domain/invoices/invoice.js';
import { localDay } from '../domain/invoices/local-day.js';
import { crossRate, rateText } from '../domain/rates/exchange.js';
import type { SnapshotEInvoice } from '../domain/finalization/document-snapshot.js';
import {
  accountingCurrencyOf,
  accountingTax,
  eInvoiceTypeOf,
  typeCodeOf,
} from '../domain/finalization/e-invoice-terms.js';
import type { Draft } from '../pricing/draft.js';
import type { InvoiceContext } from '../pricing/invoice-context.js';

/**
 * The rate by which a document's tax is stated in the currency of its seller's tax return: a correction's is that of what
 * it corrects. Null where none is needed or known.
 */
export function accountingRate({ invoice, customer }: Draft, context: InvoiceContext): AppliedRate | null {
  if (!customer || invoice.taxMinor === 0n) return null;
  const settings = context.settingsOf(customer.id);
  const to = accountingCurrencyOf(settings, invoice.currencyCode);
  if (to === null || eInvoiceTypeOf(invoice, settings) === null) return null;
  const from = invoice.currencyCode;
  const known = invoice.exchangeRates.find(
    (rate) => rate.sourceCurrencyCode === from && rate.destinationCurrencyCode === to,
  );
  if (known) return known;
  const day = localDay(context.now, customer.timeZone);
  const cross = crossRate(context.euroRates, { from, to }, day, context.tenant.mode === 'live');
  return cross
    ? {
        sourceCurrencyCode: from,
        destinationCurrencyCode: to,
        exchangeRate: rateText(cross),
        exchangeRateDate: `${cross.date}T00:00:00.000Z`,
      }
    : null;
}

/** What a draft's e-invoice says beyond its PDF; null when it is issued as none. */
export function eInvoiceOfDraft(draft: Draft, context: InvoiceContext): SnapshotEInvoice | null {
  const { invoice, customer } = draft;
  if (!customer || eInvoiceTypeOf(invoice, context.settingsOf(customer.id)) === null) return null;
  const rate = accountingRate(draft, context);
  return { typeCode: typeCodeOf(invoice), accounting: rate && accountingTax(invoice, rate) };
}
