import { DomainError, type Tx } from '@kontor/kernel';

/**
 * Checks that no other document that stands credits lines of this one among what it charges, or beside lines of others: it asks for less by
 * what was billed here. Without that, the rest of this one would be owed, and asked for by nobody. Its own credit notes end with it, unless they
 * charge something, which would be asked for by nobody either, or are in another currency, in which nothing takes them back. The document's row is locked.
 * @throws DomainError 422 `charge_credited`.
 */
export async function mustNotBeCountedOn(tx: Tx, invoiceId: string): Promise<void> {
  const [credit] = await tx.query<{ number: string; name: string }>(
    `SELECT i.number, p.name FROM invoice_position o
     JOIN invoice x ON x.tenant_id = $1 AND x.id = o.invoice_id
     JOIN invoice_position p ON p.tenant_id = $1 AND p.original_charge_id = o.charge_id AND p.net_minor < 0
     JOIN invoice i ON i.tenant_id = $1 AND i.id = p.invoice_id AND i.id <> $2
       AND i.number IS NOT NULL AND i.type IN ('TYPE_INVOICE', 'TYPE_CREDIT') AND i.status <> 'STATUS_CANCELLED'
       AND (i.referenced_invoice_id IS DISTINCT FROM $2 OR i.currency_code <> x.currency_code OR EXISTS (
         SELECT FROM invoice_position c WHERE c.tenant_id = $1 AND c.invoice_id = i.id
           AND c.charge_id IS NOT NULL AND c.original_charge_id IS NULL AND c.net_minor > 0))
     WHERE o.tenant_id = $1 AND o.invoice_id = $2 AND o.net_minor > 0
     ORDER BY i.number LIMIT 1`,
    [tx.tenantId, invoiceId],
  );
  if (credit)
    throw new DomainError('charge_credited', {
      detail:
        `${credit.number} credits a part of it ("${credit.name}"), and asks for less by that. ` +
        `Cancel ${credit.number} first, or credit what is left of this document.`,
    });
}
