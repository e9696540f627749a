import { isDay } from '@kontor/kernel';
import { isCurrency, isDecimal } from '@kontor/money';
import type { EuroRate } from './exchange.js';

/**
 * The rates of a file of the European Central Bank (`eurofxref`): days hold pairs of currency and rate per euro. What
 * cannot be read is left out; nothing readable gives an empty list.
 * @see https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/
 */
export function parseEcbRates(xml: string): EuroRate[] {
  const rates: EuroRate[] = [];
  for (const [, date, body] of xml.matchAll(
    /<Cube\s+time=["'](\d{4}-\d{2}-\d{2})["']\s*>([\s\S]*?)(?=<Cube\s+time=|$)/g,
  )) {
    if (!isDay(date)) continue;
    for (const [, currencyCode, rate] of (body ?? '').matchAll(
      /<Cube\s+currency=["']([A-Z]{3})["']\s+rate=["']([\d.]+)["']/g,
    )) {
      if (isCurrency(currencyCode) && isDecimal(rate) && Number(rate) > 0) rates.push({ currencyCode, date, rate });
    }
  }
  return rates;
}
