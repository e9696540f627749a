import type { TenantTx } from '@kontor/persistence';
import { methods, type PaymentMethod } from '../payment-methods/payment-method.row.js';
import { decideDebit, decideTransfer, type OrderDecision } from '../domain/sepa/decide-order.js';
import { type SepaOrder, sepaOrders } from './sepa-order.row.js';

/** An order that waits for its file, with what decides about it. */
export interface Waiting {
  readonly order: SepaOrder;
  readonly method: PaymentMethod | null;
  /** Its money is decided already, or other money has paid it, all or a part. */
  readonly isSuperseded: boolean;
  /** Decides once; a debit that goes into the file gets its sequence and advances the mandate's. */
  decide(): OrderDecision;
}

interface Money {
  readonly id: string;
  readonly transactionStatus: string;
  /** Nothing of an invoice that has ended: what is open of it again is paid by hand. */
  readonly openMinor: bigint;
  readonly pendingMinor: bigint;
}

/** Orders by day, so that the first debit of a mandate comes first. Their customers are locked by the caller. */
export async function loadWaiting(tx: TenantTx, ids: readonly string[]): Promise<Waiting[]> {
  if (ids.length === 0) return [];
  const orders = await sepaOrders.where(tx, `id = ANY ($2::uuid[]) AND status = 'waiting' ORDER BY requested_on, id`, [
    ids,
  ]);
  const money = await tx.query<Money>(
    `SELECT t.id, t.status AS "transactionStatus", i."openMinor", i.pending_minor AS "pendingMinor"
      FROM payment_transaction t
      LEFT JOIN LATERAL (
       SELECT CASE WHEN status = 'cancelled' AND amount_minor > 0 THEN 0 ELSE open_minor END AS "openMinor", pending_minor
         FROM payment_intent WHERE tenant_id = $1 AND id = t.intent_id OFFSET 0) i ON true
     WHERE t.tenant_id = $1 AND t.id = ANY ($2::uuid[])`,
    [tx.tenantId, ids],
  );
  const moneyById = new Map(money.map((row) => [row.id, row]));
  const rows = await methods.where(tx, 'id = ANY ($2::uuid[])', [
    [...new Set(orders.flatMap((order) => order.paymentMethodId ?? []))],
  ]);
  const methodById = new Map(rows.map((row) => [row.id, row]));
  return orders.map((order) => {
    const method = methodById.get(order.paymentMethodId ?? '') ?? null;
    const decision = () => decisionOf(order, method, moneyById.get(order.id));
    const { kind } = decision();
    return {
      order,
      method,
      isSuperseded: kind === 'drop' || kind === 'cancel',
      decide: () => takeSequence(order, method, decision()),
    };
  });
}

function decisionOf(order: SepaOrder, method: PaymentMethod | null, money: Money | undefined): OrderDecision {
  const transactionStatus = money?.transactionStatus ?? 'missing';
  if (order.kind === 'transfer')
    return decideTransfer({
      transactionStatus,
      owedMinor: -(money?.openMinor ?? 0n),
      pendingMinor: money?.pendingMinor ?? 0n,
    });
  return decideDebit({
    amountMinor: order.amountMinor,
    transactionStatus,
    openMinor: money?.openMinor ?? 0n,
    method: method && { ...method, removed: method.deletedAt !== null },
  });
}

function takeSequence(order: SepaOrder, method: PaymentMethod | null, decision: OrderDecision): OrderDecision {
  if (decision.kind === 'export' && method && order.kind === 'debit') {
    order.sequenceType = decision.sequenceType;
    method.nextSequence = decision.next;
  }
  return decision;
}
