import { Body, Controller, Post } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Caller, Operation } from '@kontor/service-kit';
import { invoiceSchema } from '../invoices/invoice.schema.js';
import { ImportInvoiceDto } from './import.dto.js';
import { ImportInvoice } from './import-invoice.js';

@Controller('invoices/import')
export class ImportsController {
  constructor(private readonly importInvoice: ImportInvoice) {}

  @Post()
  @Operation({
    id: 'importInvoice',
    summary: 'Take over an invoice that another system issued',
    description:
      'It keeps its number and is finalized at once: STATUS_PAID with `payDate`, else STATUS_UNPAID. Its customer gets no ' +
      'mail, and nothing is collected by itself. The ledger books an open one as an opening balance, since its revenue is ' +
      'in the books of the other system.',
    tag: 'Invoices',
    permission: 'invoice:write',
    success: 201,
    response: invoiceSchema,
    errors: {
      422: '`already_exists`, `number_of_own_series`, `total_differs`, `unknown_reference`, `customer_archived`, `validation_failed`',
    },
  })
  create(@Caller() caller: Principal, @Body() dto: ImportInvoiceDto) {
    return this.importInvoice.execute(caller.tenantId, dto);
  }
}
