import type { CheckoutMethodsResponse, Principal, StoredMethodsResponse } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, Internal, type PageLanguage } from '@kontor/service-kit';
import { Get } from '@nestjs/common';
import { methods } from '../payment-methods/payment-method.row.js';
import { representMethod } from '../payment-methods/represent-method.js';
import { OpenLink } from './open-link.js';
import { LINK_TEXTS } from './texts.js';

/** For offers: how a buyer can pay. */
@Internal('checkout-methods')
export class CheckoutMethodsInternal {
  constructor(
    private readonly database: Database,
    private readonly tenants: OpenLink,
  ) {}

  @Get()
  async offered(@Caller() caller: Principal): Promise<CheckoutMethodsResponse> {
    const { offered, seller, noticeDays } = await this.tenants.ofTenant(caller.tenantId);
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

  @Get('customers/:id')
  async stored(@Caller() caller: Principal, @IdParam() id: string): Promise<StoredMethodsResponse> {
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
