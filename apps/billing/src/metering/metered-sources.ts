import { DomainError } from '@kontor/kernel';
import { Injectable } from '@nestjs/common';
import type { Measured, Meter, MeteredQuantity, QuantityRequest, Unmeasured } from '../domain/metering/metered.js';

export interface MeasureOptions {
  readonly now: Date;
  /** False for previews: nothing is kept. */
  readonly freeze: boolean;
}

/** A source of measured quantities, requested once for a batch of accounts, outside of any transaction. */
export interface MeteredSource {
  readonly source: Meter['source'];
  /**
   * Quantities by the key of their request; one that is missing cannot be measured.
   * @throws DomainError 503 when nothing can be answered now
   */
  measure(
    tenantId: string,
    requests: readonly QuantityRequest[],
    options: MeasureOptions,
  ): Promise<Map<string, MeteredQuantity | Unmeasured>>;
}

/** The sources of measured quantities, by name. */
@Injectable()
export class MeteredSources {
  private readonly sources = new Map<Meter['source'], MeteredSource>();

  register(source: MeteredSource): void {
    this.sources.set(source.source, source);
  }

  /** An answer to every request; a source that fails leaves the requests to others as they are. */
  async measure(tenantId: string, requests: readonly QuantityRequest[], options: MeasureOptions): Promise<Measured> {
    const measured = new Map<string, MeteredQuantity | Unmeasured>();
    await Promise.all(
      [...this.sources.values()].map(async (source) => {
        const toSource = requests.filter(({ meter }) => meter.source === source.source);
        if (toSource.length === 0) return;
        const found = await source.measure(tenantId, toSource, options).catch((error: unknown): Unmeasured => {
          if (error instanceof DomainError) return { reason: error.reason, retryable: error.kind === 'unavailable' };
          throw error;
        });
        for (const { key } of toSource) measured.set(key, found instanceof Map ? (found.get(key) ?? UNKNOWN) : found);
      }),
    );
    for (const { key } of requests) if (!measured.has(key)) measured.set(key, UNKNOWN);
    return measured;
  }
}

const UNKNOWN: Unmeasured = { reason: 'unknown_reference', retryable: false };
