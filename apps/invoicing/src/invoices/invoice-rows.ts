import { notFound, type Tx } from '@kontor/kernel';
import { type InvoiceSubscriptionRow, invoiceSubscriptionTable } from '../db/document.row.js';
import { type InvoiceRow, invoiceTable } from '../db/invoice.row.js';
import { type PositionRow, positionTable } from '../db/position.row.js';

/** What pricing may change in a position. */
const PRICED = [
  'ordinal',
  'groupId',
  'groupName',
  'groupRanking',
  'netMinor',
  'discountMinor',
  'taxMinor',
  'grossMinor',
  'taxCategory',
  'taxRate',
  'taxNoteKey',
  'tax',
] as const satisfies readonly (keyof PositionRow)[];

/** @throws DomainError 404 `not_found`. */
export async function findInvoice(tx: Tx, id: string): Promise<InvoiceRow> {
  const invoice = await invoiceTable.get(tx, id);
  if (!invoice) throw notFound('The document');
  return invoice;
}

/** The document, locked until the transaction ends. @throws DomainError 404 `not_found`. */
export async function lockInvoice(tx: Tx, id: string): Promise<InvoiceRow> {
  const invoice = await invoiceTable.get(tx, id, { lock: 'update' });
  if (!invoice) throw notFound('The document');
  return invoice;
}

/** {@link lockInvoice} for several, locked in the order of their ids; unknown ones are missing in the map. */
export async function lockInvoices(tx: Tx, ids: readonly string[]): Promise<Map<string, InvoiceRow>> {
  const rows = await invoiceTable.find(tx, { id: ids }, { orderBy: { id: 'asc' }, lock: 'update' });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Positions by document, each document's in order, `limit` of all at most; an empty list for a document without any. */
export async function loadPositions(
  tx: Tx,
  invoiceIds: readonly string[],
  limit?: number,
): Promise<Map<string, PositionRow[]>> {
  const byInvoice = new Map<string, PositionRow[]>(invoiceIds.map((id) => [id, []]));
  if (invoiceIds.length === 0) return byInvoice;
  const positions = await positionTable.find(
    tx,
    { invoiceId: invoiceIds },
    { orderBy: { invoiceId: 'asc', ordinal: 'asc' }, limit, prepared: true },
  );
  for (const position of positions) byInvoice.get(position.invoiceId)?.push(position);
  return byInvoice;
}

export const positionsOf = async (tx: Tx, invoiceId: string): Promise<PositionRow[]> =>
  (await loadPositions(tx, [invoiceId])).get(invoiceId) ?? [];

/** Inserts positions, and which subscriptions their documents bill. */
export async function insertPositions(tx: Tx, positions: readonly PositionRow[]): Promise<void> {
  await positionTable.insert(tx, positions);
  await insertSubscriptions(tx, positions);
}

async function insertSubscriptions(tx: Tx, positions: readonly PositionRow[]): Promise<void> {
  const billed = new Map<string, InvoiceSubscriptionRow>();
  for (const { tenantId, invoiceId, subscription } of positions) {
    if (subscription)
      billed.set(`${subscription.id} ${invoiceId}`, { tenantId, invoiceId, subscriptionId: subscription.id });
  }
  await invoiceSubscriptionTable.insertMissing(tx, billed.values());
}

/** Writes what pricing found out about positions that are there. */
export const updatePositions = (tx: Tx, positions: readonly PositionRow[]): Promise<void> =>
  positionTable.update(tx, positions, PRICED);

/** Writes that positions of drafts are on other drafts now: those that they name. */
export async function movePositions(tx: Tx, positions: readonly PositionRow[]): Promise<void> {
  if (positions.length === 0) return;
  const left = await tx.query<{ id: string }>(
    `UPDATE invoice_position p SET invoice_id = k.invoice_id
     FROM unnest($2::uuid[], $3::uuid[]) AS k (id, invoice_id)
     WHERE p.tenant_id = $1 AND p.id = k.id
     RETURNING old.invoice_id AS id`,
    [tx.tenantId, positions.map(({ id }) => id), positions.map(({ invoiceId }) => invoiceId)],
  );
  await insertSubscriptions(tx, positions);
  await tx.query(
    `DELETE FROM invoice_subscription s
     WHERE s.tenant_id = $1 AND s.invoice_id = ANY($2::uuid[])
       AND NOT EXISTS (
         SELECT FROM invoice_position p
         WHERE p.tenant_id = $1 AND p.invoice_id = s.invoice_id AND p.subscription->>'id' = s.subscription_id::text)`,
    [tx.tenantId, [...new Set(left.map(({ id }) => id))]],
  );
}
