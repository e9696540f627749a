import { exponentOf, isCurrency } from '@kontor/money';
import type { GatewayOutcome, RefundOutcome } from '../../domain/gateways/gateway-outcome.js';
import type { RegistrationAnswer, RegistrationQuestion, RegistrationRequest } from '../port/registering-gateway.js';
import { UNCONFIGURED } from '../port/registering-gateway.js';
import { OnlineWalletCallbacks } from './online-wallet.callbacks.js';
import { captureOf, outcomeOfOrder, outcomeOfRefund } from './online-wallet.outcomes.js';
import type {
  Callback,
  GatewayCharge,
  GatewayContext,
  GatewayNotice,
  GatewayRefund,
  PayerStep,
  PaymentGateway,
} from '../port/payment-gateway.js';
import { askEach, askProvider, type ProviderAnswer, ProviderUndecided } from '../port/provider-http.js';

export interface OnlineWalletConfig {
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  readonly webhookId: string | undefined;
  readonly apiBase: string;
}

/** PayPal accepts these without decimals, whatever ISO 4217 says. */
const WITHOUT_DECIMALS = new Set(['HUF', 'JPY', 'TWD']);
const DAY_MS = 86_400_000;
/** Credentials are renewed a minute before they end. */
const RENEW_BEFORE_MS = 60_000;

/**
 * PayPal: the payer agrees on its page (setup token → payment token), later charges are orders that are captured at
 * once with the stored token.
 * @see https://developer.paypal.com/api/rest/
 */
export class OnlineWalletGateway implements PaymentGateway {
  readonly name = 'online_wallet_provider';
  /**
   * Orders keep their request ids for six hours, but an account refuses a second payment with the same number for good.
   * Refunds keep them for 45 days; a day is left for requests on their way.
   */
  readonly remembersRefundsForMs = 44 * DAY_MS;
  readonly configured: boolean;
  private readonly callbacks: OnlineWalletCallbacks;
  private token: { readonly value: string; readonly endsAt: number } | null = null;

  constructor(private readonly config: OnlineWalletConfig) {
    this.configured = config.clientId !== undefined && config.clientSecret !== undefined;
    this.callbacks = new OnlineWalletCallbacks(config);
  }

  async register({
    tenantId,
    methodId,
    customerId,
    redirectUrl,
    customer,
  }: RegistrationRequest): Promise<RegistrationAnswer> {
    if (!this.configured) return UNCONFIGURED;
    const answer = await this.post('/v3/vault/setup-tokens', `${methodId}-setup`, {
      customer: { merchant_customer_id: customerId },
      payment_source: {
        paypal: {
          usage_type: 'MERCHANT',
          usage_pattern: 'UNSCHEDULED_POSTPAID',
          description: `${tenantId}/${methodId}`,
          experience_context: {
            return_url: redirectUrl,
            cancel_url: redirectUrl,
            shipping_preference: 'NO_SHIPPING',
            locale: customer.language === 'de' ? 'de-DE' : 'en-GB',
          },
        },
      },
    });
    if (answer.status !== 200 && answer.status !== 201) return refused(answer);
    return { status: 'action_required', referenceId: answer.body.id, actionUrl: linkOf(answer.body, 'approve') };
  }

  /** The setup token is exchanged once the payer approved it; the exchange may be repeated. */
  async registration({ methodId, referenceId }: RegistrationQuestion): Promise<RegistrationAnswer> {
    if (!this.configured) return UNCONFIGURED;
    const setup = await this.get(`/v3/vault/setup-tokens/${encodeURIComponent(referenceId ?? '')}`);
    if (setup.status === 404) return { status: 'failed', referenceId, failReason: 'action_expired' };
    if (setup.status !== 200) return refused(setup);
    if (setup.body.status !== 'APPROVED' && setup.body.status !== 'VAULTED')
      return { status: 'action_required', referenceId, actionUrl: linkOf(setup.body, 'approve') };
    const made = await this.post('/v3/vault/payment-tokens', `${methodId}-token`, {
      payment_source: { token: { id: referenceId, type: 'SETUP_TOKEN' } },
    });
    if (made.status !== 200 && made.status !== 201) return refused(made);
    const email = made.body.payment_source?.paypal?.email_address ?? null;
    return {
      status: 'active',
      referenceId: made.body.id,
      onlineWalletProvider: { email, billingAgreementId: made.body.id },
    };
  }

  async revoke({ referenceId }: RegistrationQuestion): Promise<void> {
    if (this.configured && referenceId)
      await this.ask('DELETE', `/v3/vault/payment-tokens/${encodeURIComponent(referenceId)}`);
  }

