import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import type { InvoiceJson } from './invoice.schema.js';
import { ShowInvoices } from './show-invoices.js';

@Injectable()
export class GetInvoice {
  constructor(
    private readonly database: Database,
    private readonly showInvoices: ShowInvoices,
  ) {}

  /** @throws DomainError 404 `not_found`. */
  execute(tenantId: string, id: string): Promise<InvoiceJson> {
    return this.database.tenant(tenantId, (tx) => this.showInvoices.byId(tx, id), { pipelined: true });
  }
}
