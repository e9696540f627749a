import type { Tx } from '@kontor/kernel';
import { type InvoiceRow, invoiceTable } from '../db/invoice.row.js';

/**
 * The invoices that a credit note is about, locked in the order of their ids: whoever takes from them waits until it is
 * decided whether the credit stands. None for any other document.
 */
export const lockCredited = (tx: Tx, creditId: string): Promise<InvoiceRow[]> =>
  invoiceTable.where(
    tx,
    `t.type = 'TYPE_INVOICE' AND t.number IS NOT NULL AND t.id IN (
       SELECT c.referenced_invoice_id FROM invoice c
       WHERE c.tenant_id = $1 AND c.id = $2 AND c.type = 'TYPE_CREDIT'
       UNION ALL
       SELECT o.invoice_id
       FROM invoice c
       JOIN invoice_position p ON p.tenant_id = $1 AND p.invoice_id = c.id
       JOIN invoice_position o ON o.tenant_id = $1 AND o.charge_id = p.original_charge_id
       WHERE c.tenant_id = $1 AND c.id = $2 AND c.type = 'TYPE_CREDIT')
     ORDER BY t.id
     FOR UPDATE`,
    [creditId],
  );
