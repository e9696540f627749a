import { Body, Controller, Delete, HttpCode, Post, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { DRAFT_EXAMPLE } from '../invoices/invoice.example.js';
import { invoiceSchema } from '../invoices/invoice.schema.js';
import { CreateInvoice } from './create-invoice.js';
import { InvoiceAddressDto, InvoiceDto } from './draft.dto.js';
import { DuplicateInvoice } from './duplicate-invoice.js';
import { RemoveInvoice } from './remove-invoice.js';
import { ReplaceInvoice } from './replace-invoice.js';
import { SetInvoiceAddress } from './set-invoice-address.js';

const tag = 'Invoices';

/** Writing drafts by hand. */
@Controller('invoices')
export class DraftController {
  constructor(
    private readonly createInvoice: CreateInvoice,
    private readonly replaceInvoice: ReplaceInvoice,
    private readonly removeInvoice: RemoveInvoice,
    private readonly duplicateInvoice: DuplicateInvoice,
    private readonly setInvoiceAddress: SetInvoiceAddress,
  ) {}

  @Post()
  @Operation({
    id: 'createInvoice',
    summary: 'Create a draft',
    tag,
    permission: 'invoice:write',
    success: 201,
    response: invoiceSchema,
  })
  create(@Caller() caller: Principal, @Body() dto: InvoiceDto) {
    return this.createInvoice.execute(caller.tenantId, dto);
  }

  @Put(':id')
  @Operation({
    id: 'replaceInvoice',
    summary: 'Replace a draft',
    tag,
    permission: 'invoice:write',
    response: invoiceSchema,
  })
  replace(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: InvoiceDto) {
    return this.replaceInvoice.execute(caller.tenantId, id, dto);
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation({ id: 'deleteInvoice', summary: 'Remove a draft', tag, permission: 'invoice:write', success: 204 })
  remove(@Caller() caller: Principal, @IdParam() id: string) {
    return this.removeInvoice.execute(caller.tenantId, id);
  }

  @Post(':id/duplicate')
  @Operation({
    id: 'duplicateInvoice',
    summary: 'A new draft with the same positions',
    tag,
    permission: 'invoice:write',
    success: 201,
    response: invoiceSchema,
    examples: { response: DRAFT_EXAMPLE },
  })
  duplicate(@Caller() caller: Principal, @IdParam() id: string) {
    return this.duplicateInvoice.execute(caller.tenantId, id);
  }

  @Post(':id/address')
  @Operation({
    id: 'setInvoiceAddress',
    summary: 'Name the recipient address of a draft',
    tag,
    permission: 'invoice:write',
    success: 201,
    response: invoiceSchema,
    examples: { request: { invoiceAddress: null }, response: DRAFT_EXAMPLE },
  })
  address(@Caller() caller: Principal, @IdParam() id: string, @Body() dto: InvoiceAddressDto) {
    return this.setInvoiceAddress.execute(caller.tenantId, id, dto.invoiceAddress ?? null);
  }
}
