import type { TenantTx } from '@kontor/persistence';
import type { Books } from '../domain/customer-books/books.js';

/** Minor units of an invoice that money, or credit, has paid, and that none of its documents has returned. */
interface Standing {
  readonly money: bigint;
  readonly credit: bigint;
}

/** One that returns something of the invoice: a credit note, a refund, a cancellation. */
interface Returning {
  readonly id: string;
  readonly pendingMinor: bigint;
}

/**
 * So much of `restMinor`, which is to go back for an invoice, had been paid by credit. What money paid goes back first; credit does
 * not become money by it.
 */
export async function shareOfCredit(tx: TenantTx, books: Books, invoiceId: string, restMinor: bigint): Promise<bigint> {
  const standing = await standingOf(tx, books, invoiceId);
  const beyondMoney = restMinor - (standing.money > 0n ? standing.money : 0n);
  const share = beyondMoney < standing.credit ? beyondMoney : standing.credit;
  return share > 0n ? share : 0n;
}

async function standingOf(tx: TenantTx, books: Books, invoiceId: string): Promise<Standing> {
  const [paid] = await tx.query<Standing>(
    `SELECT i.credit_applied_minor AS credit, coalesce((SELECT sum(a.amount_minor) FROM payment_allocation a
       WHERE a.tenant_id = $1 AND a.intent_id = i.id
         AND a.kind IN ('payment', 'return', 'payout', 'to_wallet', 'from_wallet')), 0)::bigint AS money
     FROM payment_intent i WHERE i.tenant_id = $1 AND i.invoice_id = $2`,
    [tx.tenantId, invoiceId],
  );
  if (!paid) return { money: 0n, credit: 0n };
  const stored = await tx.query<Returning & Standing>(
    `SELECT d.id, d.pending_minor AS "pendingMinor",
       coalesce(sum(a.amount_minor) FILTER (WHERE a.transaction_id IS NOT NULL), 0)::bigint AS money,
       coalesce(sum(a.amount_minor) FILTER (WHERE a.transaction_id IS NULL), 0)::bigint AS credit
     FROM payment_intent d
     LEFT JOIN payment_allocation a ON a.tenant_id = $1 AND a.intent_id = d.id
       AND a.kind IN ('payout', 'to_wallet', 'from_wallet')
     WHERE d.tenant_id = $1 AND d.referenced_invoice_id = $2 AND d.amount_minor < 0
     GROUP BY d.id, d.pending_minor`,
    [tx.tenantId, invoiceId],
  );
  const here = [...books.intents.values()].filter(
    (intent) => intent.referencedInvoiceId === invoiceId && intent.amountMinor < 0n,
  );
  let { money, credit } = paid;
  for (const document of stored) {
    money += document.money - (books.intents.get(document.id) ?? document).pendingMinor;
    credit += document.credit;
  }
  // Those of the same decision, which is not saved yet.
  for (const { id, pendingMinor } of here) if (!stored.some((document) => document.id === id)) money -= pendingMinor;
  for (const { intentId, kind, transactionId, amountMinor } of books.allocations) {
    if (!here.some(({ id }) => id === intentId) || !['payout', 'to_wallet', 'from_wallet'].includes(kind)) continue;
    if (transactionId === null) credit += amountMinor;
    else money += amountMinor;
  }
  return { money, credit };
}
