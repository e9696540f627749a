import type { Day } from '@kontor/kernel';

/** One VAT rate of one country from one day on, until the next of the same country and kind. */
export interface VatRate {
  /** ISO 3166-1 alpha-2; Greece is GR (its VAT ids begin with EL). */
  readonly countryCode: string;
  readonly kind: 'standard' | 'reduced';
  /** Percent as decimal text: `19`, `25.5`. */
  readonly rate: string;
  /** First day on which it applies. */
  readonly validFrom: Day;
}

/** Stands for "longer than any document of this system reaches back". */
const EVER = '2010-01-01';

type Steps = readonly (readonly [rate: string, validFrom: Day])[];

/**
 * Member states with their standard rate and one reduced rate each. Where a country has several reduced rates, it is
 * the one that covers most of what Germany taxes at 7 % (books, basic food, passenger transport); a tenant who sells
 * something else changes its tax group. Denmark has no reduced rate, so its standard rate stands there.
 *
 * Sources: European Commission, "Taxes in Europe" database (TEDB) and "VAT rates applied in the Member States of the
 * European Union", read for September 2026; the changes by the laws that made them:
 * CY Law 187(I)/2012; CZ 349/2023 Sb.; DE Zweites Corona-Steuerhilfegesetz (29 June 2020); EE Käibemaksuseadus § 15 in
 * the wordings of 1 Jan 2024 and 1 July 2025; ES Real Decreto-ley 20/2012; FI 706/2024 (25.5 %) and the budget acts for
 * 2026 (13.5 %); FR loi 2012-1510; GR Law 4389/2016; HR OG 73/13; IE Financial Provisions (Covid-19) (No. 2) Act 2020;
 * IT D.L. 76/2013; LT Law XV-281 of 2025; LU loi du 26 octobre 2022; NL Belastingplan 2019; RO Legea 141/2025;
 * SI ZIPRS1314; SK Act 278/2024.
 */
