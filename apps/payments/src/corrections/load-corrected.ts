import type { TenantTx } from '@kontor/persistence';
import type { AllocationRow } from '../customer-books/allocation.row.js';
import { type IntentRow, intents } from '../customer-books/intent.row.js';
import { lockFound } from '../customer-books/lock-payment.js';
import { loadSpentCredit } from '../customer-books/load-spent-credit.js';
import { loadStandings } from '../customer-books/load-standings.js';
import { type LotRow, lots } from '../customer-books/lot.row.js';
import { type TransactionRow, transactions } from '../customer-books/transaction.row.js';
import type { PaidStanding } from '../domain/refunds/left-to-return.js';
import type { PaidMoney } from '../domain/wallet/credit.js';
import type { SpentLot } from '../domain/wallet/spent-credit.js';

/** What is stored about invoices that documents take back; their customers are locked. */
export interface StoredCorrected {
  /** The invoices' own intents, and those of their credit notes that are still owed. */
  readonly intents: readonly IntentRow[];
  readonly underWay: readonly TransactionRow[];
  /** What credit notes of the invoices have taken off others, and those among them themselves off any. */
  readonly lowered: readonly LoweredPart[];
  /** The lots that `spent` names. */
  readonly lots: readonly LotRow[];
  /** By intent: what credit has paid of it, in the order in which it returns. */
  readonly spent: ReadonlyMap<string, readonly SpentLot[]>;
  /** By intent: what money has paid of it and has neither gone back nor become credit, oldest first. */
  readonly paid: ReadonlyMap<string, readonly PaidMoney[]>;
  /** By invoice: what has paid it, and what its documents have returned. */
  readonly standings: ReadonlyMap<string, PaidStanding>;
}

/** Locks the customers that `find` names, and whose the invoices and their credit notes are: somebody else's where a merge was undone since. */
export const lockCorrected = (
  tx: TenantTx,
  find: () => Promise<readonly string[]>,
  invoiceIds: readonly string[],
): Promise<string[]> =>
  lockFound(tx, async () => {
    const customerIds = await find();
    if (invoiceIds.length === 0) return customerIds;
    const ids = (await loweredOthers(tx, invoiceIds)).map(({ counterIntentId }) => counterIntentId);
    const rows = await tx.query<{ customerId: string }>(
      `SELECT DISTINCT customer_id AS "customerId" FROM payment_intent
       WHERE tenant_id = $1 AND (invoice_id = ANY ($2::uuid[]) OR referenced_invoice_id = ANY ($2::uuid[])
         OR id = ANY ($3::uuid[]))`,
      [tx.tenantId, invoiceIds, ids],
    );
    return [...new Set([...customerIds, ...rows.map(({ customerId }) => customerId)])];
  });

export type LoweredPart = Pick<AllocationRow, 'intentId' | 'kind' | 'counterIntentId' | 'amountMinor'>;

/** The same handful of statements for one invoice and for a hundred. */
export async function loadCorrected(tx: TenantTx, invoiceIds: readonly string[]): Promise<StoredCorrected> {
  if (invoiceIds.length === 0)
    return {
      intents: [],
      underWay: [],
      lowered: [],
      lots: [],
      spent: new Map(),
      paid: new Map(),
      standings: new Map(),
    };
  const lowered = await loweredOthers(tx, invoiceIds);
  const rows = await intents.where(
    tx,
    `invoice_id = ANY ($2::uuid[]) OR id = ANY ($3::uuid[])
      OR referenced_invoice_id = ANY ($2::uuid[]) AND document_type = 'TYPE_CREDIT' AND open_minor < 0`,
    [invoiceIds, lowered.flatMap(({ intentId, counterIntentId }) => [intentId, counterIntentId])],
  );
  const ids = rows.flatMap((row) => (invoiceIds.includes(row.invoiceId ?? '') ? [row.id] : []));
  const spent = await loadSpentCredit(tx, ids);
  return {
    intents: rows,
    lowered,
    underWay: await transactions.where(
      tx,
      `intent_id = ANY ($2::uuid[]) AND type = 'payment' AND status IN ('pending', 'action_required') ORDER BY id`,
      [ids],
    ),
    lots: await lots.findByIds(tx, [...new Set([...spent.values()].flat().map((use) => use.lotId))]),
    spent,
    paid: await loadPaidMoney(tx, ids),
    standings: await loadStandings(tx, invoiceIds),
  };
}

