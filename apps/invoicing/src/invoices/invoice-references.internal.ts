import { Get } from '@nestjs/common';
import type { InvoiceReference, Principal } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, Internal } from '@kontor/service-kit';
import { invoiceTable } from '../db/invoice.row.js';

/** For payments: does a document without an intent (a draft, one over zero) exist, and whose is it? */
@Internal('invoice-references')
export class InvoiceReferencesInternal {
  constructor(private readonly database: Database) {}

  /** @throws DomainError `not_found` */
  @Get(':id')
  async reference(@Caller() caller: Principal, @IdParam() id: string): Promise<InvoiceReference> {
    const invoice = await this.database.tenant(caller.tenantId, (tx) => invoiceTable.get(tx, id), {
      readOnly: true,
    });
    if (!invoice) throw notFound('The invoice');
    return { id, customerId: invoice.customerId };
  }
}
