import { invalidTransition, unknownReference } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { transactions } from '../customer-books/transaction.row.js';
import { lockCustomers } from '../customer-books/lock-customers.js';
import { methods } from '../payment-methods/payment-method.row.js';
import { endsMandate } from '../domain/payment-methods/sepa-mandate.js';
import { saveMethods } from '../payment-methods/default-method.js';
import { ReturnTransaction } from '../returns/return-transaction.js';
import { SettleCollections } from '../collections/settle-collections.js';
import { type SepaOrder, sepaOrders } from './sepa-order.row.js';
import { WaitingDebits } from './waiting-debits.js';

/** What a line of the bank statement may name. */
export interface OrderReferences {
  readonly endToEndIds?: readonly string[];
  readonly paymentInformationIds?: readonly string[];
  readonly messageIds?: readonly string[];
}

/** Why a debit came back, as the bank says it. */
export interface ReturnedOrder {
  /** ISO 20022 external return reason: `AC04`, `AM04`, `MD06`. */
  readonly reasonCode: string;
  /** In words; the code where there are none. */
  readonly reason: string | null;
  /** Cents that the bank keeps for it. */
  readonly feeMinor: bigint;
}

/**
 * Orders of the files that a statement's line is about: one by its end-to-end id, or all of a batch that the bank books
 * as one sum.
 */
export async function findOrders(tx: TenantTx, references: OrderReferences): Promise<SepaOrder[]> {
  const { endToEndIds = [], paymentInformationIds = [], messageIds = [] } = references;
  const found = new Map<string, SepaOrder>();
  const find = async (where: string, values: readonly string[]): Promise<void> => {
    if (values.length === 0) return;
    for (const order of await sepaOrders.where(tx, `${where} AND file_id IS NOT NULL ORDER BY id`, [values]))
      found.set(order.id, order);
  };
  await find(
    'end_to_end_id = ANY ($2::text[])',
    endToEndIds.map((id) => id.toLowerCase()),
  );
  await find('payment_information_id = ANY ($2::text[])', paymentInformationIds);
  await find(
    'file_id IN (SELECT f.id FROM sepa_file f WHERE f.tenant_id = $1 AND f.message_id = ANY ($2::text[]))',
    messageIds,
  );
  return [...found.values()];
}

/** What the bank's statement says of exported orders, booked in the caller's transaction. As often as it is said. */
@Injectable()
export class SettleOrders {
  constructor(
    private readonly settleCollections: SettleCollections,
    private readonly returns: ReturnTransaction,
    private readonly waitingDebits: WaitingDebits,
  ) {}

  /**
   * The money came (or went); a debit's also where the bank had refused it. Orders that are settled or returned already stay as they
   * are. Returns how many changed.
   */
  async settle(tx: TenantTx, orderIds: readonly string[]): Promise<number> {
    const found = await this.lockOrders(tx, orderIds, ['exported', 'rejected']);
    const orders = found.filter(({ status, kind }) => status === 'exported' || kind === 'debit');
    if (orders.length === 0) return 0;
    for (const order of orders) order.status = 'settled';
    await sepaOrders.save(tx, orders);
    await this.settleCollections.execute(
      tx,
      new Map(orders.map((order) => [order.id, { status: 'succeeded', reference: order.endToEndId }])),
    );
    return orders.length;
  }

  /**
   * A debit came back: its invoice is open again, and the mandate ends where the reason says so. A transfer came back:
   * the money is owed again. False when it was booked before.
   */
  async returned(tx: TenantTx, orderId: string, { reasonCode, reason, feeMinor }: ReturnedOrder): Promise<boolean> {
    const [order] = await this.lockOrders(tx, [orderId], ['exported', 'settled']);
    if (!order) return false;
    const wasSettled = order.status === 'settled';
    order.status = 'returned';
    order.statusReason = reasonCode;
    await sepaOrders.save(tx, [order]);
    if (wasSettled && order.kind === 'debit') {
      // Somebody may have reported the return already.
      const payment = await transactions.get(tx, order.id);
      if (payment?.status === 'succeeded')
        await this.returns.executeIn(tx, order.id, () => ({ reason: reason ?? reasonCode, feeMinor }));
    } else await this.settleCollections.execute(tx, new Map([[order.id, { status: 'declined', reason: reasonCode }]]));
    await this.revise(tx, order, reasonCode);
    return true;
  }

  /**
   * The bank has not carried orders of a file out, and never will (pain.002): collections have failed, transfers are owed again, and the
   * mandate ends where the reason says so. `orderIds` null: all of the file of which nothing was heard. Again changes nothing.
   * @throws DomainError `unknown_reference`, `invalid_status_transition` for what was settled or came back.
   */
  async reject(tx: TenantTx, fileId: string, orderIds: readonly string[] | null, reasonCode: string): Promise<void> {
    const ofFile = await sepaOrders.where(tx, 'file_id = $2 ORDER BY id', [fileId]);
    const ids = ofFile.map((order) => order.id);
    const unknown = orderIds?.findIndex((id) => !ids.includes(id)) ?? -1;
    if (unknown >= 0) throw unknownReference(`transactionIds[${unknown}]`, 'payment of this file');
    const refusable = await this.lockOrders(tx, orderIds ?? ids, ['exported', 'rejected']);
    const decided = ofFile.find(({ id }) => orderIds?.includes(id) && !refusable.some((order) => order.id === id));
    if (decided ?? refusable.length === 0)
      throw invalidTransition('payment of the file', (decided ?? ofFile[0])?.status ?? 'settled', 'reject');
    const orders = refusable.filter((order) => order.status === 'exported');
    for (const order of orders) Object.assign(order, { status: 'rejected', statusReason: reasonCode });
    await sepaOrders.save(tx, orders);
    await this.settleCollections.execute(
      tx,
      new Map(orders.map((order) => [order.id, { status: 'declined', reason: reasonCode }])),
    );
    for (const order of orders) await this.revise(tx, order, reasonCode);
  }

  private async lockOrders(tx: TenantTx, ids: readonly string[], statuses: readonly string[]): Promise<SepaOrder[]> {
    const seen = await sepaOrders.findByIds(tx, ids);
    await lockCustomers(
      tx,
      seen.map((order) => order.customerId),
    );
    return sepaOrders.where(tx, 'id = ANY ($2::uuid[]) AND status = ANY ($3::text[]) ORDER BY id', [ids, statuses]);
  }

  /** A first (or only) debit that came back was none: the next one is it again, unless the mandate is over. */
  private async revise(tx: TenantTx, order: SepaOrder, reasonCode: string): Promise<void> {
    const [method] = await methods.where(tx, 'id = $2 AND deleted_at IS NULL', [order.paymentMethodId]);
    if (!method || method.status === 'revoked') return;
    if (endsMandate(reasonCode)) {
      method.status = 'revoked';
      method.statusReason = reasonCode;
      await this.waitingDebits.declineOf(tx, method.id, reasonCode);
    } else if (order.sequenceType !== 'RCUR' && !(await this.hasOther(tx, order))) {
      method.nextSequence = order.sequenceType;
      if (method.statusReason === 'mandate_used_up') {
        method.status = 'active';
        method.statusReason = null;
      }
    } else return;
    await saveMethods(tx, [{ method, change: 'updated' }]);
  }

  private async hasOther(tx: TenantTx, order: SepaOrder): Promise<boolean> {
    const others = await sepaOrders.where(
      tx,
      `payment_method_id = $2 AND id <> $3 AND status IN ('exported', 'settled') LIMIT 1`,
      [order.paymentMethodId, order.id],
    );
    return others.length > 0;
  }
}
