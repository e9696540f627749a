import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { allocations } from '../../customer-books/allocation.row.js';
import { bookAll } from '../../ledger/index.js';
import { lineFee, lineSettlesGateway } from '../../domain/bank/bank-postings.js';
import type { BankTransaction } from '../../domain/bank/bank-transaction.js';
import { returnReasonInWords } from '../../domain/bank/import/return-codes.js';
import { ReturnTransaction } from '../../returns/return-transaction.js';
import { findOrders, SettleOrders } from '../../sepa/settle-orders.js';
import { type SepaOrder, sepaOrders } from '../../sepa/sepa-order.row.js';
import { BookReturnedPayouts } from './book-returned-payouts.js';
import {
  areUnshown,
  findReported,
  findReportedOf,
  findReportedOn,
  type ReportedReturn,
  sumOfReported,
} from './find-reported.js';
import { findReturnedOn, paymentsOfEarlierLine, type StandingPayment, standingOf } from './find-returned.js';
import { finishLine, lockLine, type Moved } from './finish-line.js';

const size = (minor: bigint): bigint => (minor < 0n ? -minor : minor);

/** Lines about orders of our own files and about money that came back: what a bank says of what was booked before. */
@Injectable()
export class BookReturns {
  constructor(
    private readonly orders: SettleOrders,
    private readonly returns: ReturnTransaction,
    private readonly payouts: BookReturnedPayouts,
  ) {}

  /** Books the line when it is about an order or a payment and the amounts agree; false when it is for a person. */
  async execute(tx: TenantTx, seen: BankTransaction): Promise<boolean> {
    const orders = await this.ordersOf(tx, seen);
    if (orders.length > 0) return (await this.settle(tx, seen, orders)) || this.bringTransferBack(tx, seen, orders);
    if (!seen.isReturn) return false;
    if (seen.amountMinor > 0n) return this.payouts.execute(tx, seen);
    const reported = await findReported(tx, seen);
    if (reported.length > 0) return this.confirmReported(tx, seen, reported);
    const earlier = await paymentsOfEarlierLine(tx, seen);
    const named = earlier.length > 0 ? [] : await findReportedOn(tx, seen);
    if (named.length > 0) return this.confirmReported(tx, seen, named);
    const payments = earlier.length > 0 ? earlier : await findReturnedOn(tx, seen);
    const wanted = size(seen.amountMinor) - seen.chargesMinor;
    const sum = payments.reduce((total, payment) => total + payment.leftMinor, 0n);
    if (payments.length === 0 || (sum !== wanted && sum !== size(seen.amountMinor))) return false;
    return this.returnPayments(tx, seen, payments);
  }

  private async ordersOf(tx: TenantTx, line: BankTransaction): Promise<SepaOrder[]> {
    // SEPA pays in euro only.
    if (line.currencyCode !== 'EUR') return [];
    const { paymentInformationId, messageId } = line.batchIds;
    const endToEndIds = [line.endToEndId, ...hexIds(line.remittanceInformation)].filter(
      (id): id is string => id !== null,
    );
    if (endToEndIds.length > 0) return findOrders(tx, { endToEndIds });
    const batch =
      paymentInformationId === null ? [] : await findOrders(tx, { paymentInformationIds: [paymentInformationId] });
    return batch.length > 0 || messageId === null ? batch : findOrders(tx, { messageIds: [messageId] });
  }

  /** A transfer of a file came back less what the bank kept, or as somebody had reported it before. */
  private async bringTransferBack(
    tx: TenantTx,
    seen: BankTransaction,
    [order, another]: readonly SepaOrder[],
  ): Promise<boolean> {
    if (order?.kind !== 'transfer' || another || seen.amountMinor < 0n) return false;
    return this.payouts.execute(tx, seen, order.id);
  }

