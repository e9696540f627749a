import type { TenantTx } from '@kontor/persistence';
import type { Books } from '../domain/customer-books/books.js';
import { loadSpentCredit } from '../customer-books/load-spent-credit.js';
import { type Intent, overpaidMinor } from '../domain/customer-books/intent.js';
import { afterReturned, type SpentLot } from '../domain/wallet/spent-credit.js';

/** Minor units of an invoice that money, or credit, has paid, and that none of its documents returns. */
interface Standing {
  readonly money: bigint;
  readonly credit: bigint;
}

/** What of the payment of a document's invoice can still go back. */
export interface LeftToReturn extends Standing {
  readonly invoiceIntentId: string | null;
  /** The credit, in the order in which it returns. */
  readonly spent: readonly SpentLot[];
}

/** One that returns something of the invoice: a credit note, a refund, a cancellation. */
interface Returning {
  readonly id: string;
  readonly openMinor: bigint;
  readonly pendingMinor: bigint;
}

/** What is known of the invoice itself. */
interface Paid extends Standing {
  readonly id: string;
  readonly amountMinor: bigint;
  readonly openMinor: bigint;
}

const NOTHING: Standing = { money: 0n, credit: 0n };

/** Of the invoice that this document is about; both as far as the decision has come. */
export async function loadLeftToReturn(tx: TenantTx, books: Books, document: Intent): Promise<LeftToReturn> {
  const { invoiceIntentId, paid, left } = await standingOf(tx, books, document);
  if (!invoiceIntentId || left.credit <= 0n) return { ...left, invoiceIntentId, spent: [] };
  const spent = (await loadSpentCredit(tx, [invoiceIntentId])).get(invoiceIntentId) ?? [];
  return { ...left, invoiceIntentId, spent: afterReturned(spent, paid.credit - left.credit) };
}

/**
 * So much of `restMinor`, which is to go back for an invoice, had been paid by credit. What money paid goes back first; credit does not
 * become money by it.
 */
export function shareOfCredit({ money, credit }: Standing, restMinor: bigint): bigint {
  const beyondMoney = restMinor - (money > 0n ? money : 0n);
  const share = beyondMoney < credit ? beyondMoney : credit;
  return share > 0n ? share : 0n;
}

async function standingOf(
  tx: TenantTx,
  books: Books,
  document: Intent,
): Promise<{ invoiceIntentId: string | null; paid: Standing; left: Standing }> {
  const invoiceId = document.referencedInvoiceId!;
  const [paid] = await tx.query<Paid>(
    `SELECT i.id, i.credit_applied_minor AS credit, i.amount_minor AS "amountMinor", i.open_minor AS "openMinor",
       coalesce((SELECT sum(a.amount_minor) FROM payment_allocation a WHERE a.tenant_id = $1 AND a.intent_id = i.id
         AND a.kind IN ('payment', 'return', 'payout', 'to_wallet', 'from_wallet')), 0)::bigint AS money
     FROM payment_intent i WHERE i.tenant_id = $1 AND i.invoice_id = $2`,
    [tx.tenantId, invoiceId],
  );
  if (!paid) return { invoiceIntentId: null, paid: NOTHING, left: NOTHING };
  const stored = await tx.query<Returning & Standing>(
    `SELECT d.id, d.open_minor AS "openMinor", d.pending_minor AS "pendingMinor",
       coalesce(sum(a.amount_minor) FILTER (WHERE a.transaction_id IS NOT NULL), 0)::bigint AS money,
       coalesce(sum(a.amount_minor) FILTER (WHERE a.transaction_id IS NULL), 0)::bigint AS credit
     FROM payment_intent d
     LEFT JOIN payment_allocation a ON a.tenant_id = $1 AND a.intent_id = d.id
       AND a.kind IN ('payout', 'to_wallet', 'from_wallet')
     WHERE d.tenant_id = $1 AND d.referenced_invoice_id = $2 AND d.amount_minor < 0
     GROUP BY d.id, d.open_minor, d.pending_minor`,
    [tx.tenantId, invoiceId],
  );
  const here = [...books.intents.values()].filter(
    (intent) => intent.referencedInvoiceId === invoiceId && intent.amountMinor < 0n,
  );
  // What the others still owe goes out as money, when it is paid out by hand, too; so does what was paid too much.
  const leaving = ({ id, openMinor, pendingMinor }: Returning): bigint =>
    id === document.id ? pendingMinor : openMinor < 0n ? -openMinor : 0n;
  let { credit } = paid;
  let money = paid.money - overpaidMinor(paid);
  for (const other of stored) {
    money += other.money - leaving(books.intents.get(other.id) ?? other);
    credit += other.credit;
  }
  // Those of the same decision, which is not saved yet.
  for (const other of here) if (!stored.some(({ id }) => id === other.id)) money -= leaving(other);
  for (const { intentId, kind, transactionId, amountMinor } of books.allocations) {
    if (!here.some(({ id }) => id === intentId) || !['payout', 'to_wallet', 'from_wallet'].includes(kind)) continue;
    if (transactionId === null) credit += amountMinor;
    else money += amountMinor;
  }
  return { invoiceIntentId: paid.id, paid, left: { money, credit } };
}
