import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, Internal } from '@kontor/service-kit';
import { Body, HttpCode, Post } from '@nestjs/common';
import { MakeDefault } from './make-default.js';
import { MakeDefaultDto } from './payment-method.dto.js';

/** For billing: `PATCH /customers/{id}/payment-method`, as the default flag is owned here. */
@Internal('payment-methods')
export class PaymentMethodsInternal {
  constructor(private readonly makeDefault: MakeDefault) {}

  /** `customerId`: whose method it has to be. Answers `{ paymentMethod, version }`. */
  @Post(':id/default')
  @HttpCode(200)
  setDefault(@Caller() caller: Principal, @IdParam('id') id: string, @Body() dto: MakeDefaultDto) {
    return this.makeDefault.execute(caller.tenantId, id, dto.customerId ?? null);
  }
}
