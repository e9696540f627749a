import { invariant } from '@kontor/kernel';
import { type Account, customerAccount, tenantAccount } from './chart-of-accounts.js';

/**
 * What a transfer does to the two balances. `pending` reserves without moving; `post` makes a pending transfer
 * count, `void` lets it go; `posted` counts at once.
 */
export type TransferKind = 'posted' | 'pending' | 'post' | 'void';

/** Money from one account (credited) to another (debited): two equal entries, so the sum is zero by its very shape. */
export interface Transfer {
  readonly debit: Account;
  readonly credit: Account;
  /** Minor units, more than zero. */
  readonly amountMinor: bigint;
}

/** Transfers that are booked together or not at all, once per key. */
export interface LedgerOperation {
  /** Names the business fact (`document:<id>`): booking it again changes nothing. */
  readonly key: string;
  readonly kind: TransferKind;
  /** For `post` and `void`: key of the pending operation with the same transfers. */
  readonly resolves: string | null;
  readonly transfers: readonly Transfer[];
}

/** @throws InvariantError when a transfer is not positive, mixes currencies or has the same account twice. */
export function operation(
  key: string,
  transfers: readonly Transfer[],
  kind: TransferKind = 'posted',
  resolves: string | null = null,
): LedgerOperation {
  invariant(transfers.length > 0, 'an operation moves something');
  invariant(
    (kind === 'post' || kind === 'void') === (resolves !== null),
    'only post and void resolve a pending operation',
  );
  for (const { debit, credit, amountMinor } of transfers) {
    invariant(amountMinor > 0n, 'a transfer is positive');
    invariant(debit.currencyCode === credit.currencyCode, 'a transfer stays in its currency');
    invariant(debit.code !== credit.code || debit.customerId !== credit.customerId, 'a transfer has two accounts');
  }
  return { key, kind, resolves, transfers };
}

/** A transfer of a signed amount: a negative one goes the other way, nothing for zero. */
const signed = (debit: Account, credit: Account, amountMinor: bigint): Transfer[] => {
  if (amountMinor === 0n) return [];
  return amountMinor > 0n
    ? [{ debit, credit, amountMinor }]
    : [{ debit: credit, credit: debit, amountMinor: -amountMinor }];
};

/** Where received money lies: on the bank account, or with the gateway that took it. */
export const moneyAccount = (gatewayName: string | null, currencyCode: string): Account =>
  tenantAccount(
    gatewayName === null || gatewayName === 'bank_transfer' || gatewayName === 'sepa_debit'
      ? 'bank'
      : 'gateway_clearing',
    currencyCode,
  );

export interface DocumentPosting {
  readonly documentId: string;
  readonly customerId: string;
  readonly currencyCode: string;
  /** Negative for credit notes and refunds. */
  readonly grossMinor: bigint;
  readonly taxMinor: bigint;
}

/** A finalized document: the customer owes its gross amount, of which the tax belongs to the tax office. */
export function documentBooked(document: DocumentPosting): LedgerOperation {
  const receivable = customerAccount('receivable', document.customerId, document.currencyCode);
  return operation(`document:${document.documentId}`, [
    ...signed(receivable, tenantAccount('revenue', document.currencyCode), document.grossMinor - document.taxMinor),
    ...signed(receivable, tenantAccount('tax', document.currencyCode), document.taxMinor),
  ]);
}

/** Fees and interest of dunning are owed: damages, no revenue of a supply. */
export function dunningFeesBooked({
  documentId,
  customerId,
  currencyCode,
  grossMinor,
}: DocumentPosting): LedgerOperation {
  const receivable = customerAccount('receivable', customerId, currencyCode);
  return operation(
    `document:${documentId}`,
    signed(receivable, tenantAccount('dunning_fees', currencyCode), grossMinor),
  );
}

