import type { Day } from '@kontor/kernel';

/** Hundredths of a per cent, by the day from which they hold, in order; the last one holds on. */
export type BaseRates = readonly (readonly [Day, number])[];

/**
 * The base rate of § 247 BGB. It changes on 1 January and 1 July at most.
 * @see https://www.bundesbank.de/de/bundesbank/organisation/agb-und-regelungen/basiszinssatz-607820
 */
export const BASE_RATES: BaseRates = [
  ['2016-07-01', -88],
  ['2023-01-01', 162],
  ['2023-07-01', 312],
  ['2024-01-01', 362],
  ['2024-07-01', 337],
  ['2025-01-01', 227],
  ['2025-07-01', 127],
  ['2026-01-01', 127],
  ['2026-07-01', 152],
];

/**
 * The rates known here and those of later half years, `2027-01-01=1.77` each; one for a day that is known here replaces it.
 * @throws RangeError naming the text that is none, or whose day was there already
 */
export function baseRatesWith(texts: readonly string[]): BaseRates {
  const rates = new Map(BASE_RATES);
  const added = new Set<string>();
  for (const text of texts) {
    const [, day, sign, whole, part] = /^(\d{4}-0[17]-01)=(-?)(\d{1,2})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
    if (!day || !whole || day < '2016-07-01' || added.has(day)) throw new RangeError(text);
    added.add(day);
    rates.set(day as Day, Number(`${sign}${whole}${(part ?? '').padEnd(2, '0')}`));
  }
  return [...rates].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The first day of the half year of `day`, when its rate is not known; null when it is. */
export function missingHalfYear(rates: BaseRates, day: Day): Day | null {
  const begun = `${day.slice(0, 4)}-${day.slice(5, 7) < '07' ? '01' : '07'}-01` as Day;
  const last = rates.at(-1)?.[0];
  return last !== undefined && last >= begun ? null : begun;
}
