import type { AcceptSaleRequest, AcceptSaleResponse, Principal, SaleQuote } from '@kontor/contracts';
import { Caller, IdParam, Internal } from '@kontor/service-kit';
import { Body, Get, HttpCode, Post } from '@nestjs/common';
import { AcceptSale } from './accept-sale.js';
import { QuoteSubscription } from './quote-subscription.js';

/** For offers: what is sold there begins here. */
@Internal('sales')
export class SalesInternal {
  constructor(
    private readonly quote: QuoteSubscription,
    private readonly accept: AcceptSale,
  ) {}

  @Get('quotes/:id')
  quoteOf(@Caller() caller: Principal, @IdParam() id: string): Promise<SaleQuote> {
    return this.quote.execute(caller.tenantId, id);
  }

  @Post(':id/acceptance')
  @HttpCode(200)
  acceptance(@Caller() caller: Principal, @IdParam() id: string, @Body() body: unknown): Promise<AcceptSaleResponse> {
    return this.accept.execute(caller.tenantId, id, body as AcceptSaleRequest);
  }
}
