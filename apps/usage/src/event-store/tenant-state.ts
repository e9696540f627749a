import type { IngestRequest } from './ingest-request.js';

/** A customer's id as text and as the 16 bytes of it, and whether anything may still be stored of it. */
export interface CustomerKey {
  readonly id: string;
  readonly bytes: Uint8Array;
  readonly isAnonymized: boolean;
}

/** What `usage_guard` compares: events that were prepared with other values are prepared again. */
export interface TenantVersions {
  readonly customers: bigint;
  /** 0: the tenant has no metrics. */
  readonly metrics: bigint;
  /** Where a sandbox clock stands, in ISO 8601 with microseconds; null while time is real. */
  readonly clock: string | null;
}

/** How many batches go the careful way after a duplicate was met: who repeats one event often repeats more. */
const CAREFUL_BATCHES = 8;

/** What this process knows of a tenant, good for its versions. */
export class TenantState {
  readonly tenantBytes: Uint8Array;
  /** The tenant's time where it is not the real one. */
  readonly frozenAtMs: number | null;
  private careful = 0;

  constructor(
    readonly tenantId: string,
    readonly versions: TenantVersions,
    readonly customers: Map<string, CustomerKey>,
  ) {
    this.tenantBytes = uuidBytes(tenantId);
    this.frozenAtMs = versions.clock === null ? null : Date.parse(versions.clock);
  }

  get expectsDuplicates(): boolean {
    return this.careful > 0;
  }

  noteDuplicates(any: boolean): void {
    this.careful = any ? CAREFUL_BATCHES : Math.max(0, this.careful - 1);
  }
}

/** A request with what it needs to be written: the tenant's state, and the references that no customer has. */
export interface PreparedRequest {
  readonly request: IngestRequest;
  readonly state: TenantState;
  readonly unknown: ReadonlySet<string>;
}

export const uuidBytes = (uuid: string): Uint8Array => new Uint8Array(Buffer.from(uuid.replaceAll('-', ''), 'hex'));
