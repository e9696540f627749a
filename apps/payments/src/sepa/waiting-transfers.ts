import { newUuid } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { SecretBox } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { CustomerBooks } from '../customer-books/customer-books.js';
import { transactions } from '../customer-books/transaction.row.js';
import type { Books } from '../domain/customer-books/books.js';
import type { PaymentTransaction } from '../domain/customer-books/transaction.js';
import { startRefund } from '../domain/refunds/refunds.js';
import { stopRefund } from '../domain/refunds/stop-refunds.js';
import { planTransfer } from './plan-transfer.js';
import { type SepaOrder, sepaOrders } from './sepa-order.row.js';

/** Pay-outs that are in no file yet, of documents whose money went out otherwise. The customers' books are locked by the caller. */
@Injectable()
export class WaitingTransfers {
  constructor(
    private readonly customerBooks: CustomerBooks,
    private readonly replicas: Replicas,
    private readonly secrets: SecretBox,
  ) {}

  /** They do not go out any more. What is still owed waits for a file anew, to the same account. */
  async replace(tx: TenantTx, superseded: readonly SepaOrder[]): Promise<void> {
    if (superseded.length === 0) return;
    for (const order of superseded) Object.assign(order, { status: 'cancelled', statusReason: 'already_paid' });
    await sepaOrders.save(tx, superseded);
    const ids = superseded.map((order) => order.id);
    const found = await transactions.where(tx, `id = ANY ($2::uuid[]) AND status = 'pending' ORDER BY id`, [ids]);
    if (found.length === 0) return;
    const books = await this.customerBooks.load(tx, {
      customerIds: [...new Set(found.map((row) => row.customerId))],
      intentIds: found.flatMap((row) => row.intentId ?? []),
      transactions: found,
    });
    for (const row of found) stopRefund(books, row, 'already_paid');
    const collectionId = newUuid();
    const orders = new Map(superseded.map((order) => [order.id, order]));
    const again = found.flatMap((row) => {
      const rest = payRest(books, row, collectionId);
      return rest ? [{ rest, order: orders.get(row.id)! }] : [];
    });
    await this.customerBooks.save(tx, books);
    for (const { rest, order } of again) await this.plan(tx, rest, order);
  }

  private async plan(tx: TenantTx, rest: PaymentTransaction, order: SepaOrder): Promise<void> {
    await planTransfer(
      tx,
      { replicas: this.replicas, secrets: this.secrets },
      {
        transactionId: rest.id,
        customerId: order.customerId,
        intentId: order.intentId,
        amountMinor: rest.amountMinor,
        currencyCode: rest.currencyCode,
        iban: this.secrets.open(order.ibanSecret!, order.id),
        bic: order.bic,
        name: order.partyName,
        remittance: order.remittance,
      },
    );
  }
}

function payRest(books: Books, row: PaymentTransaction, collectionId: string): PaymentTransaction | undefined {
  const intent = books.intent(row.intentId!);
  const owedMinor = -intent.openMinor - intent.pendingMinor;
  const amountMinor = owedMinor < row.amountMinor ? owedMinor : row.amountMinor;
  if (amountMinor <= 0n) return undefined;
  const part = {
    paymentId: row.refundedTransactionId ?? null,
    paymentMethodId: row.paymentMethodId,
    gatewayName: row.gatewayName!,
    amountMinor,
  };
  return startRefund(books, intent, part, collectionId);
}
