import { type ReplicaKind, REPLICAS } from '@kontor/contracts';
import { requestContext } from '../http/request-context.js';
import type { InternalClient } from '../internal/internal-client.js';

const LONGEST_WAIT_MS = 2000;
/** When a request is to be answered at the latest, also if it waited for its turn before. */
const ANSWER_AFTER_MS = 4500;

/** Waits after a write until the services that copy the object have it, so that the next request anywhere sees it. */
export class ReplicaFreshness {
  constructor(
    private readonly self: string,
    private readonly client: InternalClient,
  ) {}

  /** Resolves when every copier has `version` of the object, at the latest after two seconds, also while a copier is down. */
  async copied(kind: ReplicaKind, tenantId: string, id: string, version: number): Promise<void> {
    const copiers = REPLICAS[kind].copiers.filter((service) => service !== this.self);
    const timeoutMs = patience();
    if (timeoutMs <= 0) return;
    const path = `/internal/copies/${kind}/${tenantId}/${encodeURIComponent(id)}?version=${version}&waitMs=${timeoutMs}`;
    await Promise.allSettled(
      copiers.map((service) => this.client.call(service, 'GET', path, undefined, { tenantId, timeoutMs })),
    );
  }
}

function patience(): number {
  const arrivedAt = requestContext()?.turn?.arrivedAt;
  return Math.min(
    LONGEST_WAIT_MS,
    arrivedAt === undefined ? LONGEST_WAIT_MS : arrivedAt + ANSWER_AFTER_MS - Date.now(),
  );
}