  /** Orders of a file: the money came (or went), or one of them came back. */
  private async settle(tx: TenantTx, seen: BankTransaction, found: readonly SepaOrder[]): Promise<boolean> {
    const line = await lockLine(
      tx,
      seen,
      found.map((order) => order.customerId),
    );
    if (!line) return false;
    const orders = await sepaOrders.where(tx, 'id = ANY ($2::uuid[]) ORDER BY id', [found.map((order) => order.id)]);
    if (orders.every((order) => forward(order) > 0n !== line.amountMinor > 0n))
      return orders.length > 1 ? this.returnBatch(tx, line, orders) : this.returnOrder(tx, line, orders[0]!);
    const shown = await shownBefore(tx, orders);
    const unseen = orders.filter((order) => !shown.has(order.id));
    // What came back before its sum was booked is in the sum all the same; a debit that the bank refused is not, unless it came after all.
    const expected = unseen.filter(({ status }) => status === 'exported' || status === 'returned');
    const withRefused = unseen.filter((order) => expected.includes(order) || isRefusedDebit(order));
    const carriedOut = [expected, withRefused].find((some) => some.length > 0 && sumOf(some) === line.amountMinor);
    if (!carriedOut) return false;
    await this.orders.settle(
      tx,
      carriedOut.map((order) => order.id),
    );
    await bookAll(tx, tx.tenantId, tx.now, [lineSettlesGateway({ ...line, key: line.id, gatewayName: 'sepa_debit' })]);
    await finishLine(
      tx,
      line,
      carriedOut.map((order) => movedBy(order, forward(order))),
    );
    return true;
  }

  /** The bank took a batch back by one sum: all that stands of it, those whose return somebody had reported included. */
  private async returnBatch(tx: TenantTx, line: BankTransaction, orders: readonly SepaOrder[]): Promise<boolean> {
    const standing = orders.filter(({ status }) => status === 'exported' || status === 'settled');
    if (standing.length === 0 || -sumOf(standing) !== line.amountMinor) return false;
    const reason = { reasonCode: line.returnReason ?? 'MS03', reason: returnReasonInWords(line.returnReason) };
    for (const order of standing) {
      const reported = await findReportedOf(tx, line.currencyCode, order.id);
      await this.orders.returned(tx, order.id, { ...reason, feeMinor: 0n });
      await showReported(tx, line, reported);
    }
    await bookAll(tx, tx.tenantId, tx.now, [lineSettlesGateway({ ...line, key: line.id, gatewayName: 'sepa_debit' })]);
    await finishLine(
      tx,
      line,
      standing.map((order) => movedBy(order, -forward(order))),
    );
    return true;
  }

  /** One order came back; what is more than its amount is the bank's fee. */
  private async returnOrder(tx: TenantTx, line: BankTransaction, order: SepaOrder): Promise<boolean> {
    const feeMinor = size(line.amountMinor) - order.amountMinor;
    const mayCost = order.kind === 'debit' && line.isReturn;
    if (feeMinor < 0n || feeMinor > order.amountMinor || (feeMinor > 0n && !mayCost)) return false;
    const reason = {
      reasonCode: line.returnReason ?? 'MS03',
      reason: returnReasonInWords(line.returnReason),
      feeMinor,
    };
    // Somebody may have reported it before: then the line shows that return.
    const reported = await findReportedOf(tx, line.currencyCode, order.id);
    if (!(await this.orders.returned(tx, order.id, reason))) return false;
    if (reported.length > 0) return this.confirm(tx, line, reported);
    // The return of a settled debit books its fee itself; otherwise the money never came, and only the fee is gone.
    const feeAlone = order.status === 'settled' ? 0n : -feeMinor;
    const operations = [
      lineSettlesGateway({
        ...line,
        amountMinor: line.amountMinor - feeAlone,
        key: line.id,
        gatewayName: 'sepa_debit',
      }),
    ];
    await bookAll(
      tx,
      tx.tenantId,
      tx.now,
      feeAlone === 0n ? operations : [...operations, lineFee({ ...line, amountMinor: feeAlone })],
    );
    await finishLine(tx, line, [movedBy(order, -forward(order))]);
    return true;
  }

  /** The line shows returns that somebody reported before: nothing goes back twice. */
  private async confirmReported(
    tx: TenantTx,
    seen: BankTransaction,
    reported: readonly ReportedReturn[],
  ): Promise<boolean> {
    const line = await lockLine(
      tx,
      seen,
      reported.map(({ customerId }) => customerId),
    );
    return line !== undefined && this.confirm(tx, line, reported);
  }

