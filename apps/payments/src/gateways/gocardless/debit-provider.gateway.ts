import type { Log } from '@kontor/service-kit';
import type { GatewayOutcome, RefundOutcome } from '../../domain/gateways/gateway-outcome.js';
import type { RegistrationAnswer, RegistrationQuestion, RegistrationRequest } from '../port/registering-gateway.js';
import { UNCONFIGURED } from '../port/registering-gateway.js';
import {
  type Callback,
  type GatewayCharge,
  type GatewayContext,
  type GatewayNotice,
  type GatewayRefund,
  type PaymentGateway,
} from '../port/payment-gateway.js';
import { readDebitCallback } from './debit-provider.callbacks.js';
import { outcomeOfPayment, outcomeOfRefund } from './debit-provider.outcomes.js';
import { askEach, askProvider, formEncoded, type ProviderAnswer, ProviderUndecided } from '../port/provider-http.js';

export interface DebitProviderConfig {
  readonly accessToken: string | undefined;
  readonly webhookSecret: string | undefined;
  readonly apiBase: string;
}

/** Which scheme debits accounts in which currency. */
const SCHEMES: Readonly<Record<string, string>> = {
  EUR: 'sepa_core',
  GBP: 'bacs',
  USD: 'ach',
  SEK: 'autogiro',
  DKK: 'betalingsservice',
  AUD: 'becs',
  CAD: 'pad',
  NZD: 'becs_nz',
};
const CURRENCY_OF_COUNTRY: Readonly<Record<string, string>> = {
  GB: 'GBP',
  US: 'USD',
  SE: 'SEK',
  DK: 'DKK',
  AU: 'AUD',
  CA: 'CAD',
  NZ: 'NZD',
};
/** States in which nothing can be collected; `consumed`: it was for one payment only. */
const UNUSABLE_MANDATES = new Set(['failed', 'cancelled', 'expired', 'consumed', 'blocked', 'suspended_by_payer']);
/** Languages of its pages. */
const LANGUAGES = new Set(['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'da', 'nb', 'sl', 'sv']);

/* eslint-disable @typescript-eslint/no-explicit-any -- the provider's objects, of which a few fields are read */

/**
 * Direct debits by GoCardless: the payer agrees on its page (a billing request flow), payments take days and are
 * reported by call-backs, and can come back later.
 * @see https://developer.gocardless.com/api-reference
 */
export class DebitProviderGateway implements PaymentGateway {
  readonly name = 'debit_provider';
  readonly configured: boolean;

  constructor(
    private readonly config: DebitProviderConfig,
    private readonly log: Pick<Log, 'warn'>,
  ) {
    this.configured = config.accessToken !== undefined;
  }

  async register({
    tenantId,
    methodId,
    customer,
    debitProvider,
    redirectUrl,
  }: RegistrationRequest): Promise<RegistrationAnswer> {
    if (!this.configured) return UNCONFIGURED;
    const mandate = debitProvider?.['mandateId'];
    if (typeof mandate === 'string') return this.mandateAnswer(mandate);
    const currency = CURRENCY_OF_COUNTRY[customer.countryCode] ?? 'EUR';
    const metadata = { kontor_tenant: tenantId, kontor_method: methodId };
    const request = await this.post('/billing_requests', `${methodId}-request`, {
      billing_requests: { mandate_request: { currency, scheme: SCHEMES[currency] }, metadata },
    });
    const created = await this.created(request, 'billing_requests', '/billing_requests');
    if (!created) return refused(request);
    const flow = await this.post('/billing_request_flows', `${methodId}-flow`, {
      billing_request_flows: {
        redirect_uri: redirectUrl,
        exit_uri: redirectUrl,
        prefilled_customer: { email: customer.email, country_code: customer.countryCode, ...namesOf(customer.name) },
        ...(LANGUAGES.has(customer.language) && { language: customer.language }),
        links: { billing_request: created.id },
      },
    });
    if (flow.status !== 201) return refused(flow);
    return {
      status: 'action_required',
      referenceId: created.id,
      actionUrl: flow.body.billing_request_flows.authorisation_url,
    };
  }

  async registration({ referenceId }: RegistrationQuestion): Promise<RegistrationAnswer> {
    if (!this.configured) return UNCONFIGURED;
    if (referenceId?.startsWith('MD')) return this.mandateAnswer(referenceId);
    const answer = await this.get(`/billing_requests/${encodeURIComponent(referenceId ?? '')}`);
    if (answer.status !== 200) return refused(answer);
    const request = answer.body.billing_requests;
    const mandate = request.mandate_request?.links?.mandate;
    if (request.status === 'fulfilled' && mandate) return this.mandateAnswer(mandate);
    if (request.status === 'cancelled') return { status: 'failed', referenceId, failReason: 'action_cancelled' };
    return { status: 'action_required', referenceId };
  }

  private async mandateAnswer(id: string): Promise<RegistrationAnswer> {
    const answer = await this.get(`/mandates/${encodeURIComponent(id)}`);
    if (answer.status !== 200) return refused(answer);
    const mandate = answer.body.mandates;
    if (UNUSABLE_MANDATES.has(mandate.status))
      return { status: 'failed', referenceId: id, failReason: `mandate_${mandate.status}` };
    const account = await this.get(
      `/customer_bank_accounts/${encodeURIComponent(mandate.links.customer_bank_account)}`,
    );
    const details = account.status === 200 ? account.body.customer_bank_accounts : null;
    const iban = details ? `${details.country_code}••••${details.account_number_ending}` : null;
    const sepaDebit = {
      iban,
      bic: null,
      mandateReference: mandate.reference ?? null,
      signingDate: mandate.created_at?.slice(0, 10) ?? null,
    };
    const waits = mandate.status === 'pending_customer_approval';
    return { status: waits ? 'action_required' : 'active', referenceId: id, sepaDebit };
  }

  async revoke({ methodId, referenceId }: RegistrationQuestion): Promise<void> {
    if (this.configured && referenceId?.startsWith('MD'))
      await this.post(`/mandates/${encodeURIComponent(referenceId)}/actions/cancel`, `${methodId}-cancel`, {});
  }

  collect(charges: readonly GatewayCharge[], { tenantId }: GatewayContext): Promise<Map<string, GatewayOutcome>> {
    return askEach(charges, async (charge): Promise<GatewayOutcome | undefined> => {
      if (!this.configured) return { status: 'declined', reason: 'gateway_unconfigured', final: true };
      if (!charge.methodReference) return { status: 'declined', reason: 'method_gone', final: true };
      const pay = (mandate: string): Promise<ProviderAnswer> =>
        this.post('/payments', charge.id, {
          payments: {
            amount: Number(charge.amountMinor),
            currency: charge.currencyCode,
            links: { mandate },
            metadata: { kontor_tenant: tenantId, kontor_transaction: charge.id },
            retry_if_possible: false,
          },
        });
      const first = await pay(charge.methodReference);
      const replacement = replacementIn(first);
      const answer = replacement === null ? first : await pay(replacement);
      const payment = await this.created(answer, 'payments', '/payments');
      return payment ? outcomeOfPayment(payment) : { status: 'declined', reason: reasonOf(answer), final: true };
    });
  }

  /**
   * A charge of which no answer is known is asked for again: its key is known for good, and the answer names the
   * payment.
   */
  lookUp(charges: readonly GatewayCharge[]): Promise<Map<string, GatewayOutcome>> {
    return askEach(charges, async ({ reference }): Promise<GatewayOutcome | undefined> => {
      if (!this.configured || !reference) return undefined;
      const answer = await this.get(`/payments/${encodeURIComponent(reference)}`);
      if (answer.status !== 200) return undefined;
      const payment = answer.body.payments;
      if (payment.status !== 'failed' && payment.status !== 'charged_back') return outcomeOfPayment(payment);
      const events = await this.get(`/events?${formEncoded({ payment: reference, action: payment.status, limit: 1 })}`);
      const details = events.status === 200 ? events.body.events?.[0]?.details : undefined;
      return { status: 'declined', reason: details?.reason_code ?? details?.cause ?? payment.status, reference };
    });
  }

  async cancel({ id, reference }: GatewayCharge): Promise<boolean> {
    if (!this.configured || !reference) return false;
    return (
      (await this.post(`/payments/${encodeURIComponent(reference)}/actions/cancel`, `${id}-cancel`, {})).status === 200
    );
  }

  refund(refunds: readonly GatewayRefund[], { tenantId }: GatewayContext): Promise<Map<string, RefundOutcome>> {
    return askEach(refunds, async (refund): Promise<RefundOutcome | undefined> => {
      // It refuses a refund whose total is another than its own: whether the earlier one counts is known when that has its answer.
      if (!this.configured || refund.isTotalUnsure) return undefined;
      const answer = await this.post('/refunds', refund.id, {
        refunds: {
          amount: Number(refund.amountMinor),
          total_amount_confirmation: Number(refund.totalRefundedMinor),
          links: { payment: refund.paymentReference },
          metadata: { kontor_tenant: tenantId, kontor_transaction: refund.id },
        },
      });
      const made = await this.created(answer, 'refunds', '/refunds');
      return made ? outcomeOfRefund(made) : { status: 'declined', reason: reasonOf(answer) };
    });
  }

  /** As {@link lookUp}. */
  lookUpRefunds(refunds: readonly GatewayRefund[]): Promise<Map<string, RefundOutcome>> {
    return askEach(refunds, async ({ reference }): Promise<RefundOutcome | undefined> => {
      if (!this.configured || !reference) return undefined;
      const answer = await this.get(`/refunds/${encodeURIComponent(reference)}`);
      return answer.status === 200 ? outcomeOfRefund(answer.body.refunds) : undefined;
    });
  }

  async readCallback(callback: Callback): Promise<GatewayNotice[]> {
    return readDebitCallback(callback, this.config.webhookSecret, this.log);
  }

  /** What was made now, or earlier under the same key; null when it was refused. */
  private async created(answer: ProviderAnswer, envelope: string, path: string): Promise<any> {
    if (answer.status === 200 || answer.status === 201) return answer.body[envelope];
    const conflict = errorsOf(answer).find((error) => error.reason === 'idempotent_creation_conflict');
    if (!conflict) {
      if (answer.status === 409) throw new ProviderUndecided('a request with this key is running');
      return null;
    }
    const earlier = await this.get(`${path}/${encodeURIComponent(conflict.links?.conflicting_resource_id ?? '')}`);
    if (earlier.status !== 200) throw new ProviderUndecided(`answer ${earlier.status}`);
    return earlier.body[envelope];
  }

  private get(path: string): Promise<ProviderAnswer> {
    return this.ask({ method: 'GET', url: `${this.config.apiBase}${path}`, headers: this.headers() });
  }

  private post(path: string, idempotencyKey: string, body: unknown): Promise<ProviderAnswer> {
    const headers = { ...this.headers(), 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
    return this.ask({ method: 'POST', url: `${this.config.apiBase}${path}`, headers, body: JSON.stringify(body) });
  }

  /** What the token may not do says nothing about the money. */
  private async ask(request: Parameters<typeof askProvider>[0]): Promise<ProviderAnswer> {
    const answer = await askProvider(request);
    if (answer.status === 403) throw new ProviderUndecided('answer 403');
    return answer;
  }

  private headers(): Record<string, string> {
    return {
      authorization: `Bearer ${this.config.accessToken ?? ''}`,
      'gocardless-version': '2015-07-06',
      accept: 'application/json',
    };
  }
}

const errorsOf = ({ body }: ProviderAnswer): any[] => body.error?.errors ?? [];
/** The mandate that took the place of the one that was named: the creditor's bank changed, or the payer's. */
const replacementIn = (answer: ProviderAnswer): string | null =>
  errorsOf(answer).find(({ reason }) => reason === 'mandate_replaced')?.links?.new_mandate ?? null;
const reasonOf = (answer: ProviderAnswer): string =>
  errorsOf(answer)[0]?.reason ?? answer.body.error?.type ?? 'refused';
const refused = (answer: ProviderAnswer): RegistrationAnswer => ({
  status: 'failed',
  referenceId: null,
  failReason: reasonOf(answer),
});

function namesOf(name: string | null): Record<string, string> {
  const words = name?.trim().split(/\s+/) ?? [];
  if (words.length === 0) return {};
  return words.length === 1
    ? { company_name: words[0]! }
    : { given_name: words.slice(0, -1).join(' '), family_name: words.at(-1)! };
}
