import type { Principal } from '@kontor/contracts';
import { Caller, Operation } from '@kontor/service-kit';
import { Body, Controller, Post } from '@nestjs/common';
import { CreateMethodLink } from './create-method-link.js';
import { CreateMethodLinkDto, METHOD_LINK_SCHEMA } from './link.dto.js';

@Controller('payment-methods')
export class PaymentLinksController {
  constructor(private readonly createLink: CreateMethodLink) {}

  @Post('link')
  @Operation({
    id: 'createPaymentMethodLink',
    summary: 'Make a link with which a customer adds a payment method',
    description:
      'The page is for this customer only, for one method, and for seven days. Afterwards the customer is sent to ' +
      '`redirectUrl` with `status` (`success`, `pending` or `failed`) and `paymentMethodId`, else sees a page ' +
      'that says so.',
    tag: 'Payment methods',
    permission: 'payment-method:add',
    response: METHOD_LINK_SCHEMA,
    shownOnce: ['link'],
  })
  link(@Caller() caller: Principal, @Body() dto: CreateMethodLinkDto) {
    return this.createLink.execute(caller.tenantId, dto);
  }
}
