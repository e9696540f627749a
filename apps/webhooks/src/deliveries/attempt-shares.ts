/** Attempts to one endpoint at a time: fast for a good receiver, no stampede for one that comes back. */
export const MAX_OF_ENDPOINT = 16;
/** Of one tenant, beside one for each of its endpoints: receivers that hang use these up, and its others still go on. */
export const MAX_OF_TENANT = 64;
const MAX_OF_PROCESS = 512;

interface InFlight {
  ofAll: number;
  /** All but the first of each endpoint. */
  further: number;
}

/**
 * Who may have how many attempts in flight in this process. An attempt cannot be taken back before its receiver answers, which
 * may take its whole time; so nobody may have more than is left free: whoever comes next finds room, and many who take all
 * they can have equally much.
 */
export class AttemptShares {
  private readonly tenants = new Map<string, InFlight>();
  private readonly waiting = new Set<EndpointShare>();

  constructor(private free = MAX_OF_PROCESS) {}

  ofEndpoint(tenantId: string, onRoom: () => void): EndpointShare {
    return new EndpointShare(this, tenantId, onRoom);
  }

  mayTake({ tenantId, held }: EndpointShare): boolean {
    const { ofAll, further } = this.inFlightOf(tenantId);
    return held < MAX_OF_ENDPOINT && ofAll < this.free && (held === 0 || further < MAX_OF_TENANT);
  }

  /** One more in flight, or one fewer. */
  count({ tenantId, held }: EndpointShare, change: 1 | -1): void {
    const { ofAll, further } = this.inFlightOf(tenantId);
    const isFirst = (change === 1 ? held : held - 1) === 0;
    this.free -= change;
    if (ofAll + change === 0) this.tenants.delete(tenantId);
    else this.tenants.set(tenantId, { ofAll: ofAll + change, further: isFirst ? further : further + change });
  }

  /** Calls its `onRoom` once, as soon as it may take one; without room for all who are called, the rest waits again. */
  await(share: EndpointShare): void {
    this.waiting.add(share);
  }

  forget(share: EndpointShare): void {
    this.waiting.delete(share);
  }

  notifyWaiting(): void {
    for (const share of [...this.waiting]) {
      if (!this.mayTake(share)) continue;
      this.waiting.delete(share);
      share.onRoom();
    }
  }

  private inFlightOf(tenantId: string): InFlight {
    return this.tenants.get(tenantId) ?? { ofAll: 0, further: 0 };
  }
}

/** What one endpoint has in flight. */
export class EndpointShare {
  held = 0;

  constructor(
    private readonly shares: AttemptShares,
    readonly tenantId: string,
    readonly onRoom: () => void,
  ) {}

  get mayTake(): boolean {
    return this.shares.mayTake(this);
  }

  /** As many more as it may have now. */
  take(): number {
    let taken = 0;
    for (; this.mayTake; taken++) {
      this.shares.count(this, 1);
      this.held++;
    }
    return taken;
  }

  release(attempts: number): void {
    for (let i = 0; i < attempts; i++) {
      this.shares.count(this, -1);
      this.held--;
    }
    if (attempts > 0) this.shares.notifyWaiting();
  }

  awaitRoom(): void {
    this.shares.await(this);
  }

  close(): void {
    this.shares.forget(this);
    this.release(this.held);
  }
}
