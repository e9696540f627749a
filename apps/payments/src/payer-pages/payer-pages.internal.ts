import type { PayerStepRequest, PayerStepResponse, Principal } from '@kontor/contracts';
import { isUuid, validationFailed } from '@kontor/kernel';
import { Caller, Internal } from '@kontor/service-kit';
import { Body, HttpCode, Post } from '@nestjs/common';
import { OpenPayerPage } from './open-payer-page.js';

/** For offers: whether the buyer of a cart has something to do for its payment. */
@Internal('payer-pages')
export class PayerPagesInternal {
  constructor(private readonly openPage: OpenPayerPage) {}

  @Post()
  @HttpCode(200)
  async find(@Caller() caller: Principal, @Body() body: PayerStepRequest): Promise<PayerStepResponse> {
    if (!isUuid(body.invoiceId)) throw validationFailed('invoiceId', 'invoiceId must be a UUID.', 'invalid_uuid');
    const found = await this.openPage.ofInvoice(caller.tenantId, body.invoiceId, body.redirectUrl);
    return found ?? { state: 'unknown', link: null };
  }
}
