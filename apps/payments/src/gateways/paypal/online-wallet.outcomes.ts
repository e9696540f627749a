import type { GatewayOutcome, RefundOutcome } from '../../domain/gateways/gateway-outcome.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- the provider's objects, of which a few fields are read */

/** What an order stands for that was to be captured at once. */
export function outcomeOfOrder(order: any): GatewayOutcome {
  const capture = order.purchase_units?.[0]?.payments?.captures?.[0];
  if (capture) return captureOf(capture);
  if (order.status === 'PAYER_ACTION_REQUIRED') return { status: 'action_required', reference: order.id };
  // Nobody approved it in time.
  if (order.status === 'VOIDED') return { status: 'declined', reason: 'action_expired', reference: order.id };
  return { status: 'unknown' };
}

/** What a capture stands for. Refunded later, it was paid all the same. */
export function captureOf(capture: any): GatewayOutcome {
  const reference = String(capture.id);
  switch (capture.status) {
    case 'COMPLETED':
    case 'PARTIALLY_REFUNDED':
    case 'REFUNDED':
      return { status: 'succeeded', reference };
    case 'PENDING':
      return { status: 'pending', reference };
    case 'DECLINED':
    case 'FAILED': {
      const code = capture.processor_response?.response_code;
      return {
        status: 'declined',
        reason: code ? `processor_${code}` : String(capture.status).toLowerCase(),
        reference,
      };
    }
    default:
      return { status: 'unknown' };
  }
}

export function outcomeOfRefund(refund: any): RefundOutcome {
  const reference = String(refund.id);
  if (refund.status === 'COMPLETED') return { status: 'succeeded', reference };
  if (refund.status === 'PENDING') return { status: 'pending', reference };
  if (refund.status === 'FAILED' || refund.status === 'CANCELLED')
    return {
      status: 'declined',
      reason: refund.status_details?.reason ?? String(refund.status).toLowerCase(),
      reference,
    };
  return { status: 'unknown' };
}
