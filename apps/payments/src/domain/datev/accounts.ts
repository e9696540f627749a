import { type AccountCode, CHART } from '../ledger/chart-of-accounts.js';

export const DATEV_CHARTS = ['SKR03', 'SKR04'] as const;
export type DatevChart = (typeof DATEV_CHARTS)[number];

/** Which account of the bookkeeper each account of the ledger is; `receivable` is the collective debtor. */
export type DatevAccounts = Readonly<Record<AccountCode, string>>;

/** What the standard charts offer for them; every one can be changed. */
export const DEFAULT_ACCOUNTS: Readonly<Record<DatevChart, DatevAccounts>> = {
  SKR03: {
    bank: '1200',
    gateway_clearing: '1360',
    fees: '4970',
    write_off: '2400',
    adjustments: '8700',
    exchange: '2150',
    suspense: '1590',
    revenue: '8400',
    tax: '1776',
    dunning_fees: '2705',
    opening: '9008',
    expired_credit: '2700',
    receivable: '10000',
    wallet: '1718',
  },
  SKR04: {
    bank: '1800',
    gateway_clearing: '1460',
    fees: '6855',
    write_off: '6930',
    adjustments: '4700',
    exchange: '6880',
    suspense: '1370',
    revenue: '4400',
    tax: '3806',
    dunning_fees: '4839',
    opening: '9008',
    expired_credit: '4830',
    receivable: '10000',
    wallet: '3272',
  },
};

export const DATEV_ACCOUNT_CODES = Object.keys(CHART) as AccountCode[];

/**
 * BU key that switches off the automatic tax of a revenue account: the ledger books net amount and tax by themselves.
 * The format wants four digits.
 * @see https://developer.datev.de/datev/platform/de/dtvf/formate/buchungsstapel (field 9)
 */
export const WITHOUT_AUTOMATIC_TAX = '0040';

/** First day of the fiscal year that `day` belongs to; `start` is its `MM-DD`. */
export const fiscalYearOf = (day: string, start: string): string => {
  const year = Number(day.slice(0, 4));
  return `${day.slice(5) >= start ? year : year - 1}-${start}`;
};
