import { notFound, type Tx } from '@kontor/kernel';
import { type InvoiceRow, invoiceTable } from '../db/invoice.row.js';

/**
 * A document, and those that it credits where it is a credit note (invoices, and credit notes that have brought a charge
 * themselves), locked in the order of their ids: whoever takes from one of them waits until it is decided what stands.
 * @throws DomainError 404 `not_found`.
 */
export async function lockWithCredited(
  tx: Tx,
  id: string,
): Promise<{ readonly document: InvoiceRow; readonly credited: readonly InvoiceRow[] }> {
  const locked = await invoiceTable.where(
    tx,
    // As an array: a row that another transaction has changed is looked at again, and would not be found in a union.
    `t.id = ANY(ARRAY(
       SELECT $2::uuid
       UNION ALL
       SELECT i.id
       FROM invoice c
       JOIN invoice i ON i.tenant_id = $1 AND i.id = c.referenced_invoice_id AND i.type = 'TYPE_INVOICE'
       WHERE c.tenant_id = $1 AND c.id = $2 AND c.type = 'TYPE_CREDIT'
       UNION ALL
       SELECT o.invoice_id
       FROM invoice c
       JOIN invoice_position p ON p.tenant_id = $1 AND p.invoice_id = c.id
       JOIN invoice_position o ON o.tenant_id = $1 AND o.charge_id = p.original_charge_id
       JOIN invoice i ON i.tenant_id = $1 AND i.id = o.invoice_id AND i.number IS NOT NULL
       WHERE c.tenant_id = $1 AND c.id = $2 AND c.type = 'TYPE_CREDIT'))
     ORDER BY t.id
     FOR UPDATE`,
    [id],
  );
  const document = locked.find((row) => row.id === id);
  if (!document) throw notFound('The document');
  return { document, credited: locked.filter((row) => row !== document) };
}
