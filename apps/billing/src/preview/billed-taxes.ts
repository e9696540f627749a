import type { BilledTaxesRequest, BilledTaxesResponse, BilledTaxJson } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import { InternalClient, OutcomeUnknown, ServiceUnavailable } from '@kontor/service-kit';
import type { BilledTax, LegalNoteKey, TaxCategory } from '@kontor/tax';
import { Injectable } from '@nestjs/common';

/** How an earlier charge was taxed on its document, and what is left of it. */
export interface TaxedCharge extends BilledTax {
  readonly tax: BilledTaxJson['tax'];
}

/**
 * What became of an earlier charge. Null: no finalized document has a line of it; `removed`: somebody took it off its draft,
 * so that it is never billed.
 */
export type BilledCharge = TaxedCharge | 'removed' | null;

/** By charge. */
export type TaxedCharges = ReadonlyMap<string, BilledCharge>;

/** Asks invoicing how charges were taxed, outside of any transaction: previews of credits show the tax that goes back. */
@Injectable()
export class BilledTaxes {
  constructor(private readonly client: InternalClient) {}

  /** @throws DomainError 503 `invoicing_unavailable` */
  async read(tenantId: string, chargeIds: readonly string[]): Promise<TaxedCharges> {
    const body: BilledTaxesRequest = { chargeIds: [...chargeIds] };
    const { lines, removed } = await this.client
      .call<BilledTaxesResponse>('invoicing', 'POST', '/internal/billed-taxes', body, { tenantId })
      .catch(unavailable);
    const found = new Map<string, BilledCharge>(chargeIds.map((id) => [id, null]));
    for (const id of removed) found.set(id, 'removed');
    for (const line of lines) found.set(line.chargeId, chargeOf(line));
    return found;
  }
}

const chargeOf = ({ category, noteKey, billedMinor, netMinor, taxMinor, ...line }: BilledTaxJson): TaxedCharge => ({
  ...line,
  category: category as TaxCategory,
  noteKey: noteKey as LegalNoteKey | null,
  billedMinor: BigInt(billedMinor),
  netMinor: BigInt(netMinor),
  taxMinor: BigInt(taxMinor),
});

function unavailable(error: unknown): never {
  if (error instanceof ServiceUnavailable || error instanceof OutcomeUnknown)
    throw new DomainError('invoicing_unavailable', {
      kind: 'unavailable',
      detail: 'The tax of what is credited is not known at the moment.',
      retryAfterSeconds: 10,
    });
  throw error;
}
