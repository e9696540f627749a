import { DomainError, invariant } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { isUnmeasured, type Measured, type MeteredQuantity, type QuantityRequest } from '../domain/metering/metered.js';
import { MeteredSources } from '../metering/metered-sources.js';

/** What a preview shows, and what must be measured before it is true. */
export interface PreviewAttempt<T> {
  readonly shown: T;
  readonly requests: readonly QuantityRequest[];
}

/** Measured quantities lead to no further ones but for a price that changes in between. */
const ROUNDS = 4;

/** Makes previews of what is measured: usage so far is requested between transactions, and nothing is frozen. */
@Injectable()
export class MeasuredPreview {
  constructor(
    private readonly database: Database,
    private readonly sources: MeteredSources,
  ) {}

  /** @throws DomainError 503 `usage_unavailable` */
  async execute<T>(
    tenantId: string,
    attempt: (tx: TenantTx, measured: Measured) => Promise<PreviewAttempt<T>>,
  ): Promise<T> {
    const measured = new Map<string, MeteredQuantity>();
    for (let round = 1; round <= ROUNDS; round++) {
      const { shown, requests } = await this.database.tenant(tenantId, (tx) => attempt(tx, measured));
      if (requests.length === 0) return shown;
      const found = await this.sources.measure(tenantId, requests, {
        now: await this.database.now(tenantId),
        freeze: false,
      });
      for (const [key, amount] of found) {
        if (isUnmeasured(amount))
          throw new DomainError(amount.reason, amount.retryable ? { kind: 'unavailable', retryAfterSeconds: 10 } : {});
        measured.set(key, amount);
      }
    }
    invariant(false, 'a preview comes to an end');
  }
}
