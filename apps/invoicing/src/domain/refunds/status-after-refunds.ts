import type { Invoice } from '../invoices/invoice.js';

/**
 * The status of an invoice of which `paidOutMinor` was paid out in refunds, and which credit notes lowered by
 * `creditedMinor`; null when it stays.
 */
export function statusAfterRefunds(
  invoice: Pick<Invoice, 'status' | 'grossMinor' | 'unpaidMinor'>,
  { paidOutMinor, creditedMinor }: { readonly paidOutMinor: bigint; readonly creditedMinor: bigint },
): 'STATUS_REFUNDED' | 'STATUS_PAID' | null {
  const paidMinor = invoice.grossMinor - invoice.unpaidMinor - creditedMinor;
  const isRefunded = paidOutMinor > 0n && paidOutMinor >= paidMinor;
  if (isRefunded && invoice.status === 'STATUS_PAID') return 'STATUS_REFUNDED';
  return !isRefunded && invoice.status === 'STATUS_REFUNDED' ? 'STATUS_PAID' : null;
}
