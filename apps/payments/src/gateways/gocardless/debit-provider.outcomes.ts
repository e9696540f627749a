import type { GatewayOutcome, RefundOutcome } from '../../domain/gateways/gateway-outcome.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- the provider's objects, of which a few fields are read */

/** What a payment stands for. Sent to the bank is not paid: that is `confirmed`. */
export function outcomeOfPayment(payment: any): GatewayOutcome {
  const reference = payment.id as string;
  if (payment.status === 'confirmed' || payment.status === 'paid_out') return { status: 'succeeded', reference };
  if (['failed', 'cancelled', 'customer_approval_denied', 'charged_back'].includes(payment.status))
    return { status: 'declined', reason: payment.status, reference };
  return { status: 'pending', reference };
}

export function outcomeOfRefund(refund: any): RefundOutcome {
  if (refund.status === 'paid') return { status: 'succeeded', reference: refund.id };
  if (['cancelled', 'bounced', 'funds_returned'].includes(refund.status))
    return { status: 'declined', reason: refund.status, reference: refund.id };
  return { status: 'pending', reference: refund.id };
}