/** What credit notes of these invoices, and those among them, took off other invoices: negative amounts of the notes. */
export const loweredOthers = (tx: TenantTx, invoiceIds: readonly string[]): Promise<LoweredPart[]> =>
  tx.query<LoweredPart>(
    `SELECT a.intent_id AS "intentId", a.kind, a.counter_intent_id AS "counterIntentId",
       sum(a.amount_minor)::bigint AS "amountMinor"
     FROM payment_intent n
     JOIN payment_allocation a ON a.tenant_id = $1 AND a.intent_id = n.id AND a.kind = 'credit_note'
     JOIN payment_intent o ON o.tenant_id = $1 AND o.id = a.counter_intent_id
       AND (o.invoice_id <> n.referenced_invoice_id OR n.invoice_id = ANY ($2::uuid[]))
     WHERE n.tenant_id = $1 AND n.document_type = 'TYPE_CREDIT'
       AND (n.referenced_invoice_id = ANY ($2::uuid[]) OR n.invoice_id = ANY ($2::uuid[]))
     GROUP BY a.intent_id, a.kind, a.counter_intent_id
     HAVING sum(a.amount_minor) < 0
     ORDER BY a.intent_id, a.counter_intent_id`,
    [tx.tenantId, invoiceIds],
  );

/** By intent: what money has paid of it and has neither gone back nor become credit, oldest first. */
export async function loadPaidMoney(tx: TenantTx, intentIds: readonly string[]): Promise<Map<string, PaidMoney[]>> {
  const rows = await tx.query<{
    intentId: string;
    transactionId: string;
    paymentMethodId: string | null;
    gatewayName: string | null;
    reference: string;
    amountMinor: bigint;
  }>(
    `SELECT a.intent_id AS "intentId", t.id AS "transactionId", t.payment_method_id AS "paymentMethodId",
       t.gateway_name AS "gatewayName", coalesce(t.reference, t.id::text) AS reference,
       (a.amount_minor - coalesce((SELECT sum(r.amount_minor) FROM payment_transaction r
           WHERE r.tenant_id = $1 AND r.refunded_transaction_id = t.id AND r.status IN ('pending', 'succeeded')), 0)
         + coalesce((SELECT sum(b.amount_minor) FROM payment_transaction r
           JOIN payment_allocation b ON b.tenant_id = $1 AND b.transaction_id = r.id AND b.intent_id = a.intent_id
           WHERE r.tenant_id = $1 AND r.returned_transaction_id = t.id), 0)
         + coalesce((SELECT sum(w.amount_minor) FROM payment_intent d
           JOIN payment_allocation w ON w.tenant_id = $1 AND w.intent_id = d.id AND w.transaction_id = t.id
             AND w.kind IN ('to_wallet', 'from_wallet')
           WHERE d.tenant_id = $1 AND (d.id = a.intent_id OR d.referenced_invoice_id = a.invoice_id)), 0))::bigint
         AS "amountMinor"
     FROM (SELECT p.intent_id, i.invoice_id, p.transaction_id, sum(p.amount_minor) AS amount_minor
       FROM payment_allocation p JOIN payment_intent i ON i.tenant_id = $1 AND i.id = p.intent_id
       WHERE p.tenant_id = $1 AND p.intent_id = ANY ($2::uuid[]) AND p.kind = 'payment' GROUP BY 1, 2, 3) a
     JOIN payment_transaction t ON t.tenant_id = $1 AND t.id = a.transaction_id
     WHERE t.type = 'payment' AND t.status = 'succeeded'
     ORDER BY a.intent_id, t.payment_date, t.id`,
    [tx.tenantId, intentIds],
  );
  return grouped(
    rows.filter((row) => row.amountMinor > 0n),
    ({ transactionId, amountMinor, ...origin }) => ({
      transactionId,
      amountMinor,
      origin: {
        paymentMethodId: origin.paymentMethodId,
        gatewayName: origin.gatewayName,
        reference: origin.reference,
      },
    }),
  );
}

function grouped<R extends { readonly intentId: string }, T>(rows: readonly R[], of: (row: R) => T): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(row.intentId, [...(groups.get(row.intentId) ?? []), of(row)]);
  return groups;
}
