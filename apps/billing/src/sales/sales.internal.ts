import type {
  AcceptSaleRequest,
  AcceptSaleResponse,
  CancelByNoticeRequest,
  CancelByNoticeResponse,
  OfferedSale,
  OfferTerms,
  OnSaleRequest,
  OnSaleResponse,
  PreviewedSale,
  Principal,
  QuoteOfferRequest,
  SaleQuote,
  SaleRequest,
  SaleResponse,
} from '@kontor/contracts';
import { Caller, IdParam, Internal } from '@kontor/service-kit';
import { notFound } from '@kontor/kernel';
import { Body, HttpCode, Param, Post } from '@nestjs/common';
import { CancelByNotice } from './cancel-by-notice.js';
import { CreateSale } from './create-sale.js';
import { AcceptSale } from './accept-sale.js';
import { ReadOnSale } from './read-on-sale.js';
import { OfferSale } from './offer-sale.js';

/** For offers: what is sold there begins here. */
@Internal('sales')
export class SalesInternal {
  constructor(
    private readonly offers: OfferSale,
    private readonly accept: AcceptSale,
    private readonly sale: CreateSale,
    private readonly notices: CancelByNotice,
    private readonly onSale: ReadOnSale,
  ) {}

  @Post('offers/quotes')
  @HttpCode(200)
  quoteOffer(@Caller() caller: Principal, @Body() body: unknown): Promise<SaleQuote> {
    return this.offers.quote(caller.tenantId, body as QuoteOfferRequest);
  }

  @Post('offers/previews')
  @HttpCode(200)
  previewOffer(@Caller() caller: Principal, @Body() body: unknown): Promise<PreviewedSale> {
    const { terms, pricePlans } = body as { terms: OfferTerms; pricePlans: string[] };
    return this.offers.preview(caller.tenantId, terms, pricePlans);
  }

  @Post(':id/offer')
  @HttpCode(200)
  offer(@Caller() caller: Principal, @Param('id') id: string, @Body() body: unknown): Promise<OfferedSale> {
    const { terms, pricePlans } = body as { terms: OfferTerms; pricePlans: string[] };
    return this.offers.offer(caller.tenantId, offerId(id), terms, pricePlans);
  }

  @Post(':id/withdrawal')
  @HttpCode(204)
  withdraw(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    return this.offers.withdraw(caller.tenantId, offerId(id));
  }

  @Post('quotes')
  @HttpCode(200)
  quoteSale(@Caller() caller: Principal, @Body() body: unknown): Promise<SaleQuote> {
    return this.sale.quote(caller.tenantId, body as SaleRequest);
  }

  @Post('on-sale')
  @HttpCode(200)
  async sold(@Caller() caller: Principal, @Body() body: unknown): Promise<OnSaleResponse> {
    return { data: await this.onSale.execute(caller.tenantId, body as OnSaleRequest) };
  }

  @Post('cancellation-notices')
  @HttpCode(200)
  cancel(@Caller() caller: Principal, @Body() body: unknown): Promise<CancelByNoticeResponse> {
    return this.notices.execute(caller.tenantId, body as CancelByNoticeRequest);
  }

  @Post(':id/customer')
  @HttpCode(200)
  customer(@Caller() caller: Principal, @IdParam() id: string, @Body() body: unknown): Promise<SaleResponse> {
    return this.sale.customer(caller.tenantId, id, body as SaleRequest);
  }

  @Post(':id')
  @HttpCode(200)
  sell(@Caller() caller: Principal, @IdParam() id: string, @Body() body: unknown): Promise<SaleResponse> {
    return this.sale.sell(caller.tenantId, id, body as SaleRequest);
  }

  @Post(':id/acceptance')
  @HttpCode(200)
  acceptance(@Caller() caller: Principal, @Param('id') id: string, @Body() body: unknown): Promise<AcceptSaleResponse> {
    return this.accept.execute(caller.tenantId, offerId(id), body as AcceptSaleRequest);
  }
}

/** A ULID in its UUID form has no version. @throws DomainError `not_found` */
function offerId(id: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw notFound('The sale');
  return id;
}
