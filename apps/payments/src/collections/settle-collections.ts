import type { CustomerState } from '@kontor/contracts';
import { Replicas, scheduleDueMany, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { CustomerBooks } from '../customer-books/customer-books.js';
import { loadPromised, promisedOf } from '../customer-books/load-promised.js';
import { lockCustomers } from '../customer-books/lock-customers.js';
import { transactions } from '../customer-books/transaction.row.js';
import type { Books } from '../domain/customer-books/books.js';
import { type GatewayOutcome, type RefundOutcome } from '../domain/gateways/gateway-outcome.js';
import type { PaymentTransaction } from '../domain/customer-books/transaction.js';
import { settleCollection } from '../domain/collections/collections.js';
import { type PayoutPart, settleRefund } from '../domain/refunds/refunds.js';
import { meetPromised } from '../domain/refunds/stop-refunds.js';
import { RETRY_COLLECTION } from '../due-kinds.js';

/**
 * Books what gateways and banks answered to charges and refunds, from whichever side the answer came: the call itself,
 * a call-back, the sweeper, or a statement.
 */
@Injectable()
export class SettleCollections {
  constructor(
    private readonly replicas: Replicas,
    private readonly customerBooks: CustomerBooks,
  ) {}

  /** Answers for what is decided already change nothing. Returns how many changed. */
  async execute(tx: TenantTx, outcomes: ReadonlyMap<string, GatewayOutcome | RefundOutcome>): Promise<number> {
    const ids = [...outcomes.keys()];
    const owners = await tx.query<{ customerId: string }>(
      `SELECT t.customer_id AS "customerId" FROM payment_transaction t WHERE t.tenant_id = $1 AND t.id = ANY ($2::uuid[])
       UNION SELECT i.customer_id FROM payment_transaction t
         JOIN payment_intent i ON i.tenant_id = $1 AND i.id = t.intent_id
         WHERE t.tenant_id = $1 AND t.id = ANY ($2::uuid[]) AND t.type = 'refund'
       UNION SELECT i.customer_id FROM payment_allocation a
         JOIN payment_intent i ON i.tenant_id = $1 AND i.id = a.intent_id
         WHERE a.tenant_id = $1 AND a.transaction_id = ANY ($2::uuid[]) AND a.kind = 'payout'`,
      [tx.tenantId, ids],
    );
    const customerIds = owners.map((row) => row.customerId);
    await lockCustomers(tx, customerIds);
    const rows = await transactions.where(tx, 'id = ANY ($2::uuid[]) ORDER BY id', [ids]);
    const declined = rows.filter((row) => row.type === 'payment' && outcomes.get(row.id)?.status === 'declined');
    const retryDays = await this.readRetryDays(tx, new Set(declined.map((row) => row.customerId)));
    const bounced = rows.filter((row) => row.type === 'refund' && outcomes.get(row.id)?.status === 'declined');
    const parts = await payoutPartsOf(tx, bounced);
    const owingAgainIds = bounced.flatMap((row) => [
      ...(row.intentId ? [row.intentId] : []),
      ...(parts.get(row.id) ?? []).map(({ intentId }) => intentId),
    ]);
    const reopened = await reopenedInvoicesOf(tx, owingAgainIds, customerIds);
    const promises = await loadPromised(tx, reopened, customerIds, owingAgainIds);
    const cancellations = await cancellationsOf(tx, owingAgainIds);
    const books = await this.customerBooks.load(tx, {
      customerIds,
      intentIds: [
        ...rows.flatMap((row) => row.intentId ?? []),
        ...owingAgainIds,
        ...cancellations,
        ...reopened,
        ...promises.documents.map(({ id }) => id),
      ],
      transactions: rows,
      crediting: cancellations.length > 0 ? customerIds : await this.overpaid(tx, ids),
    });
    let changed = 0;
    for (const row of rows) {
      const outcome = outcomes.get(row.id)!;
      const isChanged =
        row.type === 'refund'
          ? settleRefund(books, row, outcome as RefundOutcome, parts.get(row.id))
          : settleCollection(books, row, outcome as GatewayOutcome, retryDays.get(row.customerId));
      if (isChanged) changed += 1;
    }
    if (changed === 0) return 0;
    for (const id of reopened) meetPromised(books, books.intent(id), promisedOf(books, id, promises));
    await this.customerBooks.save(tx, books);
    await scheduleDueMany(tx, retriesOf(books));
    return changed;
  }

  /** The days after a first failure on which it is tried again: the customer's, else the tenant's. */
  private async readRetryDays(tx: TenantTx, customerIds: ReadonlySet<string>): Promise<Map<string, readonly number[]>> {
    const found = new Map<string, readonly number[]>();
    if (customerIds.size === 0) return found;
    const settings = await this.replicas.get<Record<string, unknown>>(tx, 'settings', tx.tenantId);
    const customers = await this.replicas.getMany<CustomerState>(tx, 'customer', [...customerIds]);
    for (const id of customerIds)
      found.set(
        id,
        daysIn(customers.get(id)?.settings['paymentRetryDays'] ?? settings?.['paymentRetryDays'] ?? DEFAULT_RETRY_DAYS),
      );
    return found;
  }

  /** Customers whose payment becomes credit, or may exceed what is open by now. */
  private async overpaid(tx: TenantTx, ids: readonly string[]): Promise<string[]> {
    const rows = await tx.query<{ customerId: string }>(
      `SELECT DISTINCT t.customer_id AS "customerId" FROM payment_transaction t, LATERAL (
         SELECT i.open_minor, i.top_up_id FROM payment_intent i
           WHERE i.tenant_id = $1 AND i.id = t.intent_id OFFSET 0) i
       WHERE t.tenant_id = $1 AND t.id = ANY ($2::uuid[]) AND (t.amount_minor > i.open_minor
         OR i.top_up_id IS NOT NULL)`,
      [tx.tenantId, ids],
    );
    return rows.map((row) => row.customerId);
  }
}

/** What documents have of these pay-outs, by pay-out, in the order in which they got it. */
async function payoutPartsOf(
  tx: TenantTx,
  payouts: readonly PaymentTransaction[],
): Promise<Map<string, readonly PayoutPart[]>> {
  const ids = payouts.flatMap(({ id, status }) => (status === 'succeeded' ? [id] : []));
  if (ids.length === 0) return new Map();
  const rows = await tx.query<PayoutPart & { readonly payoutId: string }>(
    `SELECT transaction_id AS "payoutId", intent_id AS "intentId", (-sum(amount_minor))::bigint AS "amountMinor"
     FROM payment_allocation WHERE tenant_id = $1 AND transaction_id = ANY ($2::uuid[]) AND kind = 'payout'
     GROUP BY transaction_id, intent_id HAVING sum(amount_minor) < 0 ORDER BY min(id::text)`,
    [tx.tenantId, ids],
  );
  return Map.groupBy(rows, ({ payoutId }) => payoutId);
}

/** Documents that took back, meanwhile, these credit notes, whose money refunds are. */
async function cancellationsOf(tx: TenantTx, noteIntentIds: readonly string[]): Promise<string[]> {
  if (noteIntentIds.length === 0) return [];
  const rows = await tx.query<{ id: string }>(
    `SELECT c.id FROM payment_intent n
     JOIN payment_intent c ON c.tenant_id = $1 AND c.referenced_invoice_id = n.invoice_id
       AND c.document_type = 'TYPE_CANCEL'
     WHERE n.tenant_id = $1 AND n.id = ANY ($2::uuid[])`,
    [tx.tenantId, noteIntentIds],
  );
  return rows.map(({ id }) => id);
}

/** Invoices that are open (again), of which refunds of these documents were to give money back. */
async function reopenedInvoicesOf(
  tx: TenantTx,
  documentIntentIds: readonly string[],
  customerIds: readonly string[],
): Promise<string[]> {
  if (documentIntentIds.length === 0) return [];
  const rows = await tx.query<{ id: string }>(
    `SELECT DISTINCT i.id FROM payment_intent d
     JOIN payment_intent i ON i.tenant_id = $1 AND i.invoice_id = d.referenced_invoice_id AND i.open_minor > 0
       AND i.amount_minor > 0 AND i.customer_id = ANY ($3::uuid[])
     WHERE d.tenant_id = $1 AND d.id = ANY ($2::uuid[])`,
    [tx.tenantId, documentIntentIds, customerIds],
  );
  return rows.map(({ id }) => id);
}

const DEFAULT_RETRY_DAYS: readonly number[] = [3, 5, 7];

const daysIn = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value.filter((day): day is number => Number.isInteger(day) && day > 0) : [];

const retriesOf = (books: Books) =>
  [...books.changedIntents].flatMap((intent) =>
    intent.status === 'failed' && intent.nextRetryAt !== null
      ? [{ kind: RETRY_COLLECTION, ref: intent.id, dueAt: intent.nextRetryAt }]
      : [],
  );
