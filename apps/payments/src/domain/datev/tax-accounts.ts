import { decimal, formatDecimal } from '@kontor/money';
import type { AccountCode } from '../ledger/chart-of-accounts.js';
import type { DatevChart } from './accounts.js';

/** What a document charges under one VAT category and rate. Minor units; negative where the document credits. */
export interface DocumentTax {
  /** As EN 16931 codes it: S, Z, E, AE, K, G, O. */
  readonly category: string;
  /** Per cent, a decimal. */
  readonly rate: string;
  /** The other country of the EU where it is owed. */
  readonly destination?: string;
  readonly netMinor: number;
  readonly taxMinor: number;
}

export type TaxedAccount = 'revenue' | 'tax';

const CASES: Readonly<Record<string, string>> = {
  Z: 'zero_rated',
  E: 'exempt',
  AE: 'reverse_charge',
  K: 'intra_community',
  G: 'export',
  O: 'outside_scope',
};

/**
 * Name of the bookkeeper's account for what is charged so: `revenue_19`, `tax_7`, `revenue_reverse_charge`; for VAT of
 * another country of the EU `tax_AT_20`.
 */
export const taxAccountName = (
  code: TaxedAccount,
  { category, rate, destination }: Pick<DocumentTax, 'category' | 'rate' | 'destination'>,
): string => {
  const abroad = destination !== undefined && !(category in CASES) ? `${destination}_` : '';
  return `${code}_${abroad}${CASES[category] ?? formatDecimal(decimal(rate))}`;
};

const RATE = '([1-9]\\d?(\\.\\d{0,2}[1-9])?|0\\.\\d{0,2}[1-9])';
const NAME = new RegExp(
  `^(revenue_(${Object.values(CASES).join('|')})|(revenue|tax)_(one_stop_shop|([A-Z]{2}_)?${RATE}))$`,
);
const ABROAD = /^(revenue|tax)_[A-Z]{2}_(.+)$/;

/**
 * Names under which an account is looked for, from the closest one on: `tax_AT_20`, `tax_one_stop_shop`, `tax_20`. A rate
 * that Germany has as well is not the German one.
 */
export function taxAccountNames(name: string): readonly string[] {
  const [, code, rate] = ABROAD.exec(name) ?? [];
  if (!code) return [name];
  const ofRate = `${code}_${rate}`;
  return [name, `${code}_one_stop_shop`, ...(ofRate in DEFAULT_TAX_ACCOUNTS.SKR03 ? [] : [ofRate])];
}

export const isTaxAccountName = (name: string): boolean => NAME.test(name);

/** What the standard charts have for them. Rates that are neither German nor of the one-stop shop go to the account for all revenue, or all tax. */
export const DEFAULT_TAX_ACCOUNTS: Readonly<Record<DatevChart, Readonly<Record<string, string>>>> = {
  SKR03: {
    revenue_19: '8400',
    revenue_7: '8300',
    tax_19: '1776',
    tax_7: '1771',
    revenue_zero_rated: '8290',
    revenue_exempt: '8100',
    revenue_export: '8120',
    revenue_intra_community: '8125',
    revenue_reverse_charge: '8336',
    revenue_outside_scope: '8338',
    revenue_one_stop_shop: '8339',
    tax_one_stop_shop: '1768',
  },
  SKR04: {
    revenue_19: '4400',
    revenue_7: '4300',
    tax_19: '3806',
    tax_7: '3801',
    revenue_zero_rated: '4290',
    revenue_exempt: '4100',
    revenue_export: '4120',
    revenue_intra_community: '4125',
    revenue_reverse_charge: '4336',
    revenue_outside_scope: '4338',
    revenue_one_stop_shop: '4339',
    tax_one_stop_shop: '3818',
  },
};

/** A part of a transfer, with the account it belongs to. */
export interface TaxPart {
  readonly account: string;
  /** More than zero. */
  readonly amountMinor: bigint;
  /** Against the direction of the transfer: a discount under another rate than the rest. */
  readonly reversed: boolean;
  /** Whether the account works out tax by itself unless the BU key switches it off. */
  readonly taxable: boolean;
}

/**
 * A document's transfer by VAT category and rate; null where they are not what was booked (or not known), and it stays
 * whole.
 */
export function splitByTax(
  code: AccountCode,
  amountMinor: bigint,
  taxes: readonly DocumentTax[] | undefined,
  accountOf: (name: string) => string,
): readonly TaxPart[] | null {
  if ((code !== 'revenue' && code !== 'tax') || !taxes) return null;
  const parts = taxes
    .map((tax) => ({ tax, minor: BigInt(code === 'revenue' ? tax.netMinor : tax.taxMinor) }))
    .filter(({ minor }) => minor !== 0n);
  const sum = parts.reduce((total, { minor }) => total + minor, 0n);
  if (sum !== amountMinor && sum !== -amountMinor) return null;
  return parts.map(({ tax, minor }) => ({
    account: accountOf(taxAccountName(code, tax)),
    amountMinor: minor < 0n ? -minor : minor,
    reversed: minor < 0n !== sum < 0n,
    taxable: tax.category === 'S',
  }));
}
