import type { Tx } from '@kontor/kernel';
import type { InvoiceRow } from '../db/invoice.row.js';
import { amountIn } from '../domain/refunds/amount-in.js';

/** What documents took back of an invoice: gross, in its currency, more than zero. */
export interface TakenBack {
  readonly creditedMinor: bigint;
  /** By refunds, also those that were not paid out yet. */
  readonly refundedMinor: bigint;
  /** By refunds that were paid out. */
  readonly paidOutMinor: bigint;
}

export const NOTHING_TAKEN: TakenBack = { creditedMinor: 0n, refundedMinor: 0n, paidOutMinor: 0n };

type Taking = Pick<InvoiceRow, 'type' | 'status' | 'grossMinor' | 'currencyCode' | 'exchangeRates'> & {
  readonly invoiceId: string;
};

/** By invoice. */
export async function loadTakenBack(tx: Tx, invoices: readonly InvoiceRow[]): Promise<Map<string, TakenBack>> {
  const rows = await tx.query<Taking>(
    `SELECT referenced_invoice_id AS "invoiceId", type, status, gross_minor AS "grossMinor", currency_code AS "currencyCode",
       exchange_rates AS "exchangeRates"
     FROM invoice
     WHERE tenant_id = $1 AND referenced_invoice_id = ANY($2::uuid[])
       AND type IN ('TYPE_REFUND', 'TYPE_CREDIT') AND status <> 'STATUS_CANCELLED'`,
    [tx.tenantId, invoices.map(({ id }) => id)],
  );
  const taken = new Map<string, TakenBack>();
  for (const invoice of invoices) {
    const its = rows.filter(({ invoiceId }) => invoiceId === invoice.id);
    const sumOf = (wanted: readonly Taking[]): bigint =>
      wanted.reduce((sum, row) => sum - amountIn(invoice, row, row.grossMinor), 0n);
    const refunds = its.filter(({ type }) => type === 'TYPE_REFUND');
    taken.set(invoice.id, {
      creditedMinor: sumOf(its.filter(({ type }) => type === 'TYPE_CREDIT')),
      refundedMinor: sumOf(refunds),
      paidOutMinor: sumOf(refunds.filter(({ status }) => status === 'STATUS_PAID')),
    });
  }
  return taken;
}
