import { Get } from '@nestjs/common';
import type { CustomerReferencesResponse, InvoiceReference, Principal } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, Internal } from '@kontor/service-kit';
import { invoiceTable } from '../db/invoice.row.js';

const readOnly = { readOnly: true } as const;

/** For billing: may a customer be deleted? */
@Internal('customers')
export class CustomerReferencesInternal {
  constructor(private readonly database: Database) {}

  @Get(':id/references')
  async references(@Caller() caller: Principal, @IdParam() id: string): Promise<CustomerReferencesResponse> {
    const hasInvoice = await this.database.tenant(
      caller.tenantId,
      (tx) => invoiceTable.exists(tx, { customerId: id }),
      readOnly,
    );
    return { references: hasInvoice ? ['invoice'] : [] };
  }
}

/** For payments: does a document without an intent (a draft, one over zero) exist, and whose is it? */
@Internal('invoice-references')
export class InvoiceReferencesInternal {
  constructor(private readonly database: Database) {}

  /** @throws DomainError `not_found` */
  @Get(':id')
  async reference(@Caller() caller: Principal, @IdParam() id: string): Promise<InvoiceReference> {
    const invoice = await this.database.tenant(caller.tenantId, (tx) => invoiceTable.get(tx, id), readOnly);
    if (!invoice) throw notFound('The invoice');
    return { id, customerId: invoice.customerId };
  }
}
