import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@kontor/service-kit';
import type { GatewayOutcome, RefundOutcome } from '../../domain/gateways/gateway-outcome.js';
import type { RegistrationAnswer, RegistrationQuestion, RegistrationRequest } from '../port/registering-gateway.js';
import { UNCONFIGURED } from '../port/registering-gateway.js';
import { stripeAmount } from './amounts.js';
import { readCardCallback } from './card-provider.callbacks.js';
import {
  actionUrlOf,
  answerOfSetup,
  isOf,
  outcomeOfAnswer,
  outcomeOfIntent,
  outcomeOfRefund,
  reasonOf,
  refused,
} from './card-provider.outcomes.js';
import type {
  Callback,
  GatewayCharge,
  GatewayContext,
  GatewayNotice,
  GatewayRefund,
  PayerStep,
  PaymentGateway,
} from '../port/payment-gateway.js';
import { askEach, askProvider, formEncoded, type ProviderAnswer, ProviderUndecided } from '../port/provider-http.js';

export interface CardProviderConfig {
  readonly secretKey: string | undefined;
  readonly webhookSecret: string | undefined;
  readonly apiBase: string;
}

const DAY_MS = 86_400_000;
/** How often, and after which pause, a payer's click waits for the answer to the click before. */
const MAX_CLICK_TRIES = 10;
const CLICK_PAUSE_MS = 500;

/** The version whose fields are read here: answers do not change when the account's default does. */
const API_VERSION = '2024-06-20';

/**
 * Cards by Stripe: the payer enters the card on a page of Checkout (or a token of its form is given), later charges are
 * off-session PaymentIntents.
 * @see https://docs.stripe.com/api
 */
export class CardProviderGateway implements PaymentGateway {
  readonly name = 'card_provider';
  /** Stripe may forget keys after a day; an hour is left for requests on their way. */
  readonly remembersForMs = DAY_MS - 3_600_000;
  readonly remembersRefundsForMs = this.remembersForMs;
  readonly configured: boolean;
  /** Customers by payment method: a method never changes its customer. */
  private readonly customers = new Map<string, string>();

  constructor(
    private readonly config: CardProviderConfig,
    private readonly log: Pick<Log, 'warn'>,
  ) {
    this.configured = config.secretKey !== undefined;
  }

  async register(request: RegistrationRequest): Promise<RegistrationAnswer> {
    if (!this.configured) return UNCONFIGURED;
    const { methodId, tenantId, customerId, customer } = request;
    const made = await this.post('/v1/customers', `${methodId}-customer`, {
      email: customer.email,
      name: customer.name,
      preferred_locales: [customer.language],
      metadata: { kontor_tenant: tenantId, kontor_customer: customerId },
    });
    if (made.status !== 200) return refused(made);
    const token = request.cardProvider?.['paymentMethodId'];
    const metadata = { kontor_tenant: tenantId, kontor_method: methodId };
    if (typeof token === 'string') {
      const setup = await this.post('/v1/setup_intents', `${methodId}-setup`, {
        customer: made.body.id,
        payment_method: token,
        payment_method_types: ['card'],
        usage: 'off_session',
        confirm: true,
        return_url: request.redirectUrl,
        metadata,
        expand: ['payment_method'],
      });
      return setup.status === 200 ? answerOfSetup(setup.body) : refused(setup);
    }
    const session = await this.post('/v1/checkout/sessions', `${methodId}-session`, {
      mode: 'setup',
      customer: made.body.id,
      payment_method_types: ['card'],
      locale: customer.language,
      success_url: request.redirectUrl,
      cancel_url: request.redirectUrl,
      setup_intent_data: { metadata },
      metadata,
    });
    if (session.status !== 200) return refused(session);
    return { status: 'action_required', referenceId: session.body.id, actionUrl: session.body.url };
  }

