import type { Tx } from '@kontor/kernel';
import { vatIdOf } from '../domain/invoices/recipient.js';
import type { Draft } from '../pricing/draft.js';
import type { InvoiceContext } from '../pricing/invoice-context.js';

/** Where the recipient owes the tax, or is delivered to free of it, an e-invoice names the VAT id. @see EN 16931-1, BR-AE-02, BR-IC-02 */
const NAMED_BY: readonly (string | null)[] = ['AE', 'K'];

/**
 * What takes lines back, or corrects them, is taxed as they were, also when its recipient has no VAT id any more, having moved or given up
 * its business: it names the one by which they were.
 */
export async function nameBilledVatIds(tx: Tx, drafts: readonly Draft[], context: InvoiceContext): Promise<void> {
  const nameless = drafts.flatMap((draft) => {
    const { customer, address, obstacle } = draft;
    if (!customer || obstacle || vatIdOf(customer, address) !== null) return [];
    const positions = draft.positions.filter(({ taxCategory }) => NAMED_BY.includes(taxCategory));
    const documents = context.billed.documentsOf(positions);
    return documents.length > 0 ? [{ draft, ids: documents.map(({ id }) => id) }] : [];
  });
  const vatIds = await findVatIds(
    tx,
    nameless.flatMap(({ ids }) => ids),
  );
  for (const { draft, ids } of nameless) draft.billedVatId = ids.flatMap((id) => vatIds.get(id) ?? []).at(-1) ?? null;
}

/** The VAT ids of their recipients that documents name, by document. */
export async function findVatIds(tx: Tx, invoiceIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (invoiceIds.length === 0) return new Map();
  const rows = await tx.query<{ id: string; vatId: string }>(
    `SELECT invoice_id AS id, snapshot -> 'recipient' ->> 'vatId' AS "vatId"
     FROM document_snapshot
     WHERE tenant_id = $1 AND invoice_id = ANY($2::uuid[]) AND snapshot -> 'recipient' ->> 'vatId' IS NOT NULL`,
    [tx.tenantId, [...new Set(invoiceIds)]],
  );
  return new Map(rows.map(({ id, vatId }) => [id, vatId]));
}
