import type { TenantTx } from '@kontor/persistence';
import type { BankTransaction } from '../../domain/bank/bank-transaction.js';
import { earlierLine, keysOf, paidOn } from './find-returned.js';

/** A return that somebody reported, and that no line has shown: its money has left the bank account in the ledger. */
export interface ReportedReturn {
  readonly id: string;
  readonly paymentId: string;
  /** Nothing of its payment stands: what a line is more than that cannot be another part of it. */
  readonly isRest: boolean;
  readonly customerId: string;
  readonly gatewayName: string | null;
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
}

/** Of the currency `$2`, as in what stands; `t` is the payment that went back. */
const REPORTED = `SELECT r.id, t.id AS "paymentId", t.status = 'returned' AS "isRest", r.customer_id AS "customerId",
    r.gateway_name AS "gatewayName", r.amount_minor AS "amountMinor", coalesce(r.fee_minor, 0)::bigint AS "feeMinor"
  FROM payment_transaction t JOIN payment_transaction r ON r.tenant_id = $1 AND r.returned_transaction_id = t.id
  WHERE t.tenant_id = $1 AND t.currency_code = $2 AND r.status = 'succeeded' AND r.bank_transaction_id IS NULL`;

/** The reported returns that a returned line is about: those of the payments of the earlier line with its end-to-end id. */
export async function findReported(tx: TenantTx, line: BankTransaction): Promise<ReportedReturn[]> {
  if (line.endToEndId === null) return [];
  const found = await tx.query<ReportedReturn>(
    `${REPORTED} AND t.bank_transaction_id = ${earlierLine('>')} ORDER BY r.id`,
    [tx.tenantId, line.currencyCode, line.endToEndId, line.bookingDate],
  );
  return fitting(line, found);
}

/** Else the one of its amount on an invoice that it names, or all on those that it names, where they are the amount together. */
export async function findReportedOn(tx: TenantTx, line: BankTransaction): Promise<ReportedReturn[]> {
  const payments = paidOn('document_key = ANY ($3::text[])');
  const found = await tx.query<ReportedReturn>(
    `${REPORTED} AND t.bank_transaction_id IS NOT NULL AND t.id = ${payments} ORDER BY r.id`,
    [tx.tenantId, line.currencyCode, keysOf(line)],
  );
  const part = single(line, found);
  return part.length === 0 && fits(line, found) ? found : part;
}

/** That of an order of our files. */
export const findReportedOf = (tx: TenantTx, currencyCode: string, orderId: string): Promise<ReportedReturn[]> =>
  tx.query<ReportedReturn>(`${REPORTED} AND t.id = $3`, [tx.tenantId, currencyCode, orderId]);

/** Those among them that no line has shown meanwhile; their customers are locked. */
export async function areUnshown(tx: TenantTx, returns: readonly ReportedReturn[]): Promise<boolean> {
  const rows = await tx.query(
    'SELECT 1 FROM payment_transaction WHERE tenant_id = $1 AND id = ANY ($2::uuid[]) AND bank_transaction_id IS NULL',
    [tx.tenantId, returns.map(({ id }) => id)],
  );
  return rows.length === returns.length;
}

export const sumOfReported = (returns: readonly ReportedReturn[]): { amountMinor: bigint; feeMinor: bigint } => ({
  amountMinor: returns.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
  feeMinor: returns.reduce((sum, { feeMinor }) => sum + feeMinor, 0n),
});

/** All of them, or the one that makes the amount; what is more than all that was paid is the bank's fee. */
function fitting(line: BankTransaction, found: readonly ReportedReturn[]): ReportedReturn[] {
  if (fits(line, found)) return [...found];
  const part = single(line, found);
  if (part.length > 0) return part;
  const { amountMinor } = sumOfReported(found);
  const hasFee = found.every(({ isRest }) => isRest) && -line.amountMinor > amountMinor;
  return hasFee && -line.amountMinor <= 2n * amountMinor ? [...found] : [];
}

/** The one of the line's amount. Of equal parts of one payment, the first to be reported is as good as any. */
function single(line: BankTransaction, found: readonly ReportedReturn[]): ReportedReturn[] {
  const [first, ...others] = found.filter((reported) => fits(line, [reported]));
  return first && others.every(({ paymentId }) => paymentId === first.paymentId) ? [first] : [];
}

/** With the fee that was reported, with the one that the bank states, or without any: banks book it apart, too. */
function fits(line: BankTransaction, returns: readonly ReportedReturn[]): boolean {
  if (returns.length === 0) return false;
  const { amountMinor, feeMinor } = sumOfReported(returns);
  return [amountMinor, amountMinor + feeMinor, amountMinor + line.chargesMinor].includes(-line.amountMinor);
}