  collect(charges: readonly GatewayCharge[], { tenantId }: GatewayContext): Promise<Map<string, GatewayOutcome>> {
    return askEach(charges, (charge) => this.charge(charge, tenantId));
  }

  private async charge(charge: GatewayCharge, tenantId: string): Promise<GatewayOutcome | undefined> {
    if (!this.configured) return { status: 'declined', reason: 'gateway_unconfigured', final: true };
    if (!charge.methodReference) return { status: 'declined', reason: 'method_gone', final: true };
    const value = decimalOf(charge.amountMinor, charge.currencyCode);
    if (value === null) return { status: 'declined', reason: 'currency_not_supported', final: true };
    const answer = await this.post('/v2/checkout/orders', charge.id, {
      intent: 'CAPTURE',
      purchase_units: [
        {
          reference_id: 'default',
          custom_id: `${tenantId}/${charge.id}`,
          // An account refuses a second payment with the same number, whatever became of the first.
          invoice_id: charge.id,
          amount: { currency_code: charge.currencyCode, value },
        },
      ],
      payment_source: {
        paypal: {
          vault_id: charge.methodReference,
          ...(charge.returnUrl && {
            experience_context: { return_url: charge.returnUrl, cancel_url: charge.returnUrl },
          }),
        },
      },
    });
    if (answer.status === 200 || answer.status === 201) return this.outcomeOf(answer.body, charge.id);
    const issue = issueOf(answer);
    if (issue === 'DUPLICATE_INVOICE_ID') return undefined;
    if (issue === 'PAYER_ACTION_REQUIRED' || issue === 'PAYER_ACCOUNT_RESTRICTED')
      return { status: 'declined', reason: issue, final: true };
    return { status: 'declined', reason: issue, ...(FINAL_ISSUES.has(issue) && { final: true }) };
  }

  async payerStep({ id, reference }: GatewayCharge): Promise<PayerStep> {
    const order = await this.orderOf(reference);
    const actionUrl = order && (linkOf(order, 'payer-action') ?? linkOf(order, 'approve'));
    return order?.status === 'PAYER_ACTION_REQUIRED' && actionUrl ? { actionUrl } : this.outcomeOf(order, id);
  }

  async finishStep({ id, reference }: GatewayCharge): Promise<GatewayOutcome> {
    return this.outcomeOf(await this.orderOf(reference), id);
  }

  /** What was approved is captured, whoever finds it; asking twice captures once. */
  private async outcomeOf(order: Order | null, chargeId: string): Promise<GatewayOutcome> {
    if (order === null) return { status: 'unknown' };
    if (order.status !== 'APPROVED') return outcomeOfOrder(order);
    const captured = await this.post(
      `/v2/checkout/orders/${encodeURIComponent(order.id)}/capture`,
      `${chargeId}-capture`,
      {},
    );
    if (captured.status === 200 || captured.status === 201) return outcomeOfOrder(captured.body);
    return { status: 'declined', reason: issueOf(captured) };
  }

  /** One that was not approved in time is gone there. */
  private async orderOf(reference: string | null | undefined): Promise<Order | null> {
    if (!this.configured || !reference) return null;
    const answer = await this.get(`/v2/checkout/orders/${encodeURIComponent(reference)}`);
    if (answer.status === 404 && answer.body.name === 'RESOURCE_NOT_FOUND') return { id: reference, status: 'VOIDED' };
    return answer.status === 200 ? answer.body : null;
  }

  /** Captures of an order that is known; an order of which no answer came is reported by call-backs alone. */
  lookUp(charges: readonly GatewayCharge[]): Promise<Map<string, GatewayOutcome>> {
    return askEach(charges, async ({ reference }): Promise<GatewayOutcome | undefined> => {
      if (!this.configured || !reference) return undefined;
      const answer = await this.get(`/v2/payments/captures/${encodeURIComponent(reference)}`);
      return answer.status === 200 ? captureOf(answer.body) : undefined;
    });
  }

  refund(refunds: readonly GatewayRefund[], { tenantId }: GatewayContext): Promise<Map<string, RefundOutcome>> {
    return askEach(refunds, async (refund): Promise<RefundOutcome | undefined> => {
      if (!this.configured) return undefined;
      const value = decimalOf(refund.amountMinor, refund.currencyCode);
      if (value === null) return { status: 'declined', reason: 'currency_not_supported' };
      const answer = await this.post(
        `/v2/payments/captures/${encodeURIComponent(refund.paymentReference)}/refund`,
        refund.id,
        {
          amount: { currency_code: refund.currencyCode, value },
          custom_id: `${tenantId}/${refund.id}`,
        },
      );
      if (answer.status === 200 || answer.status === 201) return outcomeOfRefund(answer.body);
      return { status: 'declined', reason: issueOf(answer) };
    });
  }

