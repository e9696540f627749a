import { DomainError } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { lockPayment } from '../../customer-books/lock-payment.js';
import { lineFee, lineSettlesGateway } from '../../domain/bank/bank-postings.js';
import type { BankTransaction } from '../../domain/bank/bank-transaction.js';
import { returnReasonInWords } from '../../domain/bank/import/return-codes.js';
import type { LedgerOperation } from '../../domain/ledger/postings.js';
import { bookAll } from '../../ledger/index.js';
import { ReturnPayout } from '../../returns/return-payout.js';
import { SettleOrders } from '../../sepa/settle-orders.js';
import { findPaidOut, type PaidOut, paidOutAs, paidOutFor } from './find-paid-out.js';
import { finishLine, lockLine } from './finish-line.js';

/** Transfers to customers that came back: what was paid out is owed again, as it is of a transfer of our files. */
@Injectable()
export class BookReturnedPayouts {
  constructor(
    private readonly orders: SettleOrders,
    private readonly payouts: ReturnPayout,
  ) {}

  /** Books the line when it is clear what came back; false when it is for a person. `orderId`: whose end-to-end id it has. */
  async execute(tx: TenantTx, seen: BankTransaction, orderId: string | null = null): Promise<boolean> {
    return this.book(tx, seen, await findPaidOut(tx, seen, orderId));
  }

  /**
   * A person says of which of these documents the money was; of several equal payouts the first is as good as any.
   * @throws DomainError `invoice_not_payable`
   */
  async assign(tx: TenantTx, seen: BankTransaction, invoiceIds: readonly string[]): Promise<void> {
    if (!(await this.book(tx, seen, await paidOutFor(tx, seen, invoiceIds))))
      throw new DomainError('invoice_not_payable', {
        detail: 'Nothing of exactly this amount was paid out for it by bank that this line could bring back.',
      });
  }

  /** What somebody has reported is only confirmed: nothing comes back twice. */
  private async book(tx: TenantTx, seen: BankTransaction, found: readonly PaidOut[]): Promise<boolean> {
    if (found.length === 0) return false;
    const customerIds = found.flatMap(({ parts }) => parts.map(({ customerId }) => customerId));
    for (const { id } of found) customerIds.push(...(await lockPayment(tx, id)));
    const line = await lockLine(tx, seen, [...new Set(customerIds)]);
    const ids = found.map(({ id }) => id);
    if (!line || !areSame(found, await paidOutAs(tx, seen, ids))) return false;
    const reasonCode = line.returnReason ?? 'MS03';
    const reason = returnReasonInWords(line.returnReason);
    for (const { id, isOrder, isReported } of found) {
      if (isReported) continue;
      if (isOrder) await this.orders.returned(tx, id, { reasonCode, reason, feeMinor: 0n });
      else await this.payouts.execute(tx, id, reasonCode);
    }
    const operations = settling(line, found);
    if (operations.length > 0) await bookAll(tx, tx.tenantId, tx.now, operations);
    await finishLine(
      tx,
      line,
      found.flatMap(({ id, parts }) =>
        parts.map(({ intentId, customerId, amountMinor }) => ({
          transactionId: id,
          intentId,
          customerId,
          amountMinor,
        })),
      ),
    );
    return true;
  }
}

const areSame = (seen: readonly PaidOut[], now: readonly PaidOut[]): boolean =>
  now.length === seen.length &&
  seen.every((payout) =>
    now.some(
      ({ id, isReported, hasLine, amountMinor }) =>
        id === payout.id &&
        isReported === payout.isReported &&
        hasLine === payout.hasLine &&
        amountMinor === payout.amountMinor,
    ),
  );

/**
 * The money lies in suspense. What a line had shown go out is taken from there; else it leaves it for the account from which it had gone, or on
 * which its return was reported. What is missing is the bank's fee; where a fee was reported and the line is without it, the bank books it
 * apart.
 */
function settling(line: BankTransaction, payouts: readonly PaidOut[]): LedgerOperation[] {
  const operations: LedgerOperation[] = [];
  const settle = (amountMinor: bigint, gatewayName: string | null, key: string): void => {
    if (amountMinor !== 0n) operations.push(lineSettlesGateway({ ...line, amountMinor, key, gatewayName }));
  };
  let settledMinor = 0n;
  for (const { id, amountMinor, feeMinor, gatewayName, isReported, hasLine } of payouts) {
    settledMinor += amountMinor - feeMinor;
    if (isReported || !hasLine) settle(amountMinor - feeMinor, gatewayName, `${line.id}:${id}`);
  }
  const moreMinor = line.amountMinor - settledMinor;
  if (moreMinor < 0n) operations.push(lineFee({ ...line, amountMinor: moreMinor }));
  else settle(moreMinor, payouts.find(({ isReported }) => isReported)?.gatewayName ?? null, `${line.id}:fees`);
  return operations;
}
