import type { GatewayOutcome, RefundOutcome } from '../../domain/gateways/gateway-outcome.js';
import type { ProviderAnswer } from '../port/provider-http.js';
import type { RegistrationAnswer } from '../port/registering-gateway.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- the provider's objects, of which a few fields are read */

/** Codes that are no refusal of the card: it works when its owner confirms. */
const NEEDS_OWNER = new Set(['authentication_required', 'approve_with_id']);
const needsOwner = (reason: string): boolean => NEEDS_OWNER.has(reason);

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

export const reasonOf = ({ body }: ProviderAnswer): string =>
  body.error?.decline_code ?? body.error?.code ?? body.error?.type ?? 'refused';

/** Whether an object of Stripe's is about the transaction with this id. */
export const isOf =
  (id: string) =>
  ({ metadata }: any): boolean =>
    metadata?.kontor_transaction === id;

export const refused = (answer: ProviderAnswer): RegistrationAnswer => ({
  status: 'failed',
  referenceId: null,
  failReason: reasonOf(answer),
});

/** Parameters that Stripe does not accept stay wrong; so does a card that it does not know any more. */
const isWrongRequest = (answer: ProviderAnswer): boolean => answer.body.error?.type === 'invalid_request_error';

export const actionUrlOf = (intent: any): string | null =>
  intent.status === 'requires_action' ? (intent.next_action?.redirect_to_url?.url ?? null) : null;

export function outcomeOfAnswer(answer: ProviderAnswer): GatewayOutcome {
  if (answer.status === 200) return outcomeOfIntent(answer.body);
  const reason = reasonOf(answer);
  const intent = answer.body.error?.payment_intent?.id as string | undefined;
  if (intent && needsOwner(reason)) return { status: 'action_required', reference: intent };
  return {
    status: 'declined',
    reason,
    ...(intent && { reference: intent }),
    ...(isWrongRequest(answer) && { final: true }),
  };
}

export function answerOfSetup(setup: any): RegistrationAnswer {
  const method = setup.payment_method;
  if (setup.status === 'succeeded' && method && typeof method === 'object') {
    const { brand = null, last4 = null, exp_month: expMonth = null, exp_year: expYear = null } = method.card ?? {};
    return {
      status: 'active',
      referenceId: method.id,
      card: { brand, last4, expMonth, expYear, cardHolder: method.billing_details?.name ?? null },
    };
  }
  if (setup.status === 'requires_action')
    return {
      status: 'action_required',
      referenceId: setup.id,
      actionUrl: setup.next_action?.redirect_to_url?.url ?? null,
    };
  if (setup.status === 'processing') return { status: 'action_required', referenceId: setup.id };
  const error = setup.last_setup_error;
  return { status: 'failed', referenceId: setup.id, failReason: error?.decline_code ?? error?.code ?? setup.status };
}
