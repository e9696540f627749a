import { Body, Controller, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, IdParam, Operation } from '@kontor/service-kit';
import { invoiceSchema } from '../invoices/invoice.schema.js';
import { FinalizeInvoice } from './finalize-invoice.js';
import { FinalizeDto } from './finalize.dto.js';

const tag = 'Invoices';

@Controller('invoices')
export class FinalizeController {
  constructor(private readonly finalizeInvoice: FinalizeInvoice) {}

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
