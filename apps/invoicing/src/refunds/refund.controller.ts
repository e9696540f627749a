import { Body, Controller, Post } from '@nestjs/common';
import { exampleId, type Principal } from '@kontor/contracts';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { CREDIT_EXAMPLE } from '../invoices/invoice.example.js';
import { invoiceSchema } from '../invoices/invoice.schema.js';
import { RefundInvoiceDto } from './refund.dto.js';
import { RefundInvoice } from './refund-invoice.js';

@Controller('invoices/:id/refund')
export class RefundController {
  constructor(private readonly refund: RefundInvoice) {}

  @Post()
  @Operation({
    id: 'refundInvoice',
    summary: 'Give money of an invoice back',
    description:
      'Makes a document of type TYPE_REFUND over at most what was paid and not refunded yet, and sends the money back: ' +
      'at the gateway that took it, else by bank transfer or as wallet credit. The invoice is STATUS_REFUNDED when all ' +
      'has gone back. Answers the refund document.',
    tag: 'Invoices',
    permission: 'transaction:write',
    success: 201,
    response: invoiceSchema,
    examples: {
      request: { amount: 59.5, paymentMethod: exampleId(40), reason: 'Goodwill' } satisfies RefundInvoiceDto,
      response: { ...CREDIT_EXAMPLE, type: 'TYPE_REFUND', number: 'ER-2026-00001', title: 'Erstattung' },
    },
    errors: { 422: 'Nothing of that size can be refunded' },
  })
  create(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: RefundInvoiceDto) {
    return this.refund.execute(caller.tenantId, id, {
      amount: dto.amount,
      paymentMethod: dto.paymentMethod ?? null,
      reason: dto.reason ?? null,
    });
  }
}