  async registration({ referenceId }: RegistrationQuestion): Promise<RegistrationAnswer> {
    if (!this.configured) return UNCONFIGURED;
    if (referenceId?.startsWith('seti_')) {
      const setup = await this.get(`/v1/setup_intents/${encodeURIComponent(referenceId)}`, {
        expand: ['payment_method'],
      });
      return setup.status === 200 ? answerOfSetup(setup.body) : refused(setup);
    }
    const session = await this.get(`/v1/checkout/sessions/${encodeURIComponent(referenceId ?? '')}`, {
      expand: ['setup_intent', 'setup_intent.payment_method'],
    });
    if (session.status !== 200) return refused(session);
    if (session.body.status === 'complete') return answerOfSetup(session.body.setup_intent);
    if (session.body.status === 'expired') return { status: 'failed', referenceId, failReason: 'action_expired' };
    return { status: 'action_required', referenceId, actionUrl: session.body.url };
  }

  async revoke({ referenceId, methodId }: RegistrationQuestion): Promise<void> {
    if (!this.configured || !referenceId?.startsWith('pm_')) return;
    await this.post(`/v1/payment_methods/${encodeURIComponent(referenceId)}/detach`, `${methodId}-detach`, {});
  }

  collect(charges: readonly GatewayCharge[], { tenantId }: GatewayContext): Promise<Map<string, GatewayOutcome>> {
    return askEach(charges, (charge) => this.charge(charge, tenantId));
  }

  private async charge(charge: GatewayCharge, tenantId: string): Promise<GatewayOutcome | undefined> {
    if (!this.configured) return { status: 'declined', reason: 'gateway_unconfigured', final: true };
    if (charge.methodReference === null) return { status: 'declined', reason: 'method_gone', final: true };
    const amount = stripeAmount(charge.amountMinor, charge.currencyCode);
    if (amount === null) return { status: 'declined', reason: 'currency_not_supported', final: true };
    const customer = await this.customerOf(charge.methodReference);
    if (customer === null) return { status: 'declined', reason: 'method_gone', final: true };
    const answer = await this.post('/v1/payment_intents', charge.id, {
      amount,
      currency: charge.currencyCode.toLowerCase(),
      customer,
      payment_method: charge.methodReference,
      payment_method_types: ['card'],
      off_session: true,
      confirm: true,
      metadata: { kontor_tenant: tenantId, kontor_transaction: charge.id },
    });
    return outcomeOfAnswer(answer);
  }

  /** A method that was detached has no customer and cannot be charged any more. */
  private async customerOf(methodReference: string): Promise<string | null> {
    const known = this.customers.get(methodReference);
    if (known !== undefined) return known;
    const answer = await this.get(`/v1/payment_methods/${encodeURIComponent(methodReference)}`, {});
    const customer = answer.status === 200 ? (answer.body.customer as string | null) : null;
    if (customer === null) return null;
    if (this.customers.size > 10_000) this.customers.clear();
    this.customers.set(methodReference, customer);
    return customer;
  }

  lookUp(charges: readonly GatewayCharge[]): Promise<Map<string, GatewayOutcome>> {
    return askEach(charges, async ({ id, reference }) => {
      if (!this.configured) return undefined;
      if (reference) {
        const answer = await this.get(`/v1/payment_intents/${encodeURIComponent(reference)}`, {});
        return answer.status === 200 ? outcomeOfIntent(answer.body) : undefined;
      }
      const answer = await this.get('/v1/payment_intents/search', {
        query: `metadata['kontor_transaction']:'${id}'`,
        limit: 1,
      }).catch(unlessDecided);
      if (answer?.status !== 200) return { status: 'unknown' };
      const [found] = answer.body.data;
      return found === undefined ? undefined : outcomeOfIntent(found);
    });
  }

