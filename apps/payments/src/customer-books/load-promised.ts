import type { TenantTx } from '@kontor/persistence';
import type { Books } from '../domain/customer-books/books.js';
import type { Promised } from '../domain/refunds/stop-refunds.js';
import { type IntentRow, intents } from './intent.row.js';

/** What is promised of the money of invoices, by their ids. */
export interface LoadedPromises {
  readonly documents: readonly IntentRow[];
  readonly promisedMinor: ReadonlyMap<string, bigint>;
  /** Of that, what became credit again of the credit that had paid. */
  readonly returnedCreditMinor: ReadonlyMap<string, bigint>;
}

const KINDS = `('TYPE_CANCEL', 'TYPE_CREDIT', 'TYPE_REFUND')`;

/**
 * As far as these customers, who are locked, are concerned; with documents that are going to owe again, such as of a refund that came back.
 * What became credit, or was taken off invoices, has been returned as well as what was paid out; a note that was cancelled gave nothing.
 */
export async function loadPromised(
  tx: TenantTx,
  invoiceIntentIds: readonly string[],
  customerIds: readonly string[],
  owingAgainIds: readonly string[] = [],
): Promise<LoadedPromises> {
  const promisedMinor = new Map<string, bigint>();
  if (invoiceIntentIds.length === 0) return { documents: [], promisedMinor, returnedCreditMinor: new Map() };
  const about = `document_type IN ${KINDS} AND customer_id = ANY ($3::uuid[]) AND referenced_invoice_id = ANY (ARRAY(
    SELECT i.invoice_id FROM payment_intent i WHERE i.tenant_id = $1 AND i.id = ANY ($2::uuid[])))`;
  const documents = await intents.where(tx, `(open_minor < 0 OR id = ANY ($4::uuid[])) AND ${about} ORDER BY id`, [
    invoiceIntentIds,
    customerIds,
    owingAgainIds,
  ]);
  const gone = await tx.query<{ invoiceId: string; minor: bigint; credit: bigint }>(
    `SELECT d.referenced_invoice_id AS "invoiceId", (-sum(a.amount_minor))::bigint AS minor,
       coalesce(-sum(a.amount_minor) FILTER (WHERE a.kind IN ('to_wallet', 'from_wallet') AND a.transaction_id IS NULL), 0)::bigint AS credit
     FROM (SELECT id, referenced_invoice_id FROM payment_intent WHERE tenant_id = $1 AND ${about}) d
     JOIN payment_allocation a ON a.tenant_id = $1 AND a.intent_id = d.id
       AND a.kind IN ('payout', 'to_wallet', 'from_wallet', 'credit_note')
     LEFT JOIN payment_intent counter ON counter.tenant_id = $1 AND counter.id = a.counter_intent_id
     WHERE counter.document_type IS DISTINCT FROM 'TYPE_CANCEL'
     GROUP BY d.referenced_invoice_id`,
    [tx.tenantId, invoiceIntentIds, customerIds],
  );
  const add = (invoiceId: string, minor: bigint) =>
    promisedMinor.set(invoiceId, (promisedMinor.get(invoiceId) ?? 0n) + minor);
  for (const { invoiceId, minor } of gone) add(invoiceId, minor);
  for (const { referencedInvoiceId, openMinor } of documents) add(referencedInvoiceId!, -openMinor);
  const returnedCreditMinor = new Map(gone.map(({ invoiceId, credit }) => [invoiceId, credit]));
  return { documents, promisedMinor, returnedCreditMinor };
}

export function promisedOf(books: Books, invoiceIntentId: string, loaded: LoadedPromises): Promised {
  const invoiceId = books.intent(invoiceIntentId).invoiceId ?? '';
  return {
    promisedMinor: loaded.promisedMinor.get(invoiceId) ?? 0n,
    returnedCreditMinor: loaded.returnedCreditMinor.get(invoiceId) ?? 0n,
    documents: loaded.documents
      .filter((document) => document.referencedInvoiceId === invoiceId)
      .map((document) => books.intent(document.id)),
  };
}
