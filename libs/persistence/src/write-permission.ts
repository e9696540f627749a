import { DomainError } from '@kontor/kernel';

/**
 * Whether a service may write to its database. One that was put back from a backup and is older than what other services know of it may not:
 * what it would write now, such as the next invoice number, was given to something else already.
 */
export class WritePermission {
  private outdated = false;
  /** While it is not known yet whether it is outdated. */
  private comparing: PromiseWithResolvers<void> | null = null;

  /** Null: it is not outdated, or not any more. */
  refuse(why: Error | null): void {
    this.outdated = why !== null;
    this.endHold();
  }

  /** Requests that write wait until {@link refuse} says whether they may, or {@link endHold}: a service answers before it can ask. */
  holdRequests(): void {
    this.comparing ??= Promise.withResolvers();
  }

  /** They go on without: whom to ask is away. */
  endHold(): void {
    this.comparing?.resolve();
    this.comparing = null;
  }

  /** @throws DomainError 503 `service_unavailable` */
  async require(ofRequest: boolean): Promise<void> {
    if (ofRequest && this.comparing) await this.comparing.promise;
    if (!this.outdated) return;
    throw new DomainError('service_unavailable', {
      kind: 'unavailable',
      detail:
        'The database of this service was put back from a backup that is older than those of the others: nothing is written to it.',
      retryAfterSeconds: 30,
    });
  }
}
