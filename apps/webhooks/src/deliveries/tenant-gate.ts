import { Turns } from '@kontor/service-kit';

/** Lets a few through at a time: tenants in turn, so that one with many endpoints keeps no other waiting for all of them. */
export class TenantGate {
  private readonly waiting = new Turns<() => void>();

  constructor(private free: number) {}

  async pass<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.add(tenantId, resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.next();
      if (next) next.item();
      else this.free++;
    }
  }
}
