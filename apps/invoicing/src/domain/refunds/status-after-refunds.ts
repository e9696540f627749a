import type { Invoice } from '../invoices/invoice.js';

/**
 * The status of an invoice of which `refundedMinor` was paid out in refunds, and which credit notes lowered by
 * `creditedMinor`; null when it stays.
 */
export function statusAfterRefunds(
  invoice: Pick<Invoice, 'status' | 'grossMinor' | 'unpaidMinor'>,
  { refundedMinor, creditedMinor }: { readonly refundedMinor: bigint; readonly creditedMinor: bigint },
): 'STATUS_REFUNDED' | 'STATUS_PAID' | null {
  const paidMinor = invoice.grossMinor - invoice.unpaidMinor - creditedMinor;
  const isRefunded = refundedMinor > 0n && refundedMinor >= paidMinor;
  if (isRefunded && invoice.status === 'STATUS_PAID') return 'STATUS_REFUNDED';
  return !isRefunded && invoice.status === 'STATUS_REFUNDED' ? 'STATUS_PAID' : null;
}
