import type { InvoiceReference } from '@kontor/contracts';
import { unknownReference } from '@kontor/kernel';
import { InternalClient } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';

/** Some invoices of a request have no intent here; whether they exist is invoicing's to say. */
export class InvoicesWithoutIntent extends Error {
  constructor(readonly ids: readonly string[]) {
    super('invoices without an intent');
    this.name = 'InvoicesWithoutIntent';
  }
}

/** Distinguishes drafts and documents over zero from ids that nobody knows. */
@Injectable()
export class KnownInvoices {
  constructor(private readonly client: InternalClient) {}

  /** @throws DomainError `unknown_reference` */
  async find(tenantId: string, ids: readonly string[]): Promise<Map<string, InvoiceReference>> {
    const found = new Map<string, InvoiceReference>();
    for (const id of ids) found.set(id, await this.findOne(tenantId, id));
    return found;
  }

  private async findOne(tenantId: string, id: string): Promise<InvoiceReference> {
    try {
      return await this.client.call<InvoiceReference>(
        'invoicing',
        'GET',
        `/internal/invoice-references/${id}`,
        undefined,
        {
          tenantId,
        },
      );
    } catch {
      // Nobody knows it; or invoicing gives no answer: to payments it is unknown then, and nothing is booked.
      throw unknownReference('invoiceIds', 'invoice');
    }
  }
}
