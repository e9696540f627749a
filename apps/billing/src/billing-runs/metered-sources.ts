import { DomainError } from '@kontor/kernel';
import { Injectable } from '@nestjs/common';
import type { Meter, MeteredPeriod, MeteredQuantity } from '../domain/charging/metered.js';

/** A metered period with what its source needs to find it. */
export interface MeteredAsk extends MeteredPeriod {
  /** A UUID that the same period has again and again: its closing's. */
  readonly key: string;
  readonly customerId: string;
  readonly subscriptionId: string;
  /** The period as instants, half-open. */
  readonly fromInstant: Date;
  readonly toInstant: Date;
}

export interface MeasureOptions {
  readonly now: Date;
  /** False for previews: nothing is kept. */
  readonly freeze: boolean;
}

/** Whoever knows measured quantities. It is asked once for a batch of accounts, outside of any transaction. */
export interface MeteredSource {
  readonly source: Meter['source'];
  /** Answers by key; what is missing cannot be measured, and what is not measured yet says so. @throws DomainError 503 when nothing can be answered now. */
  measure(tenantId: string, asks: readonly MeteredAsk[], options: MeasureOptions): Promise<Map<string, MeteredQuantity | Unmeasured>>;
}

/** Why a period has no quantity. */
export interface Unmeasured {
  readonly reason: string;
  /** Nobody answered: another time it may be measured. */
  readonly again: boolean;
}

export type Amounts = ReadonlyMap<string, MeteredQuantity | Unmeasured>;

/** The sources of measured quantities, by name. */
@Injectable()
export class MeteredSources {
  private readonly sources = new Map<Meter['source'], MeteredSource>();

  register(source: MeteredSource): void {
    this.sources.set(source.source, source);
  }

  /** An answer for every ask; a source that fails takes only its own with it. */
  async measure(tenantId: string, asks: readonly MeteredAsk[], options: MeasureOptions): Promise<Amounts> {
    const amounts = new Map<string, MeteredQuantity | Unmeasured>();
    await Promise.all(
      [...this.sources.values()].map(async (source) => {
        const mine = asks.filter(({ meter }) => meter.source === source.source);
        if (mine.length === 0) return;
        const found = await source.measure(tenantId, mine, options).catch((error: unknown): Unmeasured => {
          if (error instanceof DomainError) return { reason: error.reason, again: error.status === 503 };
          throw error;
        });
        for (const { key } of mine) amounts.set(key, found instanceof Map ? (found.get(key) ?? NOT_THERE) : found);
      }),
    );
    for (const { key } of asks) if (!amounts.has(key)) amounts.set(key, NOT_THERE);
    return amounts;
  }
}

const NOT_THERE: Unmeasured = { reason: 'unknown_reference', again: false };