/** What is open of them is not owed any more; or open once more, by a payment that went back. */
export function dunningFeesWaived(
  { documentId, customerId, currencyCode, grossMinor }: DocumentPosting,
  returnId: string | null = null,
): LedgerOperation {
  const receivable = customerAccount('receivable', customerId, currencyCode);
  return operation(
    writeOffOf(documentId, returnId),
    signed(tenantAccount('dunning_fees', currencyCode), receivable, grossMinor),
  );
}

/** An invoice of another system is owed here now; its revenue is in the books of that one. */
export function documentTakenOver({
  documentId,
  customerId,
  currencyCode,
  grossMinor,
}: DocumentPosting): LedgerOperation {
  const receivable = customerAccount('receivable', customerId, currencyCode);
  return operation(`document:${documentId}`, signed(receivable, tenantAccount('opening', currencyCode), grossMinor));
}

/** The first one of a document by its id, further ones by their own, too. */
export const writeOffOf = (documentId: string, further: string | null): string =>
  `write-off:${documentId}${further === null ? '' : `:${further}`}`;

/** What is open of an invoice is given up: a loss of its net part, while its tax is owed to the tax office no more. */
export function writtenOff(document: DocumentPosting, further: string | null): LedgerOperation {
  const receivable = customerAccount('receivable', document.customerId, document.currencyCode);
  const netMinor = document.grossMinor - document.taxMinor;
  return operation(writeOffOf(document.documentId, further), [
    ...signed(tenantAccount('write_off', document.currencyCode), receivable, netMinor),
    ...signed(tenantAccount('tax', document.currencyCode), receivable, document.taxMinor),
  ]);
}

export interface MoneyPosting {
  /** Id of the transaction or wallet transaction that the booking belongs to. */
  readonly id: string;
  readonly customerId: string;
  readonly currencyCode: string;
  /** Minor units, more than zero. */
  readonly amountMinor: bigint;
}

export interface GatewayPosting extends MoneyPosting {
  readonly gatewayName: string | null;
  /** The statement line that the money came or went with: it lies in suspense then. */
  readonly bankTransactionId?: string | null;
  /**
   * How it is spread over several documents, each a transfer of its own; absent: it is for one. `customerId`: whose the document
   * is by now, where that may be somebody else, since a merge was undone.
   */
  readonly parts?: readonly { readonly amountMinor: bigint; readonly customerId?: string }[];
}

const moneyOf = (p: GatewayPosting): Account =>
  p.bankTransactionId ? tenantAccount('suspense', p.currencyCode) : moneyAccount(p.gatewayName, p.currencyCode);

const received = (p: GatewayPosting): Transfer[] =>
  (p.parts ?? [p]).map(({ amountMinor, customerId = p.customerId }) => ({
    debit: moneyOf(p),
    credit: customerAccount('receivable', customerId, p.currencyCode),
    amountMinor,
  }));

/** Money that came in for a document, or for several. */
export const paymentReceived = (p: GatewayPosting): LedgerOperation => operation(`payment:${p.id}`, received(p));

/** A collection is on its way: reserved, not yet money. */
export const collectionStarted = (p: GatewayPosting): LedgerOperation =>
  operation(`collection:${p.id}`, received(p), 'pending');

/** The gateway has the money. */
export const collectionSucceeded = (p: GatewayPosting): LedgerOperation =>
  operation(`collected:${p.id}`, received(p), 'post', `collection:${p.id}`);

/** The gateway declined. */
export const collectionFailed = (p: GatewayPosting): LedgerOperation =>
  operation(`collected:${p.id}`, received(p), 'void', `collection:${p.id}`);

/** Money that went back or out to the customer: a return, or a paid-out credit note. */
export const moneyReturned = (p: GatewayPosting & { readonly feeMinor: bigint }): LedgerOperation => {
  const money = moneyOf(p);
  return operation(`money-out:${p.id}`, [
    ...(p.parts ?? [p]).map(({ amountMinor, customerId = p.customerId }) => ({
      debit: customerAccount('receivable', customerId, p.currencyCode),
      credit: money,
      amountMinor,
    })),
    ...signed(tenantAccount('fees', p.currencyCode), money, p.feeMinor),
  ]);
};

