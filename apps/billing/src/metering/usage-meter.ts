import { setTimeout as sleep } from 'node:timers/promises';
import type { CloseUsageRequest, CloseUsageResponse } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import { InternalClient, OutcomeUnknown, ServiceUnavailable } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import type { MeteredQuantity, QuantityRequest, Unmeasured } from '../domain/metering/metered.js';
import { type MeasureOptions, type MeteredSource, MeteredSources } from './metered-sources.js';

/** A call is answered within two seconds; a busy database may need longer. */
const ANSWER_MS = 8_000;
/** How long a run waits for quantities that take long to measure. */
const PATIENCE_MS = 20_000;
/** Usage waits before it answers, but not for what another process of it measures. */
const PAUSE_MS = 200;
const STILL_MEASURED: Unmeasured = { reason: 'usage_unavailable', retryable: true };

/**
 * Quantities that the usage service measures, by one call for a batch. The key of a request is its closing's id: the
 * same request gets the same answer.
 */
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
   * Counting the usage of a busy customer may take long: it is requested again while all others are known already, and
   * what is not known in the end is left for another time. Usage goes on measuring meanwhile.
   * @throws DomainError 503 `usage_unavailable` when the service did not answer in time
   */
  async measure(
    tenantId: string,
    requests: readonly QuantityRequest[],
    options: MeasureOptions,
  ): Promise<Map<string, MeteredQuantity | Unmeasured>> {
    const found = new Map<string, MeteredQuantity | Unmeasured>();
    const until = performance.now() + PATIENCE_MS;
    let open = requests;
    for (;;) {
      const { amounts, open: rest } = await this.close(tenantId, open, options);
      for (const { id, quantity, groups } of amounts)
        found.set(id, { quantity, groups, closingId: options.freeze ? id : null });
      open = open.filter(({ key }) => rest.includes(key));
      if (open.length === 0 || performance.now() >= until) break;
      await sleep(PAUSE_MS);
    }
    for (const { key } of open) found.set(key, STILL_MEASURED);
    return found;
  }

  private close(
    tenantId: string,
    requests: readonly QuantityRequest[],
    { freeze }: MeasureOptions,
  ): Promise<CloseUsageResponse> {
    const body: CloseUsageRequest = {
      periods: requests.map((request) => ({
        id: request.key,
        itemId: request.itemId,
        customerId: request.customerId,
        metricId: request.meter.id,
        from: request.fromInstant.toISOString(),
        to: request.toInstant.toISOString(),
        groupBy: [...request.meter.groupBy],
      })),
    };
    const path = freeze ? '/internal/closings' : '/internal/closings/preview';
    return this.client
      .call<CloseUsageResponse>('usage', 'POST', path, body, { tenantId, timeoutMs: ANSWER_MS })
      .catch(unavailable);
  }
}

function unavailable(error: unknown): never {
  if (error instanceof ServiceUnavailable || error instanceof OutcomeUnknown)
    throw new DomainError('usage_unavailable', {
      kind: 'unavailable',
      detail: 'The usage service is unavailable at the moment.',
      retryAfterSeconds: 10,
    });
  throw error;
}
