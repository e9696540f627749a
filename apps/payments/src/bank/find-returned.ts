import type { TenantTx } from '@kontor/persistence';
import { type BankTransaction } from '../domain/bank/bank-transaction.js';
import { searchedText } from '../domain/bank/match-line.js';
import { windowsOf } from '../domain/bank/reference-windows.js';

/** A payment by bank that a returned line may take back. */
export interface StandingPayment {
  readonly id: string;
  readonly customerId: string;
  /** What of it has not gone back yet, in minor units. */
  readonly leftMinor: bigint;
}

const STANDING = `SELECT t.id, t.customer_id AS "customerId", t.amount_minor - coalesce((
    SELECT sum(r.amount_minor) FROM payment_transaction r WHERE r.tenant_id = $1 AND r.returned_transaction_id = t.id), 0)::bigint AS "leftMinor"
  FROM payment_transaction t WHERE t.tenant_id = $1 AND t.type = 'payment' AND t.status = 'succeeded' AND t.bank_transaction_id IS NOT NULL`;

/**
 * The payments that a returned line takes back: those of the earlier line with the same end-to-end id; else the one
 * payment by bank of exactly this amount on an invoice whose number the text quotes. Nothing when that is not clear.
 */
export async function findReturned(tx: TenantTx, line: BankTransaction): Promise<StandingPayment[]> {
  if (line.endToEndId !== null) {
    const earlier = await tx.query<StandingPayment>(
      `${STANDING} AND t.bank_transaction_id = ANY (ARRAY(
         SELECT b.id FROM bank_transaction b WHERE b.tenant_id = $1 AND b.end_to_end_id = $2 AND b.amount_minor > 0 AND b.booking_date <= $3
           ORDER BY b.booking_date DESC, b.id DESC LIMIT 1)) ORDER BY t.id`,
      [tx.tenantId, line.endToEndId, line.bookingDate],
    );
    if (earlier.length > 0) return earlier;
  }
  const named = await paymentsOn(tx, 'document_key = ANY ($2::text[])', keysOf(line));
  const wanted = -line.amountMinor;
  const exact = named.filter(({ leftMinor }) => leftMinor === wanted || leftMinor === wanted - line.chargesMinor);
  return exact.length === 1 ? exact : [];
}

/** Those of these payments that stand, with what is left of each. */
export const standingOf = (tx: TenantTx, ids: readonly string[]): Promise<StandingPayment[]> =>
  tx.query<StandingPayment>(`${STANDING} AND t.id = ANY ($2::uuid[])`, [tx.tenantId, ids]);

const keysOf = (line: BankTransaction): string[] => [...new Set(windowsOf(searchedText(line)).map((window) => window.key))];

/** What documents got by bank: `where` picks the documents and numbers its parameter $2. */
const GOT = (where: string): string => `SELECT a.transaction_id FROM payment_allocation a WHERE a.tenant_id = $1 AND a.kind = 'payment'
  AND a.transaction_id IS NOT NULL AND a.intent_id = ${where}`;

/** Payments by bank that stand on documents; `where` picks the documents and numbers its parameter $2. */
export function paymentsOn(tx: TenantTx, where: string, values: readonly string[]): Promise<StandingPayment[]> {
  const documents = `ANY (ARRAY(SELECT i.id FROM payment_intent i WHERE i.tenant_id = $1 AND i.${where}))`;
  return tx.query<StandingPayment>(`${STANDING} AND t.id = ANY (ARRAY(${GOT(documents)})) ORDER BY t.id`, [tx.tenantId, values]);
}

/** Documents that a returned line may be about, for a person to choose. */
export async function suggestReturned(
  tx: TenantTx,
  line: BankTransaction,
): Promise<{ invoiceId: string; score: number; reason: string }[]> {
  const rows = await tx.query<{ invoiceId: string; number: string }>(
    `SELECT i.invoice_id AS "invoiceId", i.document_number AS number FROM payment_intent i
     WHERE i.tenant_id = $1 AND i.document_key = ANY ($2::text[]) AND i.invoice_id IS NOT NULL
       AND EXISTS (${STANDING} AND t.id = ANY (ARRAY(${GOT('i.id')}))) ORDER BY i.id`,
    [tx.tenantId, keysOf(line)],
  );
  return rows.map(({ invoiceId, number }) => ({
    invoiceId,
    score: 0.6,
    reason: `The returned money names ${number}, which was paid by bank, but not by one payment of this amount.`,
  }));
}
