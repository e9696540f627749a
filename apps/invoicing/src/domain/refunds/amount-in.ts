import { decimal, type Decimal, decimalOf, divideDecimal, exponentOf, multiplyDecimal, toMinor } from '@kontor/money';
import type { Invoice } from '../invoices/invoice.js';
import { rateOfLine } from '../pricing/billed-lines.js';

type Converted = Pick<Invoice, 'currencyCode' | 'exchangeRates'>;

/** Decimals to which an amount is divided by a rate, before it is rounded to minor units. */
const SCALE = 12;

/**
 * What a credit in the currency that its customer has by now takes of an invoice in the former one, by the rates that both documents
 * name. Nothing where they name none for the same price.
 */
export function amountIn(invoice: Converted, credit: Converted, amountMinor: bigint): bigint {
  if (invoice.currencyCode === credit.currencyCode) return amountMinor;
  const prices = invoice.exchangeRates.map(({ sourceCurrencyCode }) => sourceCurrencyCode);
  for (const currencyCode of new Set([invoice.currencyCode, credit.currencyCode, ...prices])) {
    const billed = rateFrom(currencyCode, invoice);
    const credited = rateFrom(currencyCode, credit);
    if (!billed || !credited) continue;
    const amount = decimalOf(amountMinor, exponentOf(credit.currencyCode));
    const price = divideDecimal(amount, credited, SCALE, 'half_up');
    return toMinor(multiplyDecimal(price, billed), invoice.currencyCode, 'half_up');
  }
  return 0n;
}

function rateFrom(currencyCode: string, document: Converted): Decimal | null {
  if (currencyCode === document.currencyCode) return decimal('1');
  const rates = document.exchangeRates.filter((rate) => rate.destinationCurrencyCode === document.currencyCode);
  const rate = rateOfLine(rates, currencyCode);
  return rate && decimal(rate.exchangeRate);
}
