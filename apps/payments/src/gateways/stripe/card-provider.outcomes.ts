import type { GatewayOutcome, RefundOutcome } from '../../domain/gateways/gateway-outcome.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- the provider's objects, of which a few fields are read */

/** Codes that are no refusal of the card: it works when its owner confirms. */
const NEEDS_OWNER = new Set(['authentication_required', 'approve_with_id']);
export const needsOwner = (reason: string): boolean => NEEDS_OWNER.has(reason);

/** What a PaymentIntent stands for. */
export function outcomeOfIntent(intent: any): GatewayOutcome {
  const reference = intent.id as string;
  switch (intent.status) {
    case 'succeeded':
      return { status: 'succeeded', reference };
    case 'processing':
      return { status: 'pending', reference };
    case 'requires_action':
    case 'requires_confirmation':
      return { status: 'action_required', reference };
    case 'requires_payment_method':
    case 'canceled': {
      const error = intent.last_payment_error;
      const reason = error?.decline_code ?? error?.code ?? intent.cancellation_reason ?? 'declined';
      return needsOwner(reason) && intent.status !== 'canceled'
        ? { status: 'action_required', reference }
        : { status: 'declined', reason, reference };
    }
    default:
      return { status: 'unknown' };
  }
}

/** What a Refund stands for. */
export function outcomeOfRefund(refund: any): RefundOutcome {
  if (refund.status === 'succeeded') return { status: 'succeeded', reference: refund.id };
  if (refund.status === 'failed' || refund.status === 'canceled')
    return { status: 'declined', reason: refund.failure_reason ?? refund.status, reference: refund.id };
  return { status: 'pending', reference: refund.id };
}
