import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Log } from '@kontor/service-kit';
import { minorOfStripe } from './amounts.js';
import { outcomeOfIntent, outcomeOfRefund } from './card-provider.outcomes.js';
import { type Callback, CallbackRefused, type GatewayNotice, type NoticeSubject } from '../port/payment-gateway.js';
import { reportWonDispute } from '../port/dispute-won.js';

/** Signatures older (or newer) than this are refused: nobody can send them again. */
const TOLERANCE_MS = 300_000;

/* eslint-disable @typescript-eslint/no-explicit-any -- the provider's objects, of which a few fields are read */

/** Reads an event of Stripe. @throws CallbackRefused. @see https://docs.stripe.com/webhooks#verify-manually */
export function readCardCallback(
  callback: Callback,
  secret: string | undefined,
  log: Pick<Log, 'warn'>,
): GatewayNotice[] {
  if (secret === undefined) throw new CallbackRefused('no secret is configured');
  verify(callback, secret);
  const event = JSON.parse(callback.body.toString('utf8'));
  const object = event.data?.object ?? {};
  if (event.type === 'charge.dispute.funds_reinstated')
    reportWonDispute(log, { gateway: 'card_provider', eventId: String(event.id), payment: object.payment_intent });
  const notice = noticeOf(event.type, object);
  return notice ? [{ ...notice, eventId: eventIdOf(event, object) } as GatewayNotice] : [];
}

/** The money of one dispute goes once, however many events say so. */
const eventIdOf = ({ id, type }: any, object: any): string =>
  type === 'charge.dispute.funds_withdrawn' && object.id ? `withdrawn:${object.id}` : String(id);

function verify({ headers, body, receivedAt }: Callback, secret: string): void {
  const header = headers['stripe-signature'];
  if (typeof header !== 'string') throw new CallbackRefused('no signature');
  const parts = header.split(',').map((part) => part.split('=', 2) as [string, string?]);
  const timestamp = parts.find(([name]) => name.trim() === 't')?.[1] ?? '';
  const signatures = parts.flatMap(([name, value]) => (name.trim() === 'v1' && value ? [value] : []));
  if (!/^\d{1,12}$/.test(timestamp)) throw new CallbackRefused('no time in the signature');
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  const matches = signatures.some((signature) => {
    const given = Buffer.from(signature, 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!matches) throw new CallbackRefused('the signature is wrong');
  if (Math.abs(receivedAt.getTime() - Number(timestamp) * 1000) > TOLERANCE_MS)
    throw new CallbackRefused('the signature is too old');
}

type NewNotice = GatewayNotice extends infer N ? (N extends GatewayNotice ? Omit<N, 'eventId'> : never) : never;

function noticeOf(type: string, object: any): NewNotice | null {
  switch (type) {
    case 'payment_intent.succeeded':
      return { kind: 'collection', subject: subjectOf(object, object.id), outcome: outcomeOfIntent(object) };
    // Events come in any order, and what has succeeded stays so: what the payment is by now is asked.
    case 'payment_intent.processing':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
    case 'payment_intent.requires_action':
      return { kind: 'collection', subject: subjectOf(object, object.id), outcome: null };
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated':
      return {
        kind: 'refund',
        subject: subjectOf(object, object.id),
        outcome: outcomeOfRefund(object),
        paymentReference: object.payment_intent ?? null,
      };
    case 'charge.dispute.funds_withdrawn': {
      // A fee in another currency than the payment's is no amount of it.
      const fees = (object.balance_transactions ?? [])
        .filter(({ currency }: any) => (currency ?? object.currency) === object.currency)
        .reduce((sum: number, { fee }: any) => sum + (fee ?? 0), 0);
      return {
        kind: 'returned',
        subject: { reference: String(object.payment_intent) },
        reason: `chargeback: ${object.reason ?? 'general'}`,
        feeMinor: String(minorOfStripe(Math.max(fees, 0), object.currency)),
        amountMinor: object.amount === undefined ? null : String(minorOfStripe(object.amount, object.currency)),
        afterPayment: true,
      };
    }
    case 'setup_intent.succeeded':
    case 'setup_intent.setup_failed':
    case 'checkout.session.completed':
    case 'checkout.session.expired': {
      const { kontor_tenant: tenantId, kontor_method: methodId } = object.metadata ?? {};
      return tenantId && methodId ? { kind: 'registration', subject: { tenantId, methodId } } : null;
    }
    case 'payment_method.detached':
      return { kind: 'method_ended', methodReference: String(object.id), reason: 'method_gone' };
    default:
      return null;
  }
}

function subjectOf(object: any, reference: string): NoticeSubject {
  const { kontor_tenant: tenantId, kontor_transaction: transactionId } = object.metadata ?? {};
  return tenantId && transactionId ? { tenantId, transactionId } : { reference };
}
