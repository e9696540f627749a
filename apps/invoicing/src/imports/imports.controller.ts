import { Body, Controller, Post } from '@nestjs/common';
import { exampleId, type Principal } from '@kontor/contracts';
import { Caller, Operation } from '@kontor/service-kit';
import { INVOICE_EXAMPLE } from '../invoices/invoice.example.js';
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
    examples: {
      request: {
        customer: exampleId(1),
        number: '2025-0815',
        finalizationDate: '2025-12-15T10:00:00.000Z',
        dueDate: '2026-01-14T22:59:59.999Z',
        positions: [{ name: 'Consulting', quantity: '2', unitPrice: { amount: 5000, currencyCode: 'EUR' } }],
        grossAmount: { amount: 11_900, currencyCode: 'EUR' },
      },
      response: { ...INVOICE_EXAMPLE, number: '2025-0815', finalizationDate: '2025-12-15T10:00:00.000Z' },
    },
    errors: {
      422: '`already_exists`, `number_of_own_series`, `total_differs`, `unknown_reference`, `customer_archived`, `validation_failed`',
    },
  })
  create(@Caller() caller: Principal, @Body() dto: ImportInvoiceDto) {
    return this.importInvoice.execute(caller.tenantId, dto);
  }
}
