import { Body, Controller, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { invoiceSchema } from '../invoices/invoice.schema.js';
import { AddPayment } from './add-payment.js';
import { AddPaymentDto } from './payment.dto.js';

@Controller('invoices/:id/payments')
export class PaymentController {
  constructor(private readonly addPayment: AddPayment) {}

  @Post()
  @Operation({
    id: 'addInvoicePayment',
    summary: 'Record a payment that was received',
    tag: 'Invoices',
    permission: 'transaction:write',
    success: 201,
    response: invoiceSchema,
    errors: {
      409: 'An earlier payment on this document has no known outcome yet',
      503: 'Payments could not be reached, or did not answer',
    },
  })
  add(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: AddPaymentDto) {
    return this.addPayment.execute(caller.tenantId, id, {
      paymentMethod: dto.paymentMethod,
      description: dto.description,
      amount: dto.amount ?? null,
      currencyCode: dto.currencyCode ?? null,
      feeAmount: dto.feeAmount ?? null,
      paymentDate: dto.paymentDate ? new Date(dto.paymentDate) : null,
    });
  }
}
