import { DomainError } from '@kontor/kernel';
import { decimal, exponentOf, formatDecimal, isSafeAmount } from '@kontor/money';
import { convertMinor, type CrossRate } from '../rates/exchange.js';
import type { AppliedRate, EInvoiceType, Invoice } from '../invoices/invoice.js';
import type { InvoicingSettings } from '../invoices/settings.js';
import type { SnapshotEInvoice } from './document-snapshot.js';

type Issued = Pick<Invoice, 'type' | 'currencyCode' | 'eInvoiceType' | 'leitwegId'> & { readonly imported: boolean };

/** Amounts of the norm have two decimals at most. */
const MAX_DECIMALS = 2;

/**
 * As which e-invoice a document is issued; null: as none. A document that asks for one gets it whatever the settings say;
 * otherwise those in a currency that the norm cannot express get none.
 */
export function eInvoiceTypeOf(invoice: Issued, settings: InvoicingSettings): EInvoiceType | null {
  const isInvoice = invoice.type === 'TYPE_INVOICE' || invoice.type === 'TYPE_CREDIT' || invoice.type === 'TYPE_CANCEL';
  if (!isInvoice || invoice.imported) return null;
  if (invoice.eInvoiceType !== null) return invoice.eInvoiceType;
  if (invoice.leitwegId !== null) return settings.eInvoiceType;
  return settings.eInvoiceEnabled && exponentOf(invoice.currencyCode) <= MAX_DECIMALS ? settings.eInvoiceType : null;
}

/** A credit for something wrong corrects the invoice, any other is a credit note. @see UNTDID 1001 */
export function typeCodeOf(
  invoice: Pick<Invoice, 'type'> & { readonly reason: string | null },
): SnapshotEInvoice['typeCode'] {
  if (invoice.type === 'TYPE_INVOICE') return '380';
  if (invoice.type === 'TYPE_CANCEL') return '384';
  return invoice.reason === 'incorrect' || invoice.reason === 'duplicate' ? '384' : '381';
}

const EURO_AREA = new Set('AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' '));

/** The currency in which a seller declares VAT, where it is not the document's. */
export const accountingCurrencyOf = (settings: InvoicingSettings, currencyCode: string): string | null =>
  currencyCode !== 'EUR' && EURO_AREA.has(settings.seller.address.countryCode ?? 'DE') ? 'EUR' : null;

/** The tax of a document by the rate that was applied. @throws DomainError `amount_out_of_range` */
export function accountingTax(
  invoice: Pick<Invoice, 'currencyCode' | 'taxMinor'>,
  applied: AppliedRate,
): NonNullable<SnapshotEInvoice['accounting']> {
  const cross: CrossRate = {
    from: invoice.currencyCode,
    to: applied.destinationCurrencyCode,
    rate: decimal(applied.exchangeRate),
    date: applied.exchangeRateDate.slice(0, 10),
  };
  const taxMinor = convertMinor(invoice.taxMinor, cross);
  if (!isSafeAmount(taxMinor))
    throw new DomainError('amount_out_of_range', { detail: `The tax in ${cross.to} is beyond the range of amounts.` });
  return {
    currencyCode: cross.to,
    taxAmount: Number(taxMinor),
    rate: formatDecimal(cross.rate),
    date: cross.date,
  };
}
