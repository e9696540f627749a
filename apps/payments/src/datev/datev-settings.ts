import { validationFailed } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import type { AccountCode } from '../domain/ledger/chart-of-accounts.js';
import {
  DATEV_ACCOUNT_CODES,
  type DatevAccounts,
  type DatevChart,
  DEFAULT_ACCOUNTS,
} from '../domain/datev/accounts.js';
import {
  DEFAULT_TAX_ACCOUNTS,
  isTaxAccountName,
  taxAccountNames,
  type TaxedAccount,
} from '../domain/datev/tax-accounts.js';
import type { DatevSettingsDto } from './datev.dto.js';
import type { DatevSettingsView } from './datev.schema.js';
import { datevSettings } from './datev-settings.row.js';

/** How a tenant's bookkeeper wants the batch. */
export interface DatevSettings {
  /** 1001 to 9999999. */
  readonly consultantNumber: number;
  /** 1 to 99999. */
  readonly clientNumber: number;
  readonly chart: DatevChart;
  /** Digits of a ledger account, 4 to 8; a debtor's account has one more. */
  readonly accountLength: number;
  /** `MM-DD`. */
  readonly fiscalYearStart: string;
  /** Whether DATEV shall lock the bookings when they are read in. */
  readonly locked: boolean;
  /** Only what differs from the chart's defaults. */
  readonly accounts: Readonly<Record<string, string>>;
}

const UNSET: DatevSettings = {
  consultantNumber: 1001,
  clientNumber: 1,
  chart: 'SKR03',
  accountLength: 4,
  fiscalYearStart: '01-01',
  locked: false,
  accounts: {},
};

/**
 * Every account of the ledger with the bookkeeper's number: the tenant's choice, else the chart's in the right length.
 */
export function accountsOf({ chart, accountLength, accounts }: DatevSettings): DatevAccounts {
  const numberOf = (code: AccountCode): string => {
    const length = code === 'receivable' ? accountLength + 1 : accountLength;
    return accounts[code] ?? DEFAULT_ACCOUNTS[chart][code].padEnd(length, '0');
  };
  return Object.fromEntries(DATEV_ACCOUNT_CODES.map((code) => [code, numberOf(code)])) as DatevAccounts;
}

/**
 * The account for what is charged under a VAT category and rate (`revenue_7`): the tenant's choice, else its choice for
 * all revenue (or all tax), else the chart's.
 */
export function taxAccountOf(settings: DatevSettings, name: string): string {
  const { chart, accountLength, accounts } = settings;
  const whole = name.slice(0, name.indexOf('_')) as TaxedAccount;
  const names = taxAccountNames(name);
  const chosen = names.map((each) => accounts[each]).find((number) => number !== undefined);
  const usual = names.map((each) => DEFAULT_TAX_ACCOUNTS[chart][each]).find((number) => number !== undefined);
  return chosen ?? accounts[whole] ?? (usual ?? DEFAULT_ACCOUNTS[chart][whole]).padEnd(accountLength, '0');
}

/** Whether DATEV works out tax at an account for taxed revenue: the chart's one for the one-stop shop has none. */
export const hasAutomaticTax = ({ chart, accountLength }: DatevSettings, account: string): boolean =>
  account !== DEFAULT_TAX_ACCOUNTS[chart]['revenue_one_stop_shop']?.padEnd(accountLength, '0');

export function representDatevSettings(settings: DatevSettings): DatevSettingsView {
  const names = [
    ...Object.keys(DEFAULT_TAX_ACCOUNTS[settings.chart]),
    ...Object.keys(settings.accounts).filter(isTaxAccountName),
  ];
  const taxAccounts = Object.fromEntries(names.map((name) => [name, taxAccountOf(settings, name)]));
  return { ...settings, accounts: { ...accountsOf(settings), ...taxAccounts } };
}

const settingsOf = (row: DatevSettings): DatevSettings => ({
  consultantNumber: row.consultantNumber,
  clientNumber: row.clientNumber,
  chart: row.chart,
  accountLength: row.accountLength,
  fiscalYearStart: row.fiscalYearStart,
  locked: row.locked,
  accounts: row.accounts,
});

export async function loadDatevSettings(tx: TenantTx): Promise<DatevSettings> {
  const row = await datevSettings.findOne(tx, {});
  return row ? settingsOf(row) : UNSET;
}

@Injectable()
export class ChangeDatevSettings {
  constructor(private readonly database: Database) {}

  read(tenantId: string) {
    return this.database.tenant(tenantId, async (tx) => representDatevSettings(await loadDatevSettings(tx)), {
      readOnly: true,
    });
  }

  /** Only what is given changes; an account of null is the chart's again. @throws DomainError `validation_failed`. */
  execute(tenantId: string, dto: DatevSettingsDto) {
    return this.database.tenant(tenantId, async (tx) => {
      const before = await loadDatevSettings(tx);
      const settings: DatevSettings = {
        consultantNumber: dto.consultantNumber ?? before.consultantNumber,
        clientNumber: dto.clientNumber ?? before.clientNumber,
        chart: (dto.chart as DatevChart | null | undefined) ?? before.chart,
        accountLength: dto.accountLength ?? before.accountLength,
        fiscalYearStart: dto.fiscalYearStart ?? before.fiscalYearStart,
        locked: dto.locked ?? before.locked,
        accounts: mergeAccounts(before.accounts, dto.accounts ?? {}),
      };
      checkLengths(settings);
      await datevSettings.save(tx, settings);
      return representDatevSettings(settings);
    });
  }
}

function mergeAccounts(
  before: DatevSettings['accounts'],
  given: Readonly<Record<string, unknown>>,
): DatevSettings['accounts'] {
  const accounts: Record<string, string> = { ...before };
  for (const [code, number] of Object.entries(given)) {
    if (!DATEV_ACCOUNT_CODES.includes(code as AccountCode) && !isTaxAccountName(code))
      throw validationFailed(`accounts.${code}`, `There is no account ${code} in the ledger.`, 'unknown_account');
    if (number === null) delete accounts[code];
    else if (typeof number !== 'string' || !/^\d{4,9}$/.test(number))
      throw validationFailed(`accounts.${code}`, `accounts.${code} must be text of 4 to 9 digits.`, 'invalid_account');
    else accounts[code] = number;
  }
  return accounts;
}

/**
 * DATEV reads a number that is too short as one with leading zeros: another account. Receivables may lie on a ledger
 * account, too.
 */
function checkLengths({ accountLength, accounts }: DatevSettings): void {
  for (const [code, number] of Object.entries(accounts)) {
    if (number.length === accountLength || (code === 'receivable' && number.length === accountLength + 1)) continue;
    const wanted =
      code === 'receivable' ? `${accountLength + 1} digits (a debtor) or ${accountLength}` : `${accountLength} digits`;
    throw validationFailed(
      `accounts.${code}`,
      `The account ${number} must have ${wanted}, as accountLength says.`,
      'invalid_account',
    );
  }
}
