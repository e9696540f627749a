import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Log } from '@kontor/service-kit';
import type { RefundOutcome } from '../../domain/gateways/gateway-outcome.js';
import { type Callback, CallbackRefused, type GatewayNotice, type NoticeSubject } from '../port/payment-gateway.js';
import { reportWonDispute } from '../port/dispute-won.js';

/**
 * The money is there again. A payment that was declined for the chargeback is booked then; one that was returned stays
 * returned.
 */
const CHARGEBACK_CANCELLED = 'chargeback_cancelled';

/* eslint-disable @typescript-eslint/no-explicit-any -- the provider's objects, of which a few fields are read */

/** Reads the events of GoCardless. @throws CallbackRefused. */
export function readDebitCallback(
  { headers, body }: Callback,
  secret: string | undefined,
  log: Pick<Log, 'warn'>,
): GatewayNotice[] {
  verify(headers['webhook-signature'], body, secret);
  const { events = [] } = JSON.parse(body.toString('utf8')) as { events?: any[] };
  for (const { id, resource_type: type, action, links } of events)
    if (type === 'payments' && action === CHARGEBACK_CANCELLED)
      reportWonDispute(log, { gateway: 'debit_provider', eventId: String(id), payment: links?.payment });
  return events.flatMap((event) => noticeOf(event) ?? []);
}

function verify(header: string | string[] | undefined, body: Buffer, secret: string | undefined): void {
  if (secret === undefined) throw new CallbackRefused('no secret is configured');
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(typeof header === 'string' ? header : '', 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new CallbackRefused('the signature is wrong');
}

/**
 * Events may come in any order, so the payment itself is asked what it is; only what it does not contain is read from
 * the event.
 */
function noticeOf(event: any): GatewayNotice | null {
  const { id, resource_type: type, action, resource_metadata: metadata } = event;
  const links = event.links ?? {};
  const details = event.details ?? {};
  const eventId = String(id);
  const named = (reference: unknown): NoticeSubject => {
    const { kontor_tenant: tenantId, kontor_transaction: transactionId } = metadata ?? {};
    return tenantId && transactionId ? { tenantId, transactionId } : { reference: String(reference) };
  };
  if (type === 'payments' && (action === 'charged_back' || action === 'late_failure_settled')) {
    const reason = details.reason_code ?? details.cause ?? action;
    return { eventId, kind: 'returned', subject: named(links.payment), reason, feeMinor: '0', amountMinor: null };
  }
  if (
    type === 'payments' &&
    ['confirmed', 'failed', 'cancelled', 'customer_approval_denied', CHARGEBACK_CANCELLED].includes(action)
  )
    return { eventId, kind: 'collection', subject: named(links.payment), outcome: null };
  if (type === 'refunds' && ['paid', 'failed', 'bounced', 'funds_returned', 'cancelled'].includes(action)) {
    const reference = String(links.refund);
    const outcome: RefundOutcome =
      action === 'paid' ? { status: 'succeeded', reference } : { status: 'declined', reason: action, reference };
    return { eventId, kind: 'refund', subject: named(reference), outcome, paymentReference: null };
  }
  if (type === 'mandates' && ['cancelled', 'failed', 'expired', 'consumed', 'blocked'].includes(action))
    return { eventId, kind: 'method_ended', methodReference: String(links.mandate), reason: `mandate_${action}` };
  if (type === 'mandates' && action === 'reinstated')
    return { eventId, kind: 'method_reinstated', methodReference: String(links.mandate) };
  if (type === 'mandates' && action === 'replaced' && links.new_mandate)
    return {
      eventId,
      kind: 'method_replaced',
      methodReference: String(links.mandate),
      replacement: String(links.new_mandate),
    };
  const { kontor_tenant: tenantId, kontor_method: methodId } = metadata ?? {};
  if (type === 'billing_requests' && ['fulfilled', 'cancelled', 'failed'].includes(action) && tenantId && methodId)
    return { eventId, kind: 'registration', subject: { tenantId, methodId } };
  return null;
}
