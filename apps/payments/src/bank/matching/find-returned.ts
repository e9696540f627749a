import { formatMajor, money } from '@kontor/money';
import type { TenantTx } from '@kontor/persistence';
import type { BankTransaction, Suggestion } from '../../domain/bank/bank-transaction.js';
import { searchedText } from '../../domain/bank/matching/match-line.js';
import { windowsOf } from '../../domain/bank/matching/reference-windows.js';

/** A payment by bank that a returned line may be about. */
export interface StandingPayment {
  readonly id: string;
  readonly customerId: string;
  /** What of it has not gone back yet, in minor units. */
  readonly leftMinor: bigint;
}

/** Of the currency `$2`: an amount of another one says nothing. */
const STANDING = `SELECT t.id, t.customer_id AS "customerId", t.amount_minor - coalesce((
    SELECT sum(r.amount_minor) FROM payment_transaction r
      WHERE r.tenant_id = $1 AND r.returned_transaction_id = t.id), 0)::bigint AS "leftMinor"
  FROM payment_transaction t WHERE t.tenant_id = $1 AND t.type = 'payment' AND t.status = 'succeeded'
    AND t.currency_code = $2 AND t.bank_transaction_id IS NOT NULL`;

/**
 * The one payment by bank of exactly this amount on an invoice whose number the text of a returned line quotes; or all on the
 * invoices that it quotes, where they are the amount together. Nothing when that is not clear.
 */
export async function findReturnedOn(tx: TenantTx, line: BankTransaction): Promise<StandingPayment[]> {
  const named = await paymentsOn(tx, line.currencyCode, 'document_key = ANY ($3::text[])', keysOf(line));
  const wanted = -line.amountMinor;
  const isWanted = (leftMinor: bigint): boolean => leftMinor === wanted || leftMinor === wanted - line.chargesMinor;
  const exact = named.filter(({ leftMinor }) => isWanted(leftMinor));
  if (exact.length > 0) return exact.length === 1 ? exact : [];
  return isWanted(named.reduce((sum, { leftMinor }) => sum + leftMinor, 0n)) ? named : [];
}

/** The newest line by which money came in (`>`), or went out (`<`), with an end-to-end id, until a day; both are numbers of parameters. */
export const earlierLine = (sign: '>' | '<', endToEndId = '$3', until = '$4'): string => `ANY (ARRAY(
    SELECT b.id FROM bank_transaction b WHERE b.tenant_id = $1 AND b.end_to_end_id = ${endToEndId} AND b.amount_minor ${sign} 0
      AND b.currency_code = $2 AND b.booking_date <= ${until}
      ORDER BY b.booking_date DESC, b.id DESC LIMIT 1))`;

/** What the newest earlier line with the same end-to-end id has paid: that is what a returned line is about. */
export async function paymentsOfEarlierLine(
  tx: TenantTx,
  { endToEndId, bookingDate, currencyCode }: BankTransaction,
): Promise<StandingPayment[]> {
  if (endToEndId === null) return [];
  return tx.query<StandingPayment>(`${STANDING} AND t.bank_transaction_id = ${earlierLine('>')} ORDER BY t.id`, [
    tx.tenantId,
    currencyCode,
    endToEndId,
    bookingDate,
  ]);
}

/** Those of these payments that stand, with what is left of each. */
export const standingOf = (tx: TenantTx, currencyCode: string, ids: readonly string[]): Promise<StandingPayment[]> =>
  tx.query<StandingPayment>(`${STANDING} AND t.id = ANY ($3::uuid[])`, [tx.tenantId, currencyCode, ids]);

export const keysOf = (line: BankTransaction): string[] => [
  ...new Set(windowsOf(searchedText(line)).map((window) => window.key)),
];

/** What documents got by bank: `where` picks the documents. */
const GOT = (
  where: string,
): string => `SELECT a.transaction_id FROM payment_allocation a WHERE a.tenant_id = $1 AND a.kind = 'payment'
  AND a.transaction_id IS NOT NULL AND a.intent_id = ${where}`;

/** The payments of documents; `where` picks the documents and numbers its parameter $3. */
export const paidOn = (where: string): string =>
  `ANY (ARRAY(${GOT(`ANY (ARRAY(SELECT i.id FROM payment_intent i WHERE i.tenant_id = $1 AND i.${where}))`)}))`;

/** Those of them by bank that stand. */
export function paymentsOn(
  tx: TenantTx,
  currencyCode: string,
  where: string,
  values: readonly string[],
): Promise<StandingPayment[]> {
  return tx.query<StandingPayment>(`${STANDING} AND t.id = ${paidOn(where)} ORDER BY t.id`, [
    tx.tenantId,
    currencyCode,
    values,
  ]);
}

/** Documents that a returned line may be about, for a person to choose. */
export async function suggestReturned(tx: TenantTx, line: BankTransaction): Promise<Suggestion[]> {
  const earlier = await paymentsOfEarlierLine(tx, line);
  const paid =
    earlier.length === 1 && earlier[0]!.leftMinor < -line.amountMinor ? await documentsOf(tx, earlier[0]!.id) : [];
  if (paid[0]) return [byEndToEndId(line, earlier[0]!, paid[0])];
  const rows = await tx.query<Document>(
    `SELECT i.invoice_id AS "invoiceId", i.document_number AS number FROM payment_intent i
     WHERE i.tenant_id = $1 AND i.document_key = ANY ($3::text[]) AND i.invoice_id IS NOT NULL
       AND EXISTS (${STANDING} AND t.id = ANY (ARRAY(${GOT('i.id')}))) ORDER BY i.id`,
    [tx.tenantId, line.currencyCode, keysOf(line)],
  );
  return rows.map(({ invoiceId, number }) => ({
    invoiceId,
    score: 0.6,
    reason: `The returned money names ${number}, which was paid by bank, but not by one payment of this amount.`,
  }));
}

interface Document {
  readonly invoiceId: string;
  readonly number: string;
}

/** In the order in which they were paid. */
const documentsOf = (tx: TenantTx, paymentId: string): Promise<Document[]> =>
  tx.query<Document>(
    `SELECT i.invoice_id AS "invoiceId", i.document_number AS number FROM payment_allocation a
     JOIN payment_intent i ON i.tenant_id = $1 AND i.id = a.intent_id
     WHERE a.tenant_id = $1 AND a.transaction_id = $2 AND a.kind = 'payment' AND i.invoice_id IS NOT NULL
       ORDER BY a.id`,
    [tx.tenantId, paymentId],
  );

/** More goes back than was paid: what banks charge for it, unless a person knows better. */
function byEndToEndId(
  line: BankTransaction,
  { leftMinor }: StandingPayment,
  { invoiceId, number }: Document,
): Suggestion {
  const amount = (minor: bigint): string => `${formatMajor(money(minor, line.currencyCode))} ${line.currencyCode}`;
  const fee = amount(-line.amountMinor - leftMinor);
  return {
    invoiceId,
    score: 0.8,
    reason: `The return has the end-to-end id of the payment of ${amount(leftMinor)} on ${number}; ${fee} more would be the bank's fee.`,
  };
}
