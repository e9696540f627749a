import { setTimeout as sleep } from 'node:timers/promises';
import type { CloseUsageRequest, CloseUsageResponse } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import { InternalClient, OutcomeUnknown, ServiceUnavailable } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import type { MeteredQuantity } from '../domain/charging/metered.js';
import { type MeasureOptions, type MeteredAsk, type MeteredSource, MeteredSources, type Unmeasured } from './metered-sources.js';

/** One answer is there in two seconds where the service is; a busy database may need longer. */
const ANSWER_MS = 8_000;
/** How long a run waits for what takes long. */
const PATIENCE_MS = 20_000;
/** Usage waits before it answers, but not for what another process of it measures. */
const PAUSE_MS = 200;
const STILL_MEASURED: Unmeasured = { reason: 'usage_unavailable', again: true };

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

  /**
   * What a busy customer used may take long to count: it is asked for again, with all others known by then, and what is not known in
   * the end is left for another time. Usage goes on measuring meanwhile.
   * @throws DomainError 503 `usage_unavailable` when nobody answered in time
   */
  async measure(
    tenantId: string,
    asks: readonly MeteredAsk[],
    options: MeasureOptions,
  ): Promise<Map<string, MeteredQuantity | Unmeasured>> {
    const found = new Map<string, MeteredQuantity | Unmeasured>();
    const until = Date.now() + PATIENCE_MS;
    let open = asks;
    for (;;) {
      const { amounts, open: rest } = await this.ask(tenantId, open, options);
      for (const { id, quantity, groups } of amounts) found.set(id, { quantity, groups, closingId: options.freeze ? id : null });
      open = open.filter(({ key }) => rest.includes(key));
      if (open.length === 0 || Date.now() >= until) break;
      await sleep(PAUSE_MS);
    }
    for (const { key } of open) found.set(key, STILL_MEASURED);
    return found;
  }

  private ask(tenantId: string, asks: readonly MeteredAsk[], { freeze }: MeasureOptions): Promise<CloseUsageResponse> {
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
    return this.client.call<CloseUsageResponse>('usage', 'POST', path, body, { tenantId, timeoutMs: ANSWER_MS }).catch(unavailable);
  }
}

function unavailable(error: unknown): never {
  if (error instanceof ServiceUnavailable || error instanceof OutcomeUnknown)
    throw new DomainError('usage_unavailable', { status: 503, detail: 'Usage cannot be asked at the moment.', retryAfterSeconds: 10 });
  throw error;
}
