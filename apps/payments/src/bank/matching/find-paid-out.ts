import { formatMajor, money } from '@kontor/money';
import type { TenantTx } from '@kontor/persistence';
import { PAYOUT_BACK } from '../../domain/bank/bank-postings.js';
import type { BankTransaction, Suggestion } from '../../domain/bank/bank-transaction.js';
import { PAYOUT_FEE } from '../../domain/ledger/postings.js';
import { earlierLine, keysOf } from './find-returned.js';

/** What one document got of it. */
export interface PaidOutPart {
  readonly intentId: string;
  readonly invoiceId: string;
  readonly documentNumber: string;
  /** Whose the document is by now. */
  readonly customerId: string;
  readonly amountMinor: bigint;
  /** The line's text names the document, not only the invoice that the document is about. */
  readonly isNamed: boolean;
}

/** What was paid out for credit notes or refunds, and no line has brought back. */
export interface PaidOut {
  readonly id: string;
  readonly gatewayName: string | null;
  /** By a transfer of our own files. */
  readonly isOrder: boolean;
  /** A statement line has shown it go out; otherwise somebody has recorded it. */
  readonly isShown: boolean;
  /** That line is its own, and not the one of a file. */
  readonly hasLine: boolean;
  /** Somebody has reported that it came back: its line is still to come. */
  readonly isReported: boolean;
  /** What the bank kept of it, as it was reported. */
  readonly feeMinor: bigint;
  /** Minor units, positive. */
  readonly amountMinor: bigint;
  readonly parts: readonly PaidOutPart[];
}

type Row = Omit<PaidOut, 'amountMinor' | 'parts'> & PaidOutPart;

const PAYOUT = `a.tenant_id = $1 AND a.transaction_id = t.id AND a.kind = 'payout'`;

/**
 * Of the currency `$2`, the texts' keys `$3`; what a provider refunded does not come back to the bank account. A document whose assignment
 * was revoked has nothing of it any more.
 */
const PAID_OUT = `SELECT t.id, t.gateway_name AS "gatewayName", t.collection_id IS NOT NULL AS "isOrder",
    (t.collection_id IS NOT NULL OR t.bank_transaction_id IS NOT NULL) AS "isShown", t.bank_transaction_id IS NOT NULL AS "hasLine",
    t.status = 'failed' AS "isReported",
    CASE WHEN t.status = 'failed' THEN coalesce((SELECT f.amount FROM ledger_transfer f
      WHERE f.tenant_id = $1 AND f.operation_key = '${PAYOUT_FEE}' || t.id), 0) ELSE 0 END::bigint AS "feeMinor",
    i.id AS "intentId", i.invoice_id AS "invoiceId", i.document_number AS "documentNumber", i.customer_id AS "customerId",
    -a.amount_minor AS "amountMinor", coalesce(i.document_key = ANY ($3::text[]), false) AS "isNamed"
  FROM payment_transaction t JOIN payment_allocation a ON ${PAYOUT} AND a.amount_minor < 0
  JOIN payment_intent i ON i.tenant_id = $1 AND i.id = a.intent_id AND i.invoice_id IS NOT NULL
  WHERE t.tenant_id = $1 AND t.currency_code = $2 AND t.type = 'refund'
    AND (t.status = 'succeeded' OR t.status = 'failed' AND EXISTS (SELECT FROM payment_allocation a WHERE ${PAYOUT} AND a.amount_minor > 0)
      AND NOT EXISTS (SELECT FROM bank_assignment s
        WHERE s.tenant_id = $1 AND s.transaction_id = t.id AND s.amount_minor > 0 AND s.revoked_at IS NULL))
    AND (t.collection_id IS NULL OR t.gateway_name IN ('sepa_debit', 'bank_transfer'))
    AND NOT EXISTS (SELECT FROM ledger_transfer r
      WHERE r.tenant_id = $1 AND r.operation_key = '${PAYOUT_BACK}' || t.id || ':' || a.intent_id)`;

/** `where` picks by `t`, `$4` and what follows. */
async function paidOut(tx: TenantTx, line: BankTransaction, where: string, ...params: unknown[]): Promise<PaidOut[]> {
  const rows = await tx.query<Row>(`${PAID_OUT} AND ${where} ORDER BY t.id, a.id`, [
    tx.tenantId,
    line.currencyCode,
    keysOf(line),
    ...params,
  ]);
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((parts) => ({
    ...parts[0]!,
    amountMinor: parts.reduce((sum, part) => sum + part.amountMinor, 0n),
    parts,
  }));
}

/** These, as they are now. */
export const paidOutAs = (tx: TenantTx, line: BankTransaction, ids: readonly string[]): Promise<PaidOut[]> =>
  paidOut(tx, line, 't.id = ANY ($4::uuid[])', ids);

const FOR_INTENTS = (
  intentIds: string,
): string => `t.id = ANY (ARRAY(SELECT p.transaction_id FROM payment_allocation p WHERE p.tenant_id = $1 AND p.kind = 'payout'
    AND p.intent_id = ANY (ARRAY(${intentIds}))))`;

