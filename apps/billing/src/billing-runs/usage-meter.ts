import type { CloseUsageRequest, CloseUsageResponse } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import { InternalClient, OutcomeUnknown, ServiceUnavailable } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import type { MeteredQuantity } from '../domain/charging/metered.js';
import { type MeasureOptions, type MeteredAsk, type MeteredSource, MeteredSources } from './metered-sources.js';

/** Quantities that the usage service measures, by one call for a batch. A closing's id is its key: asked again, it answers the same. */
@Injectable()
export class UsageMeter implements MeteredSource {
  readonly source = 'usage';

  constructor(
    private readonly client: InternalClient,
    sources: MeteredSources,
  ) {
    sources.register(this);
  }

  /** @throws DomainError 503 `usage_unavailable` when nobody answered in time */
  async measure(tenantId: string, asks: readonly MeteredAsk[], { freeze }: MeasureOptions): Promise<Map<string, MeteredQuantity>> {
    const body: CloseUsageRequest = {
      periods: asks.map((ask) => ({
        id: ask.key,
        itemId: ask.itemId,
        customerId: ask.customerId,
        metricId: ask.meter.id,
        from: ask.fromInstant.toISOString(),
        to: ask.toInstant.toISOString(),
        groupBy: [...ask.meter.groupBy],
      })),
    };
    const path = freeze ? '/internal/closings' : '/internal/closings/preview';
    const { amounts } = await this.client.call<CloseUsageResponse>('usage', 'POST', path, body, { tenantId }).catch(unavailable);
    return new Map(amounts.map(({ id, quantity, groups }) => [id, { quantity, groups, closingId: freeze ? id : null }]));
  }
}

function unavailable(error: unknown): never {
  if (error instanceof ServiceUnavailable || error instanceof OutcomeUnknown)
    throw new DomainError('usage_unavailable', { status: 503, detail: 'Usage cannot be asked at the moment.', retryAfterSeconds: 10 });
  throw error;
}
