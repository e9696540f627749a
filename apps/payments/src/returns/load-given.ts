import type { TenantTx } from '@kontor/persistence';
import { loweredOthers, type LoweredPart } from '../corrections/load-corrected.js';
import { type IntentRow, intents } from '../customer-books/intent.row.js';
import { type LotRow, lots } from '../customer-books/lot.row.js';
import type { Books } from '../domain/customer-books/books.js';
import type { Lot } from '../domain/customer-books/lots.js';
import type { GivenByDocuments } from '../domain/returns/bring-back.js';
import type { SpentCredit } from '../domain/wallet/withdraw-credit.js';

/** What the documents of cancelled invoices gave, as it is stored. */
export interface LoadedGiven {
  readonly documents: readonly IntentRow[];
  readonly lowered: readonly LoweredPart[];
  readonly lots: readonly LotRow[];
  readonly spent: readonly SpentCredit[];
  /** Invoices that may be open again by what comes back. */
  readonly reopenedIds: readonly string[];
  /** All that are concerned: to be in the books. */
  readonly intentIds: readonly string[];
}

/**
 * As far as these customers, who are locked, are concerned, and without the credit that is withdrawn anyway. `intentIds`: whatever
 * is cancelled among them.
 */
export async function loadGiven(
  tx: TenantTx,
  intentIds: readonly string[],
  { customerIds, withdrawn }: { customerIds: readonly string[]; withdrawn: readonly Lot[] },
): Promise<LoadedGiven> {
  const documents = (await documentsOfCancelled(tx, intentIds)).filter((it) => customerIds.includes(it.customerId));
  if (documents.length === 0) return { documents, lowered: [], lots: [], spent: [], reopenedIds: [], intentIds: [] };
  const invoiceIds = documents.flatMap(({ referencedInvoiceId }) => referencedInvoiceId ?? []);
  const lowered = await loweredInvoices(tx, [...new Set(invoiceIds)], customerIds);
  const became = await lots.where(
    tx,
    'source_intent_id = ANY ($2::uuid[]) AND NOT id = ANY ($3::uuid[]) ORDER BY ordinal DESC',
    [documents.map(({ id }) => id), withdrawn.map(({ id }) => id)],
  );
  const spent = await findSpent(tx, became);
  const reopenedIds = [
    ...lowered.flatMap(({ counterIntentId }) => counterIntentId ?? []),
    ...spent.map(({ intentId }) => intentId),
  ];
  return {
    documents,
    lowered,
    lots: became,
    spent,
    reopenedIds,
    intentIds: [...documents.map(({ id }) => id), ...reopenedIds],
  };
}

export const givenIn = (books: Books, { documents, lowered, spent }: LoadedGiven): GivenByDocuments => ({
  documents: documents.map(({ id }) => books.intent(id)),
  lowered: lowered.map(({ intentId, counterIntentId, amountMinor }) => ({
    note: books.intent(intentId),
    invoice: books.intent(counterIntentId ?? ''),
    amountMinor: -amountMinor,
  })),
  spent,
});

async function loweredInvoices(
  tx: TenantTx,
  invoiceIds: readonly string[],
  customerIds: readonly string[],
): Promise<LoweredPart[]> {
  const parts = await loweredOthers(tx, invoiceIds);
  if (parts.length === 0) return [];
  const ids = parts.flatMap(({ counterIntentId }) => counterIntentId ?? []);
  const known = await intents.where(tx, 'id = ANY ($2::uuid[]) AND customer_id = ANY ($3::uuid[])', [ids, customerIds]);
  return parts.filter(({ counterIntentId }) => known.some(({ id }) => id === counterIntentId));
}

/** What took invoices back that are cancelled, where these intents are theirs. */
export function documentsOfCancelled(tx: TenantTx, intentIds: readonly string[]): Promise<IntentRow[]> {
  return intents.where(
    tx,
    `document_type IN ('TYPE_CANCEL', 'TYPE_CREDIT') AND referenced_invoice_id = ANY (ARRAY(
       SELECT i.invoice_id FROM payment_intent i
       WHERE i.tenant_id = $1 AND i.id = ANY ($2::uuid[]) AND i.status = 'cancelled')) ORDER BY id`,
    [intentIds],
  );
}

/** What invoices have got from these lots and still have. */
export async function findSpent(tx: TenantTx, brought: readonly Lot[]): Promise<SpentCredit[]> {
  if (brought.length === 0) return [];
  return tx.query<SpentCredit>(
    `SELECT t.intent_id AS "intentId", u.use ->> 'lotId' AS "lotId",
       sum(CASE t.type WHEN 'invoice_payment' THEN (u.use ->> 'amountMinor')::bigint
         ELSE -(u.use ->> 'amountMinor')::bigint END)::bigint AS "amountMinor"
     FROM wallet_transaction t CROSS JOIN LATERAL jsonb_array_elements(t.uses) AS u (use)
     WHERE t.tenant_id = $1 AND t.wallet_id = ANY ($2::uuid[])
       AND t.type IN ('invoice_payment', 'invoice_payment_reversal')
       AND u.use ->> 'lotId' = ANY ($3::text[])
     GROUP BY t.intent_id, u.use ->> 'lotId'
       HAVING sum(CASE t.type WHEN 'invoice_payment' THEN (u.use ->> 'amountMinor')::bigint
       ELSE -(u.use ->> 'amountMinor')::bigint END) > 0
     ORDER BY t.intent_id`,
    [tx.tenantId, brought.map((lot) => lot.walletId), brought.map((lot) => lot.id)],
  );
}
