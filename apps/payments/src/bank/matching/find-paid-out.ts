import { formatMajor, money } from '@kontor/money';
import type { TenantTx } from '@kontor/persistence';
import type { BankTransaction, Suggestion } from '../../domain/bank/bank-transaction.js';
import { earlierLine, keysOf } from './find-returned.js';

/** What was paid out for a credit note or a refund, and has not come back. */
export interface PaidOut {
  readonly id: string;
  readonly customerId: string;
  readonly intentId: string;
  readonly invoiceId: string;
  readonly documentNumber: string;
  readonly gatewayName: string | null;
  /** Minor units, positive. */
  readonly amountMinor: bigint;
  /** By a transfer of our own files. */
  readonly isOrder: boolean;
  /** A statement line has shown it go out; otherwise somebody has recorded it. */
  readonly isShown: boolean;
  /** The line's text names the document, not only the invoice that the document is about. */
  readonly isNamed: boolean;
}

/** Of the currency `$2`; what a provider refunded does not come back to the bank account. One line for several documents is undone there. */
const PAID_OUT = `SELECT t.id, i.customer_id AS "customerId", i.id AS "intentId", i.invoice_id AS "invoiceId",
    i.document_number AS "documentNumber", t.gateway_name AS "gatewayName", t.amount_minor AS "amountMinor",
    t.collection_id IS NOT NULL AS "isOrder",
    (t.collection_id IS NOT NULL OR t.bank_transaction_id IS NOT NULL) AS "isShown",
    coalesce(i.document_key = ANY ($3::text[]), false) AS "isNamed"
  FROM payment_transaction t JOIN payment_intent i ON i.tenant_id = $1 AND i.id = t.intent_id
  WHERE t.tenant_id = $1 AND t.currency_code = $2 AND t.type = 'refund' AND t.status = 'succeeded'
    AND (t.collection_id IS NULL OR t.gateway_name = 'sepa_debit') AND i.invoice_id IS NOT NULL`;

/** What went out for these documents, of the line's amount. */
export async function paidOutFor(
  tx: TenantTx,
  line: BankTransaction,
  invoiceIds: readonly string[],
): Promise<PaidOut[]> {
  const found = await tx.query<PaidOut>(
    `${PAID_OUT} AND t.intent_id = ANY (ARRAY(
       SELECT d.id FROM payment_intent d WHERE d.tenant_id = $1 AND d.invoice_id = ANY ($4::uuid[]))) ORDER BY t.id`,
    [tx.tenantId, line.currencyCode, keysOf(line), invoiceIds],
  );
  return found.filter((payout) => fits(line, payout));
}

/**
 * What a returned transfer is about: the payout of its amount by the newest earlier line with the same end-to-end id; else the one for a document
 * that it names. Nothing when that is not clear, or when no line has shown the payout.
 */
export async function findPaidOut(tx: TenantTx, line: BankTransaction): Promise<PaidOut | undefined> {
  const earlier = line.endToEndId === null ? [] : await paidOutByEarlierLine(tx, line);
  const candidates =
    earlier.length > 0
      ? earlier
      : (await paidOutOnNamed(tx, line)).filter((payout) => payout.isNamed && payout.isShown);
  return candidates.length === 1 ? candidates[0] : undefined;
}

async function paidOutByEarlierLine(tx: TenantTx, line: BankTransaction): Promise<PaidOut[]> {
  const found = await tx.query<PaidOut>(
    `${PAID_OUT} AND t.bank_transaction_id = ${earlierLine('<', '$4', '$5')} ORDER BY t.id`,
    [tx.tenantId, line.currencyCode, keysOf(line), line.endToEndId, line.bookingDate],
  );
  return found.filter((payout) => fits(line, payout));
}

/** Of the line's amount, for documents that its text names, or whose invoices it names. */
async function paidOutOnNamed(tx: TenantTx, line: BankTransaction): Promise<PaidOut[]> {
  const found = await tx.query<PaidOut>(
    `${PAID_OUT} AND t.intent_id = ANY (ARRAY(
       SELECT d.id FROM payment_intent d WHERE d.tenant_id = $1 AND d.document_key = ANY ($3::text[])
       UNION SELECT d.id FROM payment_intent n
         JOIN payment_intent d ON d.tenant_id = $1 AND d.referenced_invoice_id = n.invoice_id
         WHERE n.tenant_id = $1 AND n.document_key = ANY ($3::text[]))) ORDER BY t.id`,
    [tx.tenantId, line.currencyCode, keysOf(line)],
  );
  return found.filter((payout) => fits(line, payout));
}

/** All of it came back, or all but what the bank says that it kept. */
const fits = (line: BankTransaction, { amountMinor }: PaidOut): boolean =>
  amountMinor === line.amountMinor || amountMinor === line.amountMinor + line.chargesMinor;

/** Documents whose payout a returned transfer may be, for a person to choose. */
export async function suggestPaidOut(tx: TenantTx, line: BankTransaction): Promise<Suggestion[]> {
  const suggestions = new Map<string, Suggestion>();
  for (const { invoiceId, documentNumber, amountMinor, isNamed, isShown } of await paidOutOnNamed(tx, line)) {
    if (suggestions.has(invoiceId)) continue;
    const amount = `${formatMajor(money(amountMinor, line.currencyCode))} ${line.currencyCode}`;
    const how = isShown ? 'was paid out' : 'was recorded as paid out';
    const named = isNamed ? documentNumber : `the invoice of ${documentNumber}`;
    const reason = `The returned money names ${named}, for which ${amount} ${how}: it is owed again.`;
    suggestions.set(invoiceId, { invoiceId, score: isNamed ? 0.8 : 0.6, reason });
  }
  return [...suggestions.values()].sort((a, b) => b.score - a.score);
}