/** What went out for these documents, of the line's amount: what was reported to have come back first. */
export async function paidOutFor(
  tx: TenantTx,
  line: BankTransaction,
  invoiceIds: readonly string[],
): Promise<PaidOut[]> {
  const documents = 'SELECT d.id FROM payment_intent d WHERE d.tenant_id = $1 AND d.invoice_id = ANY ($4::uuid[])';
  const found = await paidOut(tx, line, FOR_INTENTS(documents), invoiceIds);
  const exact = found.filter((payout) => fits(line, [payout]));
  const first = exact.find(({ isReported }) => isReported) ?? exact[0];
  if (first) return [first];
  return fits(line, found) ? found : [];
}

/**
 * What a returned transfer is about: the order of ours with its end-to-end id, or what the newest earlier line with that id has paid out; else
 * what was paid out for a document that it names, if a line has shown that, or a report that it came back: those come first. Nothing when
 * that is not clear.
 */
export async function findPaidOut(
  tx: TenantTx,
  line: BankTransaction,
  orderId: string | null = null,
): Promise<PaidOut[]> {
  const earlier = orderId === null ? await paidOutByEarlierLine(tx, line) : await paidOutAs(tx, line, [orderId]);
  if (fits(line, earlier)) return earlier;
  const single = earlier.filter((payout) => fits(line, [payout]));
  if (single.length > 0) return single.length === 1 ? single : [];
  const named = (await paidOutOnNamed(tx, line)).filter(
    ({ parts, isShown, isReported }) => parts.some(({ isNamed }) => isNamed) && (isShown || isReported),
  );
  const reported = named.filter(({ isReported }) => isReported);
  const found = reported.length > 0 ? reported : named;
  return found.length === 1 ? found : [];
}

async function paidOutByEarlierLine(tx: TenantTx, line: BankTransaction): Promise<PaidOut[]> {
  if (line.endToEndId === null) return [];
  const byLine = `t.id = ANY (ARRAY(SELECT s.transaction_id FROM bank_assignment s WHERE s.tenant_id = $1
    AND s.amount_minor < 0 AND s.revoked_at IS NULL AND s.bank_transaction_id = ${earlierLine('<', '$4', '$5')}))`;
  return paidOut(tx, line, byLine, line.endToEndId, line.bookingDate);
}

/** Of the line's amount, for documents that its text names, or whose invoices it names. */
async function paidOutOnNamed(tx: TenantTx, line: BankTransaction): Promise<PaidOut[]> {
  const named = `SELECT d.id FROM payment_intent d WHERE d.tenant_id = $1 AND d.document_key = ANY ($3::text[])
     UNION SELECT d.id FROM payment_intent n JOIN payment_intent d ON d.tenant_id = $1 AND d.referenced_invoice_id = n.invoice_id
       WHERE n.tenant_id = $1 AND n.document_key = ANY ($3::text[])`;
  return (await paidOut(tx, line, FOR_INTENTS(named))).filter((payout) => fits(line, [payout]));
}

/** All of it came back, or all but what the bank says that it kept, or somebody has reported. */
function fits(line: BankTransaction, payouts: readonly PaidOut[]): boolean {
  if (payouts.length === 0) return false;
  const amountMinor = payouts.reduce((sum, payout) => sum + payout.amountMinor, 0n);
  const keptMinor = payouts.reduce((sum, { feeMinor }) => sum + feeMinor, 0n);
  if (amountMinor === line.amountMinor) return true;
  return line.isReturn && [amountMinor - line.chargesMinor, amountMinor - keptMinor].includes(line.amountMinor);
}

/** Documents whose payout a returned transfer may be, for a person to choose. */
export async function suggestPaidOut(tx: TenantTx, line: BankTransaction): Promise<Suggestion[]> {
  const suggestions = new Map<string, Suggestion>();
  for (const { parts, amountMinor, isShown, isReported } of await paidOutOnNamed(tx, line)) {
    const { invoiceId, documentNumber, isNamed } = parts.find((part) => part.isNamed) ?? parts[0]!;
    if (suggestions.has(invoiceId)) continue;
    const amount = `${formatMajor(money(amountMinor, line.currencyCode))} ${line.currencyCode}`;
    const how = isShown ? 'was paid out' : 'was recorded as paid out';
    const named = isNamed ? documentNumber : `the invoice of ${documentNumber}`;
    const others = parts.length > 1 ? ' and others' : '';
    const effect = isReported ? 'its return was reported, and the line confirms that' : 'it is owed again';
    const reason = `The returned money names ${named}, for which${others} ${amount} ${how}: ${effect}.`;
    suggestions.set(invoiceId, { invoiceId, score: isNamed ? 0.8 : 0.6, reason });
  }
  return [...suggestions.values()].sort((a, b) => b.score - a.score);
}
