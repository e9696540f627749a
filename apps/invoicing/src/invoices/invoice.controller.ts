import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListQuery, Operation } from '@kontor/service-kit';
import { GetBillingRun } from './get-billing-run.js';
import { GetInvoice } from './get-invoice.js';
import { GetTimeline } from './get-timeline.js';
import { InvoiceNoteDto, InvoicePaymentMethodDto, SendInvoiceDto } from './invoice.dto.js';
import { INVOICE_EXAMPLE, ORIGIN_EXAMPLE, TIMELINE_EXAMPLE } from './invoice.example.js';
import { invoiceSchema, originSchema, timelineSchema } from './invoice.schema.js';
import { INVOICE_LIST, ListInvoices } from './list-invoices.js';
import { SendInvoice } from './send-invoice.js';
import { SetNote } from './set-note.js';
import { SetPaymentMethod } from './set-payment-method.js';

const tag = 'Invoices';

/** What holds for documents of any status: reading them, their note and their payment method. */
@Controller('invoices')
export class InvoiceController {
  constructor(
    private readonly listInvoices: ListInvoices,
    private readonly getInvoice: GetInvoice,
    private readonly getTimeline: GetTimeline,
    private readonly getBillingRun: GetBillingRun,
    private readonly setPaymentMethod: SetPaymentMethod,
    private readonly setNote: SetNote,
    private readonly sendInvoice: SendInvoice,
  ) {}

  @Get()
  @Operation({
    id: 'listInvoices',
    summary: 'Documents, newest first',
    description:
      '`customerTree` names a customer and means all below it, too. ' +
      'A token that is bound to a customer gets its own without drafts and internal notes.',
    tag,
    permission: 'invoice:read',
    customerTokens: true,
    errors: {
      403: '`foreign_customer`',
      422: '`query_too_large`: the documents of a page have more than 10,000 positions together; ask for fewer.',
    },
    response: invoiceSchema,
  })
  list(@Caller() caller: Principal, @List(INVOICE_LIST) list: ListQuery) {
    return this.listInvoices.execute(caller, list);
  }

  @Get(':id')
  @Operation({
    id: 'getInvoice',
    summary: 'One document',
    description: 'To a token that is bound to a customer only its own exist, without drafts and internal notes.',
    tag,
    permission: 'invoice:read',
    customerTokens: true,
    response: invoiceSchema,
  })
  get(@Caller() caller: Principal, @IdParam() id: string) {
    return this.getInvoice.execute(caller, id);
  }

  @Post(':id/payment-method')
  @Operation({
    id: 'setInvoicePaymentMethod',
    summary: 'Name the payment method of a draft or unpaid document',
    tag,
    permission: 'invoice:write',
    success: 201,
    response: invoiceSchema,
    examples: { request: { paymentMethod: null }, response: INVOICE_EXAMPLE },
  })
  paymentMethod(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: InvoicePaymentMethodDto) {
    return this.setPaymentMethod.execute(caller.tenantId, id, dto.paymentMethod ?? null);
  }

  @Put(':id/note')
  @Operation({
    id: 'setInvoiceNote',
    summary: 'Write the internal note',
    tag,
    permission: 'invoice:write',
    response: invoiceSchema,
    examples: {
      request: { note: 'Agreed by phone' },
      response: { ...INVOICE_EXAMPLE, internalNote: 'Agreed by phone' },
    },
  })
  note(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: InvoiceNoteDto) {
    return this.setNote.execute(caller.tenantId, id, dto.note ?? null);
  }

  @Post(':id/send')
  @Operation({
    id: 'sendInvoice',
    summary: 'Mail a finalized document with its file',
    description:
      "To `email`, else to the customer's address for invoices. Each request sends a mail of its own, also of a document " +
      'that was mailed when it was finalized. `lastSentAt` is the time of the request.',
    tag,
    permission: 'invoice:write',
    success: 201,
    response: invoiceSchema,
    examples: {
      request: { email: 'buchhaltung@backhaus-elbe.example' } satisfies SendInvoiceDto,
      response: { ...INVOICE_EXAMPLE, lastSentAt: '2026-03-02T10:00:00.000Z' },
    },
    errors: { 422: '`recipient_missing`; `invalid_status_transition`: the document has no number yet' },
  })
  send(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: SendInvoiceDto) {
    return this.sendInvoice.execute(caller.tenantId, id, dto.email ?? null);
  }

  @Get(':id/timeline')
  @Operation({
    id: 'getInvoiceTimeline',
    summary: 'What happened to a document, oldest first',
    tag,
    permission: 'invoice:read',
    response: timelineSchema,
    examples: { response: TIMELINE_EXAMPLE },
  })
  timeline(@Caller() caller: Principal, @IdParam() id: string) {
    return this.getTimeline.execute(caller.tenantId, id);
  }

  @Get(':id/billing-run')
  @Operation({
    id: 'getInvoiceBillingRun',
    summary: 'The billing run that a document came from',
    tag,
    permission: 'invoice:read',
    response: originSchema,
    examples: { response: ORIGIN_EXAMPLE },
  })
  billingRun(@Caller() caller: Principal, @IdParam() id: string) {
    return this.getBillingRun.execute(caller.tenantId, id);
  }
}
