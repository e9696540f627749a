import type { CheckoutMethodsResponse, Principal, StoredMethodsResponse } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, Internal, type PageLanguage } from '@kontor/service-kit';
import { DomainError } from '@kontor/kernel';
import { Body, Get, Post, Query } from '@nestjs/common';
import { type GatewayName, movesCurrency } from '../domain/payment-methods/payment-method.js';
import type { MandateConsent } from '../domain/payment-methods/sepa-mandate.js';
import { CreatePaymentMethod } from '../payment-methods/create-payment-method.js';
import { CheckoutMethodDto } from '../payment-methods/payment-method.dto.js';
import { methods } from '../payment-methods/payment-method.row.js';
import { representMethod } from '../payment-methods/represent-method.js';
import { OpenLink } from './open-link.js';
import { LINK_TEXTS } from './texts.js';

/** For offers: how a buyer can pay, and how one does. */
@Internal('checkout-methods')
export class CheckoutMethodsInternal {
  constructor(
    private readonly database: Database,
    private readonly tenants: OpenLink,
    private readonly create: CreatePaymentMethod,
  ) {}

  @Get()
  async offered(
    @Caller() caller: Principal,
    @Query('currency') currency: string | undefined,
  ): Promise<CheckoutMethodsResponse> {
    const { offered, seller, noticeDays } = await this.tenants.ofTenant(caller.tenantId, currency ?? null);
    const textsOf = (language: PageLanguage) => {
      const { mandateTitle, mandateText, consent } = LINK_TEXTS[language];
      return { title: mandateTitle, paragraphs: [...mandateText(seller.name, noticeDays)], consent };
    };
    return {
      gateways: [...offered],
      mandate: offered.includes('sepa_debit')
        ? {
            creditorLines: [seller.name, ...seller.addressLines].filter((line) => line !== ''),
            creditorIdentifier: seller.creditorIdentifier ?? '',
            texts: { de: textsOf('de'), en: textsOf('en') },
          }
        : null,
    };
  }

  /**
   * The way to pay that a buyer chose. Repeated by its Idempotency-Key. Whoever buys is a stranger: what is not offered is not accepted, and
   * neither is a mandate at the provider, which may be anybody's.
   * @throws DomainError `payment_method_refused`, and what a tenant's own request refuses
   */
  @Post()
  async add(
    @Caller() caller: Principal,
    @Body() { mandateConsent, ...dto }: CheckoutMethodDto,
    @Query('currency') currency: string | undefined,
  ) {
    if (dto.debitProvider) throw refused('A mandate that exists cannot be named here.');
    const { offered } = await this.tenants.ofTenant(caller.tenantId, currency ?? null, [dto.gateway]);
    if (!offered.some((name) => name === dto.gateway)) throw refused(`${dto.gateway} is not offered here.`);
    const consent = mandateConsent as MandateConsent | null | undefined;
    return this.create.execute(caller.tenantId, dto, { source: 'checkout', ...(consent && { consent }) });
  }

  @Get('customers/:id')
  async stored(
    @Caller() caller: Principal,
    @IdParam() id: string,
    @Query('currency') currency: string | undefined,
  ): Promise<StoredMethodsResponse> {
    const rows = await this.database.tenant(
      caller.tenantId,
      (tx) =>
        methods.where(
          tx,
          `customer_id = $2 AND status = 'active' AND enabled AND future_usage_allowed AND deleted_at IS NULL
             AND gateway_name <> 'wallet' ORDER BY is_default DESC, id LIMIT 50`,
          [id],
        ),
      { readOnly: true },
    );
    const data = rows
      .filter(({ gatewayName }) => currency === undefined || movesCurrency(gatewayName as GatewayName, currency))
      .map(representMethod)
      .map(({ id: methodId, gatewayName, type, name, data: lines, default: byDefault }) => ({
        id: methodId,
        gatewayName,
        type,
        name,
        data: lines,
        default: byDefault,
      }));
    return { data };
  }
}

const refused = (why: string): DomainError =>
  new DomainError('payment_method_refused', { detail: `The way to pay cannot be used: ${why}` });