/** Begins the key of what the bank kept of a pay-out that was reported to have come back. */
export const PAYOUT_FEE = 'payout-fee:';

type KeptFee = Omit<GatewayPosting, 'customerId' | 'parts' | 'bankTransactionId'>;

const feeKept = (key: string, { gatewayName, currencyCode, amountMinor }: KeptFee): LedgerOperation =>
  operation(key, [
    { debit: tenantAccount('fees', currencyCode), credit: moneyAccount(gatewayName, currencyCode), amountMinor },
  ]);

/** What the bank kept of it: a pay-out comes back once. */
export const payoutFeeKept = (p: KeptFee): LedgerOperation => feeKept(`${PAYOUT_FEE}${p.id}`, p);

/** What the gateway kept for a payment's return that had been reported without it. */
export const returnFeeKept = (p: KeptFee): LedgerOperation => feeKept(`return-fee:${p.id}`, p);

/** What a customer paid too much, or got by a credit note, becomes credit. */
export const receivableToWallet = (p: MoneyPosting): LedgerOperation =>
  operation(`wallet:${p.id}`, [
    {
      debit: customerAccount('receivable', p.customerId, p.currencyCode),
      credit: customerAccount('wallet', p.customerId, p.currencyCode),
      amountMinor: p.amountMinor,
    },
  ]);

/** Credit pays a document, or is withdrawn because the money behind it was returned. */
export const walletToReceivable = (p: MoneyPosting): LedgerOperation =>
  operation(`wallet:${p.id}`, [
    {
      debit: customerAccount('wallet', p.customerId, p.currencyCode),
      credit: customerAccount('receivable', p.customerId, p.currencyCode),
      amountMinor: p.amountMinor,
    },
  ]);

/** Credit given (positive) or deducted (negative) by hand. `amountMinor` is signed and not zero. */
export const walletAdjusted = (p: MoneyPosting): LedgerOperation =>
  operation(
    `wallet:${p.id}`,
    signed(
      tenantAccount('adjustments', p.currencyCode),
      customerAccount('wallet', p.customerId, p.currencyCode),
      p.amountMinor,
    ),
  );

/** Credit that reached its last day. */
export const creditExpired = (p: MoneyPosting): LedgerOperation =>
  operation(`wallet:${p.id}`, [
    {
      debit: customerAccount('wallet', p.customerId, p.currencyCode),
      credit: tenantAccount('expired_credit', p.currencyCode),
      amountMinor: p.amountMinor,
    },
  ]);

/** From one customer to another. `debitMinor`: the balance, in debit. */
export interface BalanceMove {
  readonly from: Account;
  readonly to: Account;
  readonly debitMinor: bigint;
}

const moved = (moves: readonly BalanceMove[]) =>
  moves.flatMap(({ from, to, debitMinor }) => signed(to, from, debitMinor));

/** What a customer owes and has is another's, whom it was merged into. */
export const customerMerged = (mergeId: string, moves: readonly BalanceMove[]): LedgerOperation =>
  operation(`merge:${mergeId}`, moved(moves));

/** What was merged is two again: each has what its documents and its credit say. */
export const customerUnmerged = (mergeId: string, moves: readonly BalanceMove[]): LedgerOperation =>
  operation(`unmerge:${mergeId}`, moved(moves));

/** What one customer's document owes sets off what another customer has open. `amountMinor` is signed and not zero. */
export const setOffBetween = (
  id: string,
  document: Pick<MoneyPosting, 'customerId' | 'currencyCode'>,
  invoice: Pick<MoneyPosting, 'customerId'>,
  amountMinor: bigint,
): LedgerOperation =>
  operation(
    `set-off:${id}`,
    signed(
      customerAccount('receivable', document.customerId, document.currencyCode),
      customerAccount('receivable', invoice.customerId, document.currencyCode),
      amountMinor,
    ),
  );