  /** Confirms with the payer there: a page of the bank is shown by Stripe, which leads back. */
  async payerStep(charge: GatewayCharge): Promise<PayerStep> {
    if (!this.configured || !charge.reference) return { status: 'unknown' };
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.confirmed(charge, charge.reference);
      } catch (error) {
        // Of two clicks a browser shows what the second one is answered: it finds the page that the first one asks for.
        const isAsked = error instanceof ProviderUndecided && error.status === 409;
        if (!isAsked || tries === MAX_CLICK_TRIES) throw error;
        await sleep(CLICK_PAUSE_MS);
      }
    }
  }

  private async confirmed({ id, methodReference, returnUrl }: GatewayCharge, reference: string): Promise<PayerStep> {
    const path = `/v1/payment_intents/${encodeURIComponent(reference)}`;
    const found = await this.get(path, {});
    if (found.status !== 200) return { status: 'unknown' };
    const known = actionUrlOf(found.body);
    if (known !== null) return { actionUrl: known };
    const outcome = outcomeOfIntent(found.body);
    if (outcome.status !== 'action_required') return outcome;
    // One attempt in a minute: a key that is used again gets the answer of then, and a later click may try anew.
    const answer = await this.post(`${path}/confirm`, `${id}-confirm-${Math.floor(Date.now() / 60_000)}`, {
      payment_method: methodReference,
      return_url: returnUrl,
    });
    if (answer.status !== 200) return outcomeOfAnswer(answer);
    const actionUrl = actionUrlOf(answer.body);
    return actionUrl === null ? outcomeOfIntent(answer.body) : { actionUrl };
  }

  async cancel({ id, reference }: GatewayCharge): Promise<boolean> {
    if (!this.configured || !reference) return false;
    const answer = await this.post(`/v1/payment_intents/${encodeURIComponent(reference)}/cancel`, `${id}-cancel`, {
      cancellation_reason: 'abandoned',
    });
    return answer.status === 200;
  }

  refund(refunds: readonly GatewayRefund[], { tenantId }: GatewayContext): Promise<Map<string, RefundOutcome>> {
    return askEach(refunds, async (refund): Promise<RefundOutcome | undefined> => {
      if (!this.configured) return undefined;
      const amount = stripeAmount(refund.amountMinor, refund.currencyCode);
      if (amount === null) return { status: 'declined', reason: 'currency_not_supported' };
      const answer = await this.post('/v1/refunds', refund.id, {
        payment_intent: refund.paymentReference,
        amount,
        metadata: { kontor_tenant: tenantId, kontor_transaction: refund.id },
      });
      if (answer.status !== 200) return { status: 'declined', reason: reasonOf(answer) };
      return outcomeOfRefund(answer.body);
    });
  }

  lookUpRefunds(refunds: readonly GatewayRefund[]): Promise<Map<string, RefundOutcome>> {
    return askEach(refunds, async ({ id, paymentReference, reference }): Promise<RefundOutcome | undefined> => {
      if (reference) {
        const answer = await this.get(`/v1/refunds/${encodeURIComponent(reference)}`, {});
        return answer.status === 200 ? outcomeOfRefund(answer.body) : undefined;
      }
      const answer = await this.get('/v1/refunds', { payment_intent: paymentReference, limit: 100 }).catch(
        unlessDecided,
      );
      if (answer?.status !== 200) return { status: 'unknown' };
      const found = answer.body.data.find(isOf(id));
      if (found !== undefined) return outcomeOfRefund(found);
      return answer.body.has_more ? { status: 'unknown' } : undefined;
    });
  }

  async readCallback(callback: Callback): Promise<GatewayNotice[]> {
    return readCardCallback(callback, this.config.webhookSecret, this.log);
  }

  private get(path: string, query: Readonly<Record<string, unknown>>): Promise<ProviderAnswer> {
    const text = formEncoded(query);
    return this.ask({
      method: 'GET',
      url: `${this.config.apiBase}${path}${text ? `?${text}` : ''}`,
      headers: this.headers(),
    });
  }

  private post(path: string, idempotencyKey: string, body: Readonly<Record<string, unknown>>): Promise<ProviderAnswer> {
    const headers = {
      ...this.headers(),
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': idempotencyKey,
    };
    return this.ask({ method: 'POST', url: `${this.config.apiBase}${path}`, headers, body: formEncoded(body) });
  }

  /** A key that is in use, or was used for another body, says nothing about what became of the first request. */
  private async ask(request: Parameters<typeof askProvider>[0]): Promise<ProviderAnswer> {
    const answer = await askProvider(request);
    if (answer.status === 403 || answer.status === 409 || answer.body.error?.type === 'idempotency_error')
      throw new ProviderUndecided(`answer ${answer.status}`, answer.status);
    return answer;
  }

  private headers(): Record<string, string> {
    return { authorization: `Bearer ${this.config.secretKey ?? ''}`, 'stripe-version': API_VERSION };
  }
}

function unlessDecided(error: unknown): undefined {
  if (!(error instanceof ProviderUndecided)) throw error;
}
