import { type ReplicaKind, REPLICAS, type ServiceName } from '@kontor/contracts';
import { requestContext } from '../http/request-context.js';
import type { InternalClient } from '../internal/internal-client.js';
import { AskCopier } from './ask-copier.js';

const LONGEST_WAIT_MS = 2000;
/** When a request is to be answered at the latest, also if it waited for its turn before. */
const ANSWER_AFTER_MS = 4500;

/** Waits after a write until the services that copy the object have it, so that the next request anywhere sees it. */
export class ReplicaFreshness {
  private readonly copiers = new Map<ServiceName, AskCopier>();

  constructor(
    private readonly self: string,
    private readonly client: InternalClient,
  ) {}

  /**
   * Resolves when every copier that would not see `version` of the object otherwise has it, at the latest after two seconds, also
   * while a copier is down. @see docs/adr/0022-a-write-waits-for-who-could-miss-it.md
   */
  async copied(kind: ReplicaKind, tenantId: string, id: string, version: number): Promise<void> {
    const { copiers, searchers } = REPLICAS[kind];
    const couldMiss = version === 1 && searchers ? searchers : copiers;
    const ms = patience();
    if (ms <= 0) return;
    const asked = couldMiss.filter((service) => service !== this.self);
    await Promise.all(asked.map((service) => this.copier(service).has({ kind, tenantId, id, version }, ms)));
  }

  private copier(service: ServiceName): AskCopier {
    const known = this.copiers.get(service) ?? new AskCopier(service, this.client);
    this.copiers.set(service, known);
    return known;
  }
}

function patience(): number {
  const arrivedAt = requestContext()?.turn?.arrivedAt;
  return Math.min(
    LONGEST_WAIT_MS,
    arrivedAt === undefined ? LONGEST_WAIT_MS : arrivedAt + ANSWER_AFTER_MS - performance.now(),
  );
}
