import { Injectable } from '@nestjs/common';
import { type ClockProgress, SERVICES, type ServiceName } from '@kontor/contracts';
import type { DueFailure } from '@kontor/persistence';
import { InternalClient } from '@kontor/service-kit';
import type { Snapshot } from '../domain/quiescence.js';

/** How long one call may take; what takes longer is requested again. */
const RUN_DUE_TIMEOUT_MS = 60_000;
/** A service that does what is due answers late; one that is asked again and again does not answer sooner. */
const ASK_TIMEOUT_MS = 5_000;

/** The clock endpoints of all services. */
@Injectable()
export class ClockServices {
  constructor(private readonly client: InternalClient) {}

  /** @throws ServiceUnavailable, OutcomeUnknown when a service does not answer. */
  async look(tenantId: string): Promise<Snapshot> {
    const looks = SERVICES.map(
      async (service) =>
        [
          service,
          await this.client.call<ClockProgress>(service, 'GET', `/internal/clock/${tenantId}`, undefined, {
            tenantId,
            timeoutMs: ASK_TIMEOUT_MS,
          }),
        ] as const,
    );
    return Object.fromEntries(await Promise.all(looks));
  }

  /** Sets the clock everywhere; doing it again changes nothing. Errors as in `look`. */
  async set(tenantId: string, now: Date): Promise<void> {
    await Promise.all(
      SERVICES.map((service) =>
        this.client.call(
          service,
          'PUT',
          `/internal/clock/${tenantId}`,
          { now: now.toISOString() },
          { tenantId, timeoutMs: ASK_TIMEOUT_MS },
        ),
      ),
    );
  }

  /** Has one service do what is due up to and including `upTo`; returns what kept failing. Errors as in `look`. */
  async runDue(service: ServiceName, tenantId: string, upTo: Date): Promise<DueFailure[]> {
    const path = `/internal/clock/${tenantId}/run-due`;
    const answer = await this.client.call<{ failures: DueFailure[] }>(
      service,
      'POST',
      path,
      { upTo: upTo.toISOString() },
      { tenantId, timeoutMs: RUN_DUE_TIMEOUT_MS },
    );
    return answer.failures;
  }
}
