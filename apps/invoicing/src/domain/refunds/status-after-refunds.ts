import type { Invoice } from '../invoices/invoice.js';

/** The status of an invoice of which `refundedMinor` was paid out in refunds; null when it stays. */
export function statusAfterRefunds(
  invoice: Pick<Invoice, 'status' | 'grossMinor' | 'unpaidMinor'>,
  refundedMinor: bigint,
): 'STATUS_REFUNDED' | 'STATUS_PAID' | null {
  const paidMinor = invoice.grossMinor - invoice.unpaidMinor;
  const isRefunded = paidMinor > 0n && refundedMinor >= paidMinor;
  if (isRefunded && invoice.status === 'STATUS_PAID') return 'STATUS_REFUNDED';
  return !isRefunded && invoice.status === 'STATUS_REFUNDED' ? 'STATUS_PAID' : null;
}