const TABLE: Readonly<Record<string, { readonly standard: Steps; readonly reduced: Steps }>> = {
  AT: { standard: [['20', EVER]], reduced: [['10', EVER]] },
  BE: { standard: [['21', EVER]], reduced: [['6', EVER]] },
  BG: {
    standard: [['20', EVER]],
    reduced: [
      ['9', '2011-04-01'],
      ['7', EVER],
    ],
  },
  CY: {
    standard: [
      ['19', '2014-01-13'],
      ['18', '2013-01-14'],
      ['17', '2012-03-01'],
      ['15', EVER],
    ],
    reduced: [['5', EVER]],
  },
  CZ: {
    standard: [
      ['21', '2013-01-01'],
      ['20', EVER],
    ],
    reduced: [
      ['12', '2024-01-01'],
      ['15', '2013-01-01'],
      ['14', '2012-01-01'],
      ['10', EVER],
    ],
  },
  DE: {
    standard: [
      ['19', '2021-01-01'],
      ['16', '2020-07-01'],
      ['19', EVER],
    ],
    reduced: [
      ['7', '2021-01-01'],
      ['5', '2020-07-01'],
      ['7', EVER],
    ],
  },
  DK: { standard: [['25', EVER]], reduced: [['25', EVER]] },
  EE: {
    standard: [
      ['24', '2025-07-01'],
      ['22', '2024-01-01'],
      ['20', EVER],
    ],
    reduced: [['9', EVER]],
  },
  ES: {
    standard: [
      ['21', '2012-09-01'],
      ['18', '2010-07-01'],
      ['16', EVER],
    ],
    reduced: [
      ['10', '2012-09-01'],
      ['8', '2010-07-01'],
      ['7', EVER],
    ],
  },
  FI: {
    standard: [
      ['25.5', '2024-09-01'],
      ['24', '2013-01-01'],
      ['23', '2010-07-01'],
      ['22', EVER],
    ],
    reduced: [
      ['13.5', '2026-01-01'],
      ['14', '2013-01-01'],
      ['13', EVER],
    ],
  },
  FR: {
    standard: [
      ['20', '2014-01-01'],
      ['19.6', EVER],
    ],
    reduced: [['5.5', EVER]],
  },
  GR: {
    standard: [
      ['24', '2016-06-01'],
      ['23', '2010-07-01'],
      ['21', EVER],
    ],
    reduced: [
      ['13', '2011-01-01'],
      ['11', EVER],
    ],
  },
  HR: {
    standard: [
      ['25', '2012-03-01'],
      ['23', EVER],
    ],
    reduced: [
      ['13', '2014-01-01'],
      ['10', EVER],
    ],
  },
  HU: {
    standard: [
      ['27', '2012-01-01'],
      ['25', EVER],
    ],
    reduced: [['5', EVER]],
  },
  IE: {
    standard: [
      ['23', '2021-03-01'],
      ['21', '2020-09-01'],
      ['23', '2012-01-01'],
      ['21', EVER],
    ],
    reduced: [['13.5', EVER]],
  },
  IT: {
    standard: [
      ['22', '2013-10-01'],
      ['21', '2011-09-17'],
      ['20', EVER],
    ],
    reduced: [['10', EVER]],
  },
  LT: {
    standard: [['21', EVER]],
    reduced: [
      ['12', '2026-01-01'],
      ['9', EVER],
    ],
  },
  LU: {
    standard: [
      ['17', '2024-01-01'],
      ['16', '2023-01-01'],
      ['17', '2015-01-01'],
      ['15', EVER],
    ],
    reduced: [
      ['8', '2024-01-01'],
      ['7', '2023-01-01'],
      ['8', '2015-01-01'],
      ['6', EVER],
    ],
  },
  LV: {
    standard: [
      ['21', '2012-07-01'],
      ['22', '2011-01-01'],
      ['21', EVER],
    ],
    reduced: [
      ['12', '2011-01-01'],
      ['10', EVER],
    ],
  },
  MT: { standard: [['18', EVER]], reduced: [['5', EVER]] },
  NL: {
    standard: [
      ['21', '2012-10-01'],
      ['19', EVER],
    ],
    reduced: [
      ['9', '2019-01-01'],
      ['6', EVER],
    ],
  },
  PL: {
    standard: [
      ['23', '2011-01-01'],
      ['22', EVER],
    ],
    reduced: [
      ['8', '2011-01-01'],
      ['7', EVER],
    ],
  },
  PT: {
    standard: [
      ['23', '2011-01-01'],
      ['21', '2010-07-01'],
      ['20', EVER],
    ],
    reduced: [
      ['6', '2010-07-01'],
      ['5', EVER],
    ],
  },
  RO: {
    standard: [
      ['21', '2025-08-01'],
      ['19', '2017-01-01'],
      ['20', '2016-01-01'],
      ['24', '2010-07-01'],
      ['19', EVER],
    ],
    reduced: [
      ['11', '2025-08-01'],
      ['9', EVER],
    ],
  },
  SE: { standard: [['25', EVER]], reduced: [['12', EVER]] },
  SI: {
    standard: [
      ['22', '2013-07-01'],
      ['20', EVER],
    ],
    reduced: [
      ['9.5', '2013-07-01'],
      ['8.5', EVER],
    ],
  },
  SK: {
    standard: [
      ['23', '2025-01-01'],
      ['20', '2011-01-01'],
      ['19', EVER],
    ],
    reduced: [
      ['5', '2025-01-01'],
      ['10', EVER],
    ],
  },
};

/** The 27 member states of the European Union, ISO 3166-1 alpha-2, sorted. */
export const EU_COUNTRIES: readonly string[] = Object.keys(TABLE);

/** True for a member state of the European Union; `EL` stands for Greece. */
export const isEuCountry = (countryCode: string): boolean => countryCode === 'EL' || Object.hasOwn(TABLE, countryCode);

/** Every rate of every member state since 2010, oldest first within its country and kind. */
export const euVatRates = (): VatRate[] =>
  Object.entries(TABLE).flatMap(([countryCode, kinds]) =>
    (['standard', 'reduced'] as const).flatMap((kind) =>
      [...kinds[kind]].reverse().map(([rate, validFrom]): VatRate => ({ countryCode, kind, rate, validFrom })),
    ),
  );

/**
 * The rate that applies in a member state on a day.
 * Undefined outside the Union. Days before 2010 get the oldest known rate.
 */
export function euVatRateOn(countryCode: string, kind: VatRate['kind'], day: Day): string | undefined {
  const steps = TABLE[countryCode === 'EL' ? 'GR' : countryCode]?.[kind];
  return (steps?.find(([, validFrom]) => validFrom <= day) ?? steps?.at(-1))?.[0];
}
