import type { TenantTx } from '@kontor/persistence';
import { transactions } from '../db/tables.js';
import { type BankTransaction } from '../domain/bank/bank-transaction.js';
import { searchedText } from '../domain/bank/match-line.js';
import { windowsOf } from '../domain/bank/reference-windows.js';
import type { PaymentTransaction } from '../domain/transaction.js';

const SUCCEEDED = `type = 'payment' AND status = 'succeeded' AND bank_transaction_id IS NOT NULL`;

/**
 * The payments that a returned line takes back: those of the earlier line with the same end-to-end id; else the one
 * payment by bank of exactly this amount on an invoice whose number the text quotes. Nothing when that is not clear.
 */
export async function findReturned(tx: TenantTx, line: BankTransaction): Promise<PaymentTransaction[]> {
  if (line.endToEndId !== null) {
    const earlier = await transactions.find(
      tx,
      `${SUCCEEDED} AND bank_transaction_id = ANY (ARRAY(
         SELECT b.id FROM bank_transaction b WHERE b.tenant_id = $1 AND b.end_to_end_id = $2 AND b.amount_minor > 0 AND b.booking_date <= $3
           ORDER BY b.booking_date DESC, b.id DESC LIMIT 1)) ORDER BY id`,
      [line.endToEndId, line.bookingDate],
    );
    if (earlier.length > 0) return earlier;
  }
  const keys = [...new Set(windowsOf(searchedText(line)).map((window) => window.key))];
  const named = await paymentsOn(tx, 'document_key = ANY ($2::text[])', keys);
  const wanted = -line.amountMinor;
  const exact = named.filter((payment) => payment.amountMinor === wanted || payment.amountMinor === wanted - line.chargesMinor);
  return exact.length === 1 ? exact : [];
}

/** Payments by bank that stand on documents; `where` picks the documents and numbers its parameter $2. */
export function paymentsOn(tx: TenantTx, where: string, values: readonly string[]): Promise<PaymentTransaction[]> {
  return transactions.find(
    tx,
    `${SUCCEEDED} AND intent_id = ANY (ARRAY(SELECT i.id FROM payment_intent i WHERE i.tenant_id = $1 AND i.${where})) ORDER BY id`,
    [values],
  );
}

/** Documents that a returned line may be about, for a person to choose. */
export async function suggestReturned(
  tx: TenantTx,
  line: BankTransaction,
): Promise<{ invoiceId: string; score: number; reason: string }[]> {
  const keys = [...new Set(windowsOf(searchedText(line)).map((window) => window.key))];
  const payments = await paymentsOn(tx, 'document_key = ANY ($2::text[])', keys);
  const rows = await tx.query<{ id: string; invoiceId: string | null; number: string }>(
    'SELECT id, invoice_id AS "invoiceId", document_number AS number FROM payment_intent WHERE tenant_id = $1 AND id = ANY ($2::uuid[])',
    [tx.tenantId, payments.flatMap((payment) => payment.intentId ?? [])],
  );
  return rows.flatMap(
    ({ invoiceId, number }) =>
    invoiceId === null
      ? []
      : [{ invoiceId, score: 0.6, reason: `The returned money names ${number}, which was paid by bank, but not by one payment of this amount.` }], // prettier-ignore
  );
}
