import type { Day } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { SecretBox } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { type BankOrder, BankOrders, type TransferRequest } from '../gateways/port/bank-orders.js';
import type { Unsent } from '../domain/customer-books/books.js';
import { planTransfer } from './plan-transfer.js';
import { SEPA_LIMIT_MINOR } from '../domain/sepa/sepa-order.js';
import { sepaOrders, WILL_BE_DEBITED } from './sepa-order.row.js';

/** Orders for the bank are those of SEPA files. */
@Injectable()
export class SepaBankOrders extends BankOrders {
  constructor(
    private readonly replicas: Replicas,
    private readonly secrets: SecretBox,
  ) {
    super();
  }

  async findByTransactions(tx: TenantTx, transactionIds: readonly string[]): Promise<Map<string, BankOrder>> {
    const orders = await sepaOrders.findByIds(tx, transactionIds);
    return new Map(orders.map((order) => [order.id, order]));
  }

  async debitDays(tx: TenantTx, intentIds: readonly string[]): Promise<Map<string, Day>> {
    if (intentIds.length === 0) return new Map();
    const debits = await sepaOrders.where(
      tx,
      `intent_id = ANY ($2::uuid[]) AND kind = 'debit' AND (status = 'exported' OR ${WILL_BE_DEBITED}) ORDER BY id`,
      [intentIds],
    );
    return new Map(debits.map(({ intentId, requestedOn }) => [intentId!, requestedOn]));
  }

  canTransfer(currencyCode: string, amountMinor: bigint): boolean {
    return currencyCode === 'EUR' && amountMinor <= SEPA_LIMIT_MINOR;
  }

  async planTransfer(tx: TenantTx, request: TransferRequest): Promise<void> {
    await planTransfer(tx, { replicas: this.replicas, secrets: this.secrets }, request);
  }

  async findWaiting(tx: TenantTx, transactionIds: readonly string[]): Promise<Set<string>> {
    const orders = await sepaOrders.where(tx, `id = ANY ($2::uuid[]) AND status = 'waiting'`, [transactionIds]);
    return new Set(orders.map(({ id }) => id));
  }

  /** Debits that are to become orders count, too: one whose collection is cancelled by then does not become any. */
  unsentOf(tx: TenantTx, intentIds: readonly string[]): Promise<Unsent[]> {
    return tx.query<Unsent>(
      `SELECT t.id AS "transactionId", t.intent_id AS "intentId", t.amount_minor AS "amountMinor"
       FROM payment_transaction t LEFT JOIN sepa_order o ON o.tenant_id = $1 AND o.id = t.id
       WHERE t.tenant_id = $1 AND t.intent_id = ANY ($2::uuid[]) AND t.status = 'pending'
         AND (o.status = 'waiting' OR o.id IS NULL AND t.type = 'payment' AND t.gateway_name = 'sepa_debit')`,
      [tx.tenantId, intentIds],
    );
  }

  async noteReturned(tx: TenantTx, transactionId: string, reason: string): Promise<void> {
    const orders = await sepaOrders.where(tx, `id = $2 AND kind = 'transfer' AND status = 'settled'`, [transactionId]);
    for (const order of orders) Object.assign(order, { status: 'returned', statusReason: reason });
    await sepaOrders.save(tx, orders);
  }

  async cancelTransfers(tx: TenantTx, transactionIds: readonly string[], reason: string): Promise<void> {
    if (transactionIds.length === 0) return;
    const orders = await sepaOrders.where(tx, `id = ANY ($2::uuid[]) AND status = 'waiting'`, [transactionIds]);
    for (const order of orders) Object.assign(order, { status: 'cancelled', statusReason: reason });
    await sepaOrders.save(tx, orders);
  }
}
