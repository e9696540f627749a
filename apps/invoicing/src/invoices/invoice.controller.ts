import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, List, type ListQuery, Operation } from '@kontor/service-kit';
import { FinalizeInvoice } from '../finalization/finalize-invoice.js';
import { CreateInvoice } from './create-invoice.js';
import { EditPositions } from './edit-positions.js';
import { FinalizeDto, InvoiceDto, NewPositionDto, PositionDto } from './invoice.dto.js';
import { invoiceSchema, positionSchema } from './invoice.schema.js';
import { INVOICE_LIST, ListInvoices } from './list-invoices.js';
import { ReadInvoice } from './read-invoice.js';
import { RemoveInvoice } from './remove-invoice.js';
import { ReplaceInvoice } from './replace-invoice.js';

const tag = 'Invoices';

@Controller('invoices')
export class InvoiceController {
  constructor(
    private readonly createInvoice: CreateInvoice,
    private readonly replaceInvoice: ReplaceInvoice,
    private readonly removeInvoice: RemoveInvoice,
    private readonly finalizeInvoice: FinalizeInvoice,
    private readonly listInvoices: ListInvoices,
    private readonly readInvoice: ReadInvoice,
  ) {}

  @Post()
  @Operation({ id: 'createInvoice', summary: 'Create a draft', tag, permission: 'invoice:write', success: 201, response: invoiceSchema })
  create(@Caller() caller: Principal, @Body() dto: InvoiceDto) {
    return this.createInvoice.execute(caller.tenantId, dto);
  }

  @Get()
  @Operation({ id: 'listInvoices', summary: 'Documents, newest first', tag, permission: 'invoice:read', response: invoiceSchema })
  list(@Caller() caller: Principal, @List(INVOICE_LIST) list: ListQuery) {
    return this.listInvoices.execute(caller.tenantId, list);
  }

  @Get(':id')
  @Operation({ id: 'getInvoice', summary: 'One document', tag, permission: 'invoice:read', response: invoiceSchema })
  get(@Caller() caller: Principal, @IdParam() id: string) {
    return this.readInvoice.execute(caller.tenantId, id);
  }

  @Put(':id')
  @Operation({ id: 'replaceInvoice', summary: 'Replace a draft', tag, permission: 'invoice:write', response: invoiceSchema })
  replace(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: InvoiceDto) {
    return this.replaceInvoice.execute(caller.tenantId, id, dto);
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation({ id: 'deleteInvoice', summary: 'Remove a draft', tag, permission: 'invoice:write', success: 204 })
  remove(@Caller() caller: Principal, @IdParam() id: string) {
    return this.removeInvoice.execute(caller.tenantId, id);
  }

  @Post(':id/finalize')
  @Operation({
    id: 'finalizeInvoice',
    summary: 'Give a draft its number; answers once the payment is initialised, after 5 s in any case',
    tag,
    permission: 'invoice:write',
    success: 201,
    response: invoiceSchema,
  })
  finalize(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: FinalizeDto) {
    return this.finalizeInvoice.execute(caller.tenantId, id, dto.dueDate ? new Date(dto.dueDate) : null);
  }
}

@Controller()
export class InvoicePositionController {
  constructor(private readonly editPositions: EditPositions) {}

  @Post('invoices/:id/positions')
  @Operation({
    id: 'addInvoicePosition',
    summary: 'Add a position to a draft',
    tag,
    permission: 'invoice:write',
    success: 201,
    response: positionSchema,
  })
  add(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: NewPositionDto) {
    return this.editPositions.add(caller.tenantId, id, dto);
  }

  @Put('invoice-position-items/:id')
  @Operation({
    id: 'replaceInvoicePosition',
    summary: 'Replace a position of a draft, with its children',
    tag,
    permission: 'invoice:write',
    response: positionSchema,
  })
  replace(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: PositionDto) {
    return this.editPositions.replace(caller.tenantId, id, dto);
  }

  @Delete('invoice-position-items/:id')
  @HttpCode(204)
  @Operation({
    id: 'deleteInvoicePosition',
    summary: 'Remove a position of a draft, with its children',
    tag,
    permission: 'invoice:write',
    success: 204,
  })
  remove(@Caller() caller: Principal, @IdParam() id: string) {
    return this.editPositions.remove(caller.tenantId, id);
  }
}
