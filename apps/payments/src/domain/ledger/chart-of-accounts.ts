import { isCurrency } from '@kontor/money';
import { invariant } from '@kontor/kernel';

/** On which side an account grows. Assets and expenses grow by debits; liabilities and income by credits. */
export type Side = 'debit' | 'credit';

export interface AccountKind {
  readonly side: Side;
  /** `tenant`: one per tenant and currency. `customer`: one per customer and currency. */
  readonly owner: 'tenant' | 'customer';
  /** True when the account may never leave its side: a customer cannot spend more credit than there is. */
  readonly guarded: boolean;
  readonly purpose: string;
}

/** Every account that this service can have. Adding one needs no migration. */
export const CHART = {
  bank: { side: 'debit', owner: 'tenant', guarded: false, purpose: 'money on the bank accounts of the tenant' },
  gateway_clearing: {
    side: 'debit',
    owner: 'tenant',
    guarded: false,
    purpose: 'money that payment gateways hold for the tenant',
  },
  fees: { side: 'debit', owner: 'tenant', guarded: false, purpose: 'fees of banks and gateways' },
  write_off: { side: 'debit', owner: 'tenant', guarded: false, purpose: 'receivables given up' },
  adjustments: { side: 'debit', owner: 'tenant', guarded: false, purpose: 'credit given or taken by hand' },
  exchange: {
    side: 'debit',
    owner: 'tenant',
    guarded: false,
    purpose: 'the other side of an exchange into another currency',
  },
  suspense: { side: 'credit', owner: 'tenant', guarded: false, purpose: 'bank money that is not assigned yet' },
  revenue: { side: 'credit', owner: 'tenant', guarded: false, purpose: 'net amounts of documents' },
  tax: { side: 'credit', owner: 'tenant', guarded: false, purpose: 'tax amounts of documents, owed to the tax office' },
  dunning_fees: {
    side: 'credit',
    owner: 'tenant',
    guarded: false,
    purpose: 'fees and interest of dunning, without tax',
  },
  opening: {
    side: 'credit',
    owner: 'tenant',
    guarded: false,
    purpose: 'the other side of what was taken over from another system',
  },
  expired_credit: { side: 'credit', owner: 'tenant', guarded: false, purpose: 'credit that was never used' },
  receivable: {
    side: 'debit',
    owner: 'customer',
    guarded: false,
    purpose: 'what a customer owes: the sum of the open amounts',
  },
  wallet: { side: 'credit', owner: 'customer', guarded: true, purpose: "a customer's credit" },
} as const satisfies Record<string, AccountKind>;

export type AccountCode = keyof typeof CHART;

/** One account: its place in the chart, its currency and, for customers' accounts, whose it is. */
export interface Account {
  readonly code: AccountCode;
  readonly customerId: string | null;
  readonly currencyCode: string;
}

export type TenantAccountCode = {
  [C in AccountCode]: (typeof CHART)[C]['owner'] extends 'tenant' ? C : never;
}[AccountCode];
export type CustomerAccountCode = Exclude<AccountCode, TenantAccountCode>;

/** An account of the tenant. */
export function tenantAccount(code: TenantAccountCode, currencyCode: string): Account {
  invariant(isCurrency(currencyCode), `account in a known currency, not ${currencyCode}`);
  return { code, customerId: null, currencyCode };
}

/** An account of one customer. */
export function customerAccount(code: CustomerAccountCode, customerId: string, currencyCode: string): Account {
  invariant(isCurrency(currencyCode), `account in a known currency, not ${currencyCode}`);
  return { code, customerId, currencyCode };
}

/** Name of an account within its tenant; what its id is made of. */
export const accountKey = (account: Account): string =>
  `${account.code}/${account.customerId ?? ''}/${account.currencyCode}`;
