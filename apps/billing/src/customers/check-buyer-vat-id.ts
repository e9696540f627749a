import type { TenantState } from '@kontor/contracts';
import { isViesCountry, isWellFormedVatId } from '@kontor/kernel';
import { Database, Replicas } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import type { VatCheckOutcome } from '../domain/customers/vat-id.js';
import { normalizedVatId } from './customer-input.js';
import { ViesClient } from './vies.client.js';

/** Asks about the VAT id of somebody who is about to buy: the price depends on it. Never inside a transaction. */
@Injectable()
export class CheckBuyerVatId {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly vies: ViesClient,
  ) {}

  /** Null: there is nothing to ask, or a sandbox knows without asking. */
  async execute(tenantId: string, text: string | null): Promise<VatCheckOutcome | null> {
    const vatId = normalizedVatId(text);
    if (vatId === null || !isViesCountry(vatId) || !isWellFormedVatId(vatId)) return null;
    const tenant = await this.database.tenant(
      tenantId,
      (tx) => this.replicas.get<TenantState>(tx, 'tenant', tenantId),
      { readOnly: true },
    );
    return tenant?.mode === 'sandbox' ? null : this.vies.check(vatId);
  }
}
