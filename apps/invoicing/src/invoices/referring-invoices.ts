import type { TenantTx } from '@kontor/persistence';
import { CustomerReferences } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { invoiceTable } from '../db/invoice.row.js';

/** A customer stays while it has a document, also a draft. */
@Injectable()
export class ReferringInvoices extends CustomerReferences {
  async find(tx: TenantTx, customerId: string): Promise<string[]> {
    return (await invoiceTable.exists(tx, { customerId })) ? ['invoice'] : [];
  }
}
