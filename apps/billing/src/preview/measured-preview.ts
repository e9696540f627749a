import { DomainError, invariant } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { isUnmeasured, type Measured, type MeteredQuantity, type QuantityRequest } from '../domain/metering/metered.js';
import { MeteredSources } from '../metering/metered-sources.js';
import { type BilledCharge, type TaxedCharges, BilledTaxes } from './billed-taxes.js';

/** What other services have answered so far. */
export interface Known {
  readonly measured: Measured;
  readonly billed: TaxedCharges;
}

/** An earlier charge that a preview credits, and of which the tax is not known. */
export interface TaxRequest {
  readonly creditedChargeId: string;
}

export type PreviewRequest = QuantityRequest | TaxRequest;

/** What a preview shows, and what must be known before it is true. */
export interface PreviewAttempt<T> {
  readonly shown: T;
  readonly requests: readonly PreviewRequest[];
}

/** Measured quantities lead to no further ones but for a price that changes in between; credits are known then. */
const ROUNDS = 5;

/**
 * Makes previews of what is measured and of what is credited: usage so far and billed taxes are requested between
 * transactions, and nothing is frozen.
 */
@Injectable()
export class MeasuredPreview {
  constructor(
    private readonly database: Database,
    private readonly sources: MeteredSources,
    private readonly taxes: BilledTaxes,
  ) {}

  /** @throws DomainError 503 `usage_unavailable`, `invoicing_unavailable` */
  async execute<T>(tenantId: string, attempt: (tx: TenantTx, known: Known) => Promise<PreviewAttempt<T>>): Promise<T> {
    const measured = new Map<string, MeteredQuantity>();
    const billed = new Map<string, BilledCharge>();
    for (let round = 1; round <= ROUNDS; round++) {
      let requests: readonly PreviewRequest[] = [];
      const shown = await this.database.tenant(tenantId, async (tx) => {
        const attempted = await attempt(tx, { measured, billed });
        ({ requests } = attempted);
        return attempted.shown;
      });
      if (requests.length === 0) return shown;
      const quantities = requests.filter((request) => 'meter' in request);
      for (const [key, amount] of await this.measure(tenantId, quantities)) measured.set(key, amount);
      const chargeIds = requests.flatMap((request) => ('meter' in request ? [] : request.creditedChargeId));
      if (chargeIds.length === 0) continue;
      for (const [id, charge] of await this.taxes.read(tenantId, [...new Set(chargeIds)])) billed.set(id, charge);
    }
    invariant(false, 'a preview comes to an end');
  }

  private async measure(tenantId: string, requests: readonly QuantityRequest[]): Promise<Map<string, MeteredQuantity>> {
    const amounts = new Map<string, MeteredQuantity>();
    if (requests.length === 0) return amounts;
    const now = await this.database.now(tenantId);
    for (const [key, amount] of await this.sources.measure(tenantId, requests, { now, freeze: false })) {
      if (isUnmeasured(amount))
        throw new DomainError(amount.reason, amount.retryable ? { kind: 'unavailable', retryAfterSeconds: 10 } : {});
      amounts.set(key, amount);
    }
    return amounts;
  }
}