  /** The money leaves suspense for the account on which the returns were booked; what is more is the bank's fee. */
  private async confirm(tx: TenantTx, line: BankTransaction, reported: readonly ReportedReturn[]): Promise<boolean> {
    if (!(await areUnshown(tx, reported))) return false;
    const { amountMinor, feeMinor } = sumOfReported(reported);
    const whole = size(line.amountMinor);
    const booked = whole < amountMinor + feeMinor ? whole : amountMinor + feeMinor;
    const [{ gatewayName }] = reported as [ReportedReturn];
    await bookAll(tx, tx.tenantId, tx.now, [
      lineSettlesGateway({ ...line, amountMinor: -booked, key: line.id, gatewayName }),
      ...(whole > booked ? [lineFee({ ...line, amountMinor: booked - whole })] : []),
    ]);
    await showReported(tx, line, reported);
    const ids = reported.map(({ id }) => id);
    const parts = await allocations.where(tx, `transaction_id = ANY ($2::uuid[]) AND kind = 'return' ORDER BY id`, [
      ids,
    ]);
    const payer = new Map(reported.map(({ id, customerId }) => [id, customerId]));
    await finishLine(
      tx,
      line,
      parts.map(({ transactionId, intentId, amountMinor: got }) => ({
        transactionId: transactionId!,
        intentId,
        customerId: payer.get(transactionId!)!,
        amountMinor: got,
      })),
    );
    return true;
  }

  /** Payments of earlier lines went back, or what is left of them, or `partMinor` of one: their invoices are open again. */
  async returnPayments(
    tx: TenantTx,
    seen: BankTransaction,
    payments: readonly StandingPayment[],
    partMinor: bigint | null = null,
  ): Promise<boolean> {
    const line = await lockLine(
      tx,
      seen,
      payments.map((payment) => payment.customerId),
    );
    if (!line) return false;
    const sum = partMinor ?? payments.reduce((total, payment) => total + payment.leftMinor, 0n);
    const feeMinor = size(line.amountMinor) - sum;
    if (feeMinor < 0n || !(await stillStand(tx, line.currencyCode, payments))) return false;
    const reason = returnReasonInWords(line.returnReason);
    const moved: Moved[] = [];
    for (const { id, customerId } of payments) {
      const report = { reason, amountMinor: partMinor, feeMinor: 0n, bankTransactionId: line.id };
      const back = await this.returns.executeIn(tx, id, () => report);
      for (const { id: intentId, amount } of back.intents)
        moved.push({ transactionId: back.id, intentId, customerId, amountMinor: -BigInt(amount.amount) });
    }
    if (feeMinor > 0n) await bookAll(tx, tx.tenantId, tx.now, [lineFee({ ...line, amountMinor: -feeMinor })]);
    await finishLine(tx, line, moved);
    return true;
  }
}

/** An order's money on our account when it is carried out: debits come in, transfers go out. */
const forward = (order: SepaOrder): bigint => (order.kind === 'debit' ? order.amountMinor : -order.amountMinor);
const isRefusedDebit = ({ status, kind }: SepaOrder): boolean => status === 'rejected' && kind === 'debit';
const sumOf = (orders: readonly SepaOrder[]): bigint => orders.reduce((total, order) => total + forward(order), 0n);
const movedBy = ({ id, intentId, customerId }: SepaOrder, amountMinor: bigint): Moved => ({
  transactionId: id,
  intentId,
  customerId,
  amountMinor,
});

/** From now on the line is where the money of these returns can be seen. */
const showReported = (tx: TenantTx, line: BankTransaction, reported: readonly ReportedReturn[]): Promise<unknown> =>
  tx.query('UPDATE payment_transaction SET bank_transaction_id = $3 WHERE tenant_id = $1 AND id = ANY ($2::uuid[])', [
    tx.tenantId,
    reported.map(({ id }) => id),
    line.id,
  ]);

/** Orders whose money a line has shown already. */
async function shownBefore(tx: TenantTx, orders: readonly SepaOrder[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string; comesIn: boolean }>(
    `SELECT transaction_id AS id, amount_minor > 0 AS "comesIn" FROM bank_assignment
     WHERE tenant_id = $1 AND transaction_id = ANY ($2::uuid[]) AND revoked_at IS NULL`,
    [tx.tenantId, orders.map((order) => order.id)],
  );
  return new Set(
    orders
      .filter((order) => rows.some((row) => row.id === order.id && row.comesIn === forward(order) > 0n))
      .map(({ id }) => id),
  );
}

/** Under the customers' lock: nothing has gone back of them meanwhile. */
async function stillStand(tx: TenantTx, currencyCode: string, payments: readonly StandingPayment[]): Promise<boolean> {
  const now = await standingOf(
    tx,
    currencyCode,
    payments.map(({ id }) => id),
  );
  return payments.every((payment) =>
    now.some(({ id, leftMinor }) => id === payment.id && leftMinor === payment.leftMinor),
  );
}

/** End-to-end ids of ours in a text: ids without dashes. */
const hexIds = (text: string | null): string[] => text?.match(/\b[0-9a-f]{32}\b/gi) ?? [];
