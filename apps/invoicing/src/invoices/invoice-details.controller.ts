import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { ChangeInvoice } from './change-invoice.js';
import { InvoiceAddressDto, InvoiceNoteDto, InvoicePaymentMethodDto } from './invoice.dto.js';
import { InvoiceHistory } from './invoice-history.js';
import { invoiceSchema, originSchema, timelineSchema } from './invoice.schema.js';

const tag = 'Invoices';

@Controller('invoices/:id')
export class InvoiceDetailsController {
  constructor(
    private readonly changeInvoice: ChangeInvoice,
    private readonly history: InvoiceHistory,
  ) {}

  @Post('duplicate')
  @Operation({
    id: 'duplicateInvoice',
    summary: 'A new draft with the same positions',
    tag,
    permission: 'invoice:write',
    success: 201,
    response: invoiceSchema,
  })
  duplicate(@Caller() caller: Principal, @IdParam() id: string) {
    return this.changeInvoice.duplicate(caller.tenantId, id);
  }

  @Post('address')
  @Operation({
    id: 'setInvoiceAddress',
    summary: 'Name the recipient address of a draft',
    tag,
    permission: 'invoice:write',
    success: 201,
    response: invoiceSchema,
  })
  address(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: InvoiceAddressDto) {
    return this.changeInvoice.address(caller.tenantId, id, dto.invoiceAddress ?? null);
  }

  @Post('payment-method')
  @Operation({
    id: 'setInvoicePaymentMethod',
    summary: 'Name the payment method of a draft or unpaid document',
    tag,
    permission: 'invoice:write',
    success: 201,
    response: invoiceSchema,
  })
  paymentMethod(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: InvoicePaymentMethodDto) {
    return this.changeInvoice.paymentMethod(caller.tenantId, id, dto.paymentMethod ?? null);
  }

  @Put('note')
  @Operation({ id: 'setInvoiceNote', summary: 'Write the internal note', tag, permission: 'invoice:write', response: invoiceSchema })
  note(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: InvoiceNoteDto) {
    return this.changeInvoice.note(caller.tenantId, id, dto.note ?? null);
  }

  @Get('timeline')
  @Operation({
    id: 'getInvoiceTimeline',
    summary: 'What happened to a document, oldest first',
    tag,
    permission: 'invoice:read',
    response: timelineSchema,
  })
  timeline(@Caller() caller: Principal, @IdParam() id: string) {
    return this.history.timeline(caller.tenantId, id);
  }

  @Get('billing-run')
  @Operation({
    id: 'getInvoiceBillingRun',
    summary: 'The billing run that a document came from',
    tag,
    permission: 'invoice:read',
    response: originSchema,
  })
  billingRun(@Caller() caller: Principal, @IdParam() id: string) {
    return this.history.billingRun(caller.tenantId, id);
  }
}