  /** It has no search by our id. */
  lookUpRefunds(refunds: readonly GatewayRefund[]): Promise<Map<string, RefundOutcome>> {
    return askEach(refunds, async ({ reference }): Promise<RefundOutcome | undefined> => {
      if (!this.configured || !reference) return { status: 'unknown' };
      const answer = await this.get(`/v2/payments/refunds/${encodeURIComponent(reference)}`);
      return answer.status === 200 ? outcomeOfRefund(answer.body) : undefined;
    });
  }

  readCallback(callback: Callback): Promise<GatewayNotice[]> {
    return this.callbacks.read(callback);
  }

  private get(path: string): Promise<ProviderAnswer> {
    return this.ask('GET', path);
  }

  private post(path: string, requestId: string, body: unknown): Promise<ProviderAnswer> {
    return this.ask(
      'POST',
      path,
      { 'paypal-request-id': requestId, prefer: 'return=representation' },
      JSON.stringify(body),
    );
  }

  private async ask(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<ProviderAnswer> {
    const token = await this.accessToken();
    const answer = await askProvider({
      method,
      url: `${this.config.apiBase}${path}`,
      headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    }).catch((error: unknown) => {
      // It ended before its time: the next request asks for another.
      if (error instanceof ProviderUndecided && error.status === 401 && this.token?.value === token) this.token = null;
      throw error;
    });
    // Not permitted, or a request with this id is running: nothing is known about the money.
    if (answer.status === 403 || answer.status === 409) throw new ProviderUndecided(`answer ${answer.status}`);
    return answer;
  }

  private async accessToken(): Promise<string> {
    if (this.token && Date.now() < this.token.endsAt) return this.token.value;
    const { clientId, clientSecret, apiBase } = this.config;
    const answer = await askProvider({
      method: 'POST',
      url: `${apiBase}/v1/oauth2/token`,
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    if (answer.status !== 200) throw new ProviderUndecided(`answer ${answer.status} to the credentials`);
    this.token = {
      value: answer.body.access_token,
      endsAt: Date.now() + answer.body.expires_in * 1000 - RENEW_BEFORE_MS,
    };
    return this.token.value;
  }
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the provider's object, of which a few fields are read
type Order = { readonly id: string; readonly status: string; readonly [field: string]: any };

/** Issues after which the stored token will not pay again. */
const FINAL_ISSUES = new Set([
  'TOKEN_ID_NOT_FOUND',
  'TOKEN_EXPIRED',
  'INVALID_RESOURCE_ID',
  'RESOURCE_NOT_FOUND',
  'AGREEMENT_ALREADY_CANCELLED',
  'BILLING_AGREEMENT_NOT_FOUND',
  'PAYER_ACCOUNT_LOCKED_OR_CLOSED',
  'CURRENCY_NOT_SUPPORTED',
  'CURRENCY_NOT_SUPPORTED_FOR_COUNTRY',
  'PERMISSION_DENIED',
  'INVALID_CURRENCY_CODE',
]);

/** Major units as PayPal writes them; null where the currency cannot carry the amount there. */
function decimalOf(amountMinor: bigint, currencyCode: string): string | null {
  if (!isCurrency(currencyCode)) return null;
  const exponent = exponentOf(currencyCode);
  if (exponent > 2) return null;
  const scale = 10n ** BigInt(exponent);
  if (WITHOUT_DECIMALS.has(currencyCode)) return amountMinor % scale === 0n ? (amountMinor / scale).toString() : null;
  if (exponent === 0) return amountMinor.toString();
  return `${amountMinor / scale}.${(amountMinor % scale).toString().padStart(exponent, '0')}`;
}

/* eslint-disable @typescript-eslint/no-explicit-any -- the provider's objects, of which a few fields are read */
const linkOf = (object: any, rel: string): string | null =>
  object.links?.find((link: any) => link.rel === rel)?.href ?? null;
const issueOf = ({ body }: ProviderAnswer): string => body.details?.[0]?.issue ?? body.name ?? 'refused';
const refused = (answer: ProviderAnswer): RegistrationAnswer => ({
  status: 'failed',
  referenceId: null,
  failReason: issueOf(answer),
});
