import type { TenantTx } from '@kontor/persistence';
import type { BankTransaction } from '../../domain/bank/bank-transaction.js';
import type { PayerHit } from '../../domain/bank/matching/match-line.js';

/** A payment (or pay-out) that somebody recorded by hand; no line has shown it yet. */
export interface Recorded {
  readonly transactionId: string;
  readonly intentId: string;
  readonly customerId: string;
  /** It went out: lines of money that came in do not show it, nor the other way round. */
  readonly isPayout: boolean;
  /** Minor units, positive. */
  readonly amountMinor: bigint;
  readonly paymentDate: Date;
  /** Of what was paid out and came back: when, by its line or its report. It had gone out before, so that a line until then may show it. */
  readonly cameBackOn: Date | null;
}

/** One of a customer to whom the payer of a line points. */
export interface RecordedByPayer extends Recorded {
  readonly kind: PayerHit['via'];
  readonly value: string;
  readonly currencyCode: string;
}

const UNCONFIRMED = `t.operation_id IS NOT NULL AND t.bank_transaction_id IS NULL AND t.status = 'succeeded'
  AND t.intent_id IS NOT NULL`;
const UNCONFIRMED_OR_BACK = `t.operation_id IS NOT NULL AND t.bank_transaction_id IS NULL AND t.intent_id IS NOT NULL
  AND (t.status = 'succeeded' OR (t.type = 'refund' AND t.status = 'failed'))`;
const COLUMNS = `t.id AS "transactionId", t.intent_id AS "intentId", t.customer_id AS "customerId",
  t.type = 'refund' AS "isPayout", t.amount_minor AS "amountMinor", t.payment_date AS "paymentDate",
  CASE WHEN t.status = 'failed' THEN coalesce((SELECT max(b.booking_date) FROM bank_assignment a
    JOIN bank_transaction b ON b.tenant_id = $1 AND b.id = a.bank_transaction_id AND b.is_return
    WHERE a.tenant_id = $1 AND a.transaction_id = t.id), (SELECT max(a.created_at) FROM payment_allocation a
    WHERE a.tenant_id = $1 AND a.transaction_id = t.id AND a.kind = 'payout' AND a.amount_minor > 0)) END AS "cameBackOn"`;

/** What was recorded on these documents. */
export async function findRecordedOn(
  tx: TenantTx,
  documents: readonly { intentId: string; customerId: string }[],
): Promise<Recorded[]> {
  if (documents.length === 0) return [];
  return tx.query<Recorded>(
    `SELECT ${COLUMNS} FROM payment_transaction t
      WHERE t.tenant_id = $1 AND t.customer_id = ANY ($2::uuid[]) AND t.intent_id = ANY ($3::uuid[])
       AND ${UNCONFIRMED_OR_BACK} ORDER BY t.id`,
    [
      tx.tenantId,
      [...new Set(documents.map((document) => document.customerId))],
      [...new Set(documents.map((document) => document.intentId))],
    ],
  );
}

/** Money is on its way for a few days; what was recorded for another month is something else. */
const DAYS_APART = 31;
const MAX_PER_PAYER = 20;

/**
 * What was recorded, of exactly the amount and about that day, for customers whom the payer's account or name points
 * to.
 */
export async function findRecordedBy(
  tx: TenantTx,
  wanted: readonly { kind: PayerHit['via']; value: string; line: BankTransaction }[],
): Promise<RecordedByPayer[]> {
  if (wanted.length === 0) return [];
  return tx.query<RecordedByPayer>(
    `SELECT DISTINCT w.kind, w.value, t.currency_code AS "currencyCode", ${COLUMNS}
     FROM unnest($2::text[], $3::text[], $4::bigint[], $5::timestamptz[]) AS w (kind, value, amount, booked)
     CROSS JOIN LATERAL (SELECT customer_id FROM bank_payer WHERE tenant_id = $1 AND kind = w.kind AND value = w.value
       ORDER BY customer_id LIMIT ${MAX_PER_PAYER}) p
     CROSS JOIN LATERAL (
       SELECT * FROM payment_transaction t WHERE t.tenant_id = $1 AND t.customer_id = p.customer_id
         AND t.amount_minor = abs(w.amount) AND ${UNCONFIRMED}
         AND t.type = CASE WHEN w.amount > 0 THEN 'payment' ELSE 'refund' END
         AND t.payment_date BETWEEN w.booked - interval '${DAYS_APART} days'
           AND w.booked + interval '${DAYS_APART} days' ORDER BY t.id LIMIT ${MAX_PER_PAYER}
     ) t
     WHERE EXISTS (SELECT 1 FROM payment_intent i
       WHERE i.tenant_id = $1 AND i.id = t.intent_id AND i.invoice_id IS NOT NULL)`,
    [
      tx.tenantId,
      wanted.map(({ kind }) => kind),
      wanted.map(({ value }) => value),
      wanted.map(({ line }) => line.unassignedMinor.toString()),
      wanted.map(({ line }) => line.bookingDate),
    ],
  );
}
