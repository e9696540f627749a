import { type ReplicaKind, REPLICAS } from '@kontor/contracts';
import type { InternalClient } from '../internal/internal-client.js';

const LONGEST_WAIT_MS = 2000;

/** Waits after a write until the services that copy the object have it, so that the next request anywhere sees it. */
export class ReplicaFreshness {
  constructor(
    private readonly self: string,
    private readonly client: InternalClient,
  ) {}

  /** Resolves when every copier has `version` of the object, at the latest after two seconds; one that is down counts as answered. */
  async copied(kind: ReplicaKind, tenantId: string, id: string, version: number): Promise<void> {
    const copiers = REPLICAS[kind].copiers.filter((service) => service !== this.self);
    const path = `/internal/copies/${kind}/${tenantId}/${encodeURIComponent(id)}?version=${version}&waitMs=${LONGEST_WAIT_MS}`;
    await Promise.allSettled(
      copiers.map((service) => this.client.call(service, 'GET', path, undefined, { tenantId, timeoutMs: LONGEST_WAIT_MS })),
    );
  }
}
