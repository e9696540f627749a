import { Injectable } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { ownCustomerId, refuseForeign } from '@kontor/service-kit';
import type { InvoiceJson } from './invoice.schema.js';
import { ShowInvoices } from './show-invoices.js';

@Injectable()
export class GetInvoice {
  constructor(
    private readonly database: Database,
    private readonly showInvoices: ShowInvoices,
  ) {}

  /** @throws DomainError 404 `not_found`. */
  async execute(caller: Principal, id: string): Promise<InvoiceJson> {
    const read = (tx: TenantTx): Promise<InvoiceJson> => this.showInvoices.byId(tx, id, { isLast: true });
    const invoice = await this.database.tenant(caller.tenantId, read, { pipelined: true });
    if (ownCustomerId(caller) === null) return invoice;
    refuseForeign(caller, (invoice.customer as { id: string }).id, 'The invoice');
    if (invoice.status === 'STATUS_DRAFT') throw notFound('The invoice');
    return withoutInternals(invoice);
  }
}

/** A document as its customer may see it. */
export const withoutInternals = (invoice: InvoiceJson): InvoiceJson => ({
  ...invoice,
  internalNote: null,
  positions: invoice.positions.map((position) => ({
    ...position,
    taxGroup: { ...position.taxGroup, internalDescription: null },
  })),
});
