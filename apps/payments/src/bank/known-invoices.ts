import { DomainError, unknownReference } from '@kontor/kernel';
import { InternalClient } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';

/** Documents without an intent here: drafts, and those over zero. */
export interface InvoiceWithoutIntent {
  readonly id: string;
  readonly customerId: string;
}

/** Some invoices of a request have no intent here; whether they exist is invoicing's to say. */
export class InvoicesWithoutIntent extends Error {
  constructor(readonly ids: readonly string[]) {
    super('invoices without an intent');
    this.name = 'InvoicesWithoutIntent';
  }
}

/** Tells drafts and documents over zero from ids that nobody knows. */
@Injectable()
export class KnownInvoices {
  constructor(private readonly client: InternalClient) {}

  /** @throws DomainError `unknown_reference` */
  async find(tenantId: string, ids: readonly string[]): Promise<Map<string, InvoiceWithoutIntent>> {
    const found = new Map<string, InvoiceWithoutIntent>();
    for (const id of ids) found.set(id, await this.one(tenantId, id));
    return found;
  }

  private async one(tenantId: string, id: string): Promise<InvoiceWithoutIntent> {
    try {
      return await this.client.call<InvoiceWithoutIntent>('invoicing', 'GET', `/internal/invoice-references/${id}`, undefined, {
        tenantId,
      });
    } catch (error) {
      // Without an answer nothing is booked either: to payments the id is unknown.
      if (error instanceof DomainError || error instanceof Error) throw unknownReference('invoiceIds', 'invoice');
      throw error;
    }
  }
}
