import { DomainError, invariant } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { type Amounts, type MeteredAsk, MeteredSources } from '../billing-runs/metered-sources.js';
import type { MeteredQuantity } from '../domain/charging/metered.js';

/** What a preview shows, and what must be measured before it is true. */
export interface PreviewAttempt<T> {
  readonly shown: T;
  readonly asks: readonly MeteredAsk[];
}

/** Measured quantities lead to no further ones but for a price that changes in between. */
const ROUNDS = 4;

/** Makes previews of what is measured: usage so far is asked for between transactions, and nothing is frozen. */
@Injectable()
export class MeasuredPreview {
  constructor(
    private readonly database: Database,
    private readonly sources: MeteredSources,
  ) {}

  /** @throws DomainError 503 `usage_unavailable` */
  async execute<T>(tenantId: string, attempt: (tx: TenantTx, amounts: Amounts) => Promise<PreviewAttempt<T>>): Promise<T> {
    const amounts = new Map<string, MeteredQuantity>();
    for (let round = 1; round <= ROUNDS; round++) {
      const { shown, asks } = await this.database.tenant(tenantId, (tx) => attempt(tx, amounts));
      if (asks.length === 0) return shown;
      const found = await this.sources.measure(tenantId, asks, { now: await this.database.now(tenantId), freeze: false });
      for (const [key, amount] of found) {
        if ('reason' in amount) throw new DomainError(amount.reason, amount.again ? { status: 503, retryAfterSeconds: 10 } : {});
        amounts.set(key, amount);
      }
    }
    invariant(false, 'a preview comes to an end');
  }
}
