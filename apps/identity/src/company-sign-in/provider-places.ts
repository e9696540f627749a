import { Injectable } from '@nestjs/common';
import { DomainError } from '@kontor/kernel';

/** Questions under way to the provider of one tenant, and to those of all. The gateway has 32 places for whoever is about to sign in. */
const OF_A_TENANT = 8;
const IN_ALL = 24;
/** The places beyond these are for tenants that have none: providers of two tenants that hang keep nobody of a third one waiting. */
const SEVERAL_EACH = 16;

/**
 * Bounds how many requests wait for identity providers, in each process: one that takes seconds to answer, or never does, keeps nobody else
 * from signing in, by whatever means.
 */
@Injectable()
export class ProviderPlaces {
  private readonly taken = new Map<string, number>();
  private inAll = 0;

  /** @throws DomainError 503 `service_overloaded`: nothing has been done */
  async run<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    const ofTenant = this.taken.get(tenantId) ?? 0;
    const places = this.inAll < SEVERAL_EACH ? OF_A_TENANT : 1;
    if (ofTenant >= places || this.inAll >= IN_ALL) throw overloaded();
    this.change(tenantId, 1);
    try {
      return await work();
    } finally {
      this.change(tenantId, -1);
    }
  }

  private change(tenantId: string, by: 1 | -1): void {
    const left = (this.taken.get(tenantId) ?? 0) + by;
    if (left > 0) this.taken.set(tenantId, left);
    else this.taken.delete(tenantId);
    this.inAll += by;
  }
}

const overloaded = (): DomainError =>
  new DomainError('service_overloaded', {
    kind: 'unavailable',
    detail: 'Too many wait for the identity provider of their company; try again.',
    retryAfterSeconds: 2,
  });
