import { createHash, createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ServiceConfig } from '@kontor/service-kit';
import type { InvoiceRow } from '../db/invoice.row.js';

/**
 * Public links to the page about a document's usage. The token is derived from the document and the installation's
 * secret: nothing
 * that opens the page is stored, and nobody can make a link up.
 */
@Injectable()
export class UsageLinks {
  constructor(private readonly config: ServiceConfig) {}

  /** Null for a document without such a page. */
  urlOf(invoice: Pick<InvoiceRow, 'tenantId' | 'id' | 'usageBreakdown'>): string | null {
    return invoice.usageBreakdown ? `${this.config.publicUrl}/public/usage/${this.tokenOf(invoice)}` : null;
  }

  /** What the usage service finds the page by. */
  tokenHashOf = (invoice: Pick<InvoiceRow, 'tenantId' | 'id'>): string =>
    createHash('sha256').update(this.tokenOf(invoice)).digest('hex');

  private tokenOf({ tenantId, id }: Pick<InvoiceRow, 'tenantId' | 'id'>): string {
    // The oldest key that is known, so that links stay what they are when the key is changed.
    return createHmac('sha256', this.config.previousSecretsKeys.at(-1) ?? this.config.secretsKey)
      .update(`usage breakdown\n${tenantId}\n${id}`)
      .digest('base64url');
  }
}
