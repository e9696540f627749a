import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { InvoiceReader } from './invoice.read.js';
import type { InvoiceJson } from './represent-invoice.js';

@Injectable()
export class ReadInvoice {
  constructor(
    private readonly database: Database,
    private readonly reader: InvoiceReader,
  ) {}

  /** @throws DomainError 404 `not_found`. */
  execute(tenantId: string, id: string): Promise<InvoiceJson> {
    return this.database.tenant(tenantId, (tx) => this.reader.one(tx, id));
  }
}
