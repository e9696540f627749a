import type {
  AcceptSaleRequest,
  AcceptSaleResponse,
  CancelByNoticeRequest,
  CancelByNoticeResponse,
  Principal,
  SaleQuote,
  SaleRequest,
  SaleResponse,
} from '@kontor/contracts';
import { Caller, IdParam, Internal } from '@kontor/service-kit';
import { notFound } from '@kontor/kernel';
import { Body, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CancelByNotice } from './cancel-by-notice.js';
import { CreateSale } from './create-sale.js';
import { AcceptSale } from './accept-sale.js';
import { QuoteSubscription } from './quote-subscription.js';

/** For offers: what is sold there begins here. */
@Internal('sales')
export class SalesInternal {
  constructor(
    private readonly quote: QuoteSubscription,
    private readonly accept: AcceptSale,
    private readonly sale: CreateSale,
    private readonly notices: CancelByNotice,
  ) {}

  @Get('quotes/:id')
  quoteOf(@Caller() caller: Principal, @IdParam() id: string): Promise<SaleQuote> {
    return this.quote.execute(caller.tenantId, id);
  }

  @Post('quotes')
  @HttpCode(200)
  quoteSale(@Caller() caller: Principal, @Body() body: unknown): Promise<SaleQuote> {
    return this.sale.quote(caller.tenantId, body as SaleRequest);
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
    // A ULID in its UUID form has no version.
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw notFound('The sale');
    return this.accept.execute(caller.tenantId, id, body as AcceptSaleRequest);
  }
}
