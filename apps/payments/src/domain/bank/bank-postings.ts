import { customerAccount, tenantAccount } from '../ledger/chart-of-accounts.js';
import { type LedgerOperation, moneyAccount, operation, type Transfer } from '../ledger/postings.js';

interface LinePosting {
  readonly id: string;
  readonly currencyCode: string;
  /** Signed: money in is positive, never zero. */
  readonly amountMinor: bigint;
}

const between = (debit: Transfer['debit'], credit: Transfer['credit'], amountMinor: bigint): Transfer[] =>
  amountMinor > 0n ? [{ debit, credit, amountMinor }] : [{ debit: credit, credit: debit, amountMinor: -amountMinor }];

/** A line of the statement: the money is on the bank account, and nobody knows yet what for. */
export const lineImported = (line: LinePosting): LedgerOperation =>
  operation(
    `bank-line:${line.id}`,
    between(tenantAccount('bank', line.currencyCode), tenantAccount('suspense', line.currencyCode), line.amountMinor),
  );

interface SettledPosting extends LinePosting {
  readonly gatewayName: string | null;
  /** Names the settling. */
  readonly key: string;
}

const settled = (line: SettledPosting, amountMinor: bigint): Transfer[] =>
  between(tenantAccount('suspense', line.currencyCode), moneyAccount(line.gatewayName, line.currencyCode), amountMinor);

/** A line shows money that was booked before, by a gateway (the SEPA files) or by hand: it is not open any more. */
export const lineSettlesGateway = (line: SettledPosting): LedgerOperation =>
  operation(`bank-settled:${line.key}`, settled(line, line.amountMinor));

/** It did not: the line's money is open again. */
export const lineUnsettlesGateway = (line: SettledPosting): LedgerOperation =>
  operation(`bank-unsettled:${line.key}`, settled(line, -line.amountMinor));

/** What the bank took for a return, on top of the money that went back. */
export const lineFee = (line: LinePosting): LedgerOperation =>
  operation(
    `bank-fee:${line.id}`,
    between(tenantAccount('suspense', line.currencyCode), tenantAccount('fees', line.currencyCode), line.amountMinor),
  );

/** Begins the key of what took a pay-out back. */
export const PAYOUT_BACK = 'payout-back:';

/** A payout that a line had shown was none: the money is unassigned again, and the customer has it to get. */
export const payoutReverted = (payout: LinePosting & { readonly customerId: string }): LedgerOperation =>
  operation(
    `${PAYOUT_BACK}${payout.id}`,
    between(
      tenantAccount('suspense', payout.currencyCode),
      customerAccount('receivable', payout.customerId, payout.currencyCode),
      payout.amountMinor,
    ),
  );
