import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, Internal } from '@kontor/service-kit';
import { Body, HttpCode, Post } from '@nestjs/common';
import { CreatePaymentMethod } from './create-payment-method.js';
import { MakeDefault } from './make-default.js';
import type { MandateConsent } from '../domain/payment-methods/sepa-mandate.js';
import { CheckoutMethodDto, MakeDefaultDto } from './payment-method.dto.js';

/** For billing: `PATCH /customers/{id}/payment-method`, as the default flag is owned here; and for carts. */
@Internal('payment-methods')
export class PaymentMethodsInternal {
  constructor(
    private readonly makeDefault: MakeDefault,
    private readonly create: CreatePaymentMethod,
  ) {}

  /** For offers: the way to pay that a buyer chose. Repeated by its Idempotency-Key. */
  @Post()
  add(@Caller() caller: Principal, @Body() { mandateConsent, ...dto }: CheckoutMethodDto) {
    const consent = mandateConsent as MandateConsent | null | undefined;
    return this.create.execute(caller.tenantId, dto, { source: 'checkout', ...(consent && { consent }) });
  }

  /** `customerId`: whose method it has to be. Answers `{ paymentMethod, version }`. */
  @Post(':id/default')
  @HttpCode(200)
  setDefault(@Caller() caller: Principal, @IdParam('id') id: string, @Body() dto: MakeDefaultDto) {
    return this.makeDefault.execute(caller.tenantId, id, dto.customerId ?? null);
  }
}
