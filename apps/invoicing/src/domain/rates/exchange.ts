import { type Day, daysBetween } from '@kontor/kernel';
import {
  compareDecimal,
  decimal,
  type Decimal,
  divideDecimal,
  exponentOf,
  formatDecimal,
  multiplyDecimal,
  decimalOf,
  toMinor,
} from '@kontor/money';

/** Units of a currency per euro on a day; EUR itself needs no row. */
export interface EuroRate {
  readonly currencyCode: string;
  readonly date: Day;
  /** Decimal text, positive. */
  readonly rate: string;
}

/** A rate between two currencies: units of `to` per unit of `from`. */
export interface CrossRate {
  readonly from: string;
  readonly to: string;
  readonly rate: Decimal;
  /** Day of the older of the two euro rates. */
  readonly date: Day;
}

/** How old a rate may be in a live tenant, in days before the document's day. */
export const LIVE_RATE_DAYS = 7;
/** Decimals that a cross rate is rounded to before it is used, so that the document can show what was used. */
const CROSS_SCALE = 10;

/**
 * The rate for converting on a document of `day`: the latest before that day, crossed through the euro.
 * Undefined when one of the two is missing or, in a live tenant, older than 7 days.
 */
export function crossRate(
  rates: readonly EuroRate[],
  pair: { from: string; to: string },
  day: Day,
  live: boolean,
): CrossRate | undefined {
  const from = latestBefore(rates, pair.from, day, live);
  const to = latestBefore(rates, pair.to, day, live);
  if (!from || !to) return undefined;
  const rate = divideDecimal(decimal(to.rate), decimal(from.rate), CROSS_SCALE, 'half_up');
  if (compareDecimal(rate, decimalOf(0)) <= 0) return undefined;
  const dates = [from, to].filter((r) => r.currencyCode !== 'EUR').map((r) => r.date);
  return { ...pair, rate, date: dates.sort()[0] ?? day };
}

function latestBefore(rates: readonly EuroRate[], currencyCode: string, day: Day, live: boolean): EuroRate | undefined {
  if (currencyCode === 'EUR') return { currencyCode, date: day, rate: '1' };
  let latest: EuroRate | undefined;
  for (const rate of rates) {
    if (rate.currencyCode !== currencyCode || rate.date >= day) continue;
    if (!latest || rate.date > latest.date) latest = rate;
  }
  return latest && live && daysBetween(latest.date, day) > LIVE_RATE_DAYS ? undefined : latest;
}

/** An amount in major units converted and rounded once, half away from zero, to minor units of the target. */
export const convertToMinor = (major: Decimal, cross: CrossRate): bigint =>
  toMinor(multiplyDecimal(major, cross.rate), cross.to, 'half_up');

/** Minor units of one currency in minor units of another, rounded once half away from zero. */
export const convertMinor = (amountMinor: bigint, cross: CrossRate): bigint =>
  convertToMinor(decimalOf(amountMinor, exponentOf(cross.from)), cross);

export const rateText = (cross: CrossRate): string => formatDecimal(cross.rate);
