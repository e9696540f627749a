import type { ServiceName } from '@kontor/contracts';
import { networkOf } from '@kontor/service-kit';
import type { GatewayConfig } from '../config.js';
import { AdaptiveLimit } from './adaptive-limit.js';
import { Bulkhead } from './bulkhead.js';

/** What a replica of a service is asked at a time. */
const MAX_RUNNING = 64;
const MIN_RUNNING = 32;
const MAX_STRANGERS = 32;
const MAX_WAITING_STRANGERS = 256;
/** More than a client that is not careless sends at once. */
const MAX_WAITING_OF_TENANT = 512;
/** As many connections as careful clients have. */
const MODEST = 64;
const BURST_MS = 300;
/** Bodies and answers that pass through as fast as the client goes, of a replica of a service; one owner has a quarter. */
const MAX_TRANSFERS = 64;
/** Large bodies that a replica holds until all of them is there: 240 MiB of files. One owner has a quarter. */
const MAX_HELD = 12;

interface OfService {
  readonly limit: AdaptiveLimit;
  readonly tenants: Bulkhead;
  readonly strangers: Bulkhead;
  readonly uploads: Bulkhead;
  readonly streamedUploads: Bulkhead;
  readonly downloads: Bulkhead;
  readonly strangersDownloads: Bulkhead;
}

/** Requests that are under way, by service: those of tenants, who take turns, and those without a caller, whose addresses do. */
export class Bulkheads {
  private readonly services = new Map<ServiceName, OfService>();

  constructor(private readonly config: GatewayConfig) {}

  /** Waits for a place and gives what frees it. One tenant's requests, however slow, leave a quarter to the others; strangers take turns by address. */
  enter(service: ServiceName, tenantId: string | undefined, address: string): Promise<() => void> {
    const { tenants, strangers } = this.of(service);
    return tenantId === undefined ? strangers.enter(networkOf(address)) : tenants.enter(tenantId);
  }

  /**
   * The same for a body that the client is still sending: it has places of its own, however slow it is; fewer where the service
   * holds all of it than where it reads it as it comes.
   */
  enterUpload(service: ServiceName, tenantId: string, isStreamed: boolean): Promise<() => void> {
    const { uploads, streamedUploads } = this.of(service);
    return (isStreamed ? streamedUploads : uploads).enter(tenantId);
  }

  /** The same for an answer that the client still has to read. */
  enterDownload(service: ServiceName, tenantId: string | undefined, address: string): Promise<() => void> {
    const { downloads, strangersDownloads } = this.of(service);
    return tenantId === undefined ? strangersDownloads.enter(networkOf(address)) : downloads.enter(tenantId);
  }

  /** What a service says of a request: how long it waited there. */
  observe(service: ServiceName, waitedMs: number): void {
    this.of(service).limit.observe(waitedMs);
  }

  private of(service: ServiceName): OfService {
    let found = this.services.get(service);
    if (!found) this.services.set(service, (found = this.make(service)));
    return found;
  }

  private make(service: ServiceName): OfService {
    const replicas = Math.max(1, this.config.services.all(service).length);
    const limit = new AdaptiveLimit(MAX_RUNNING * replicas, MIN_RUNNING * replicas);
    const { burstMs = BURST_MS } = this.config;
    const transfers = (places = MAX_TRANSFERS): Bulkhead =>
      new Bulkhead({ running: places * replicas, waiting: Infinity, ownersShare: 1 / 4 });
    return {
      limit,
      tenants: new Bulkhead({
        running: limit,
        waiting: MAX_WAITING_OF_TENANT,
        ownersShare: 3 / 4,
        modest: MODEST,
        burstMs,
      }),
      strangers: new Bulkhead({
        running: MAX_STRANGERS,
        waiting: MAX_WAITING_STRANGERS,
        waitingInAll: MAX_WAITING_STRANGERS,
      }),
      uploads: transfers(MAX_HELD),
      streamedUploads: transfers(),
      downloads: transfers(),
      strangersDownloads: transfers(),
    };
  }
}
