import type { ServiceName } from '@kontor/contracts';
import { ConfigurationError, type Environment, EnvReader } from '../config/env-reader.js';
import { ServiceUnavailable } from './errors.js';

const REFUSED_MS = 1_000;
/** One that stands still may do so for long, and whoever asks it waits until it is given up. */
const TIMED_OUT_MS = 10_000;

const variableOf = (service: string): string => `${service.toUpperCase().replaceAll('-', '_')}_URL`;

/** Where services listen. Embedded: filled as they start; distributed: `<SERVICE>_URL`, several replicas with commas. */
export class ServiceDirectory {
  private readonly urls = new Map<string, readonly string[]>();
  private readonly avoidUntil = new Map<string, number>();
  /** Requests that wait for an answer, by replica. */
  private readonly waiting = new Map<string, number>();
  private turn = 0;

  static fromEnv(env: Environment, names: readonly string[]): ServiceDirectory {
    const read = new EnvReader(env);
    const directory = new ServiceDirectory();
    for (const name of names) {
      const urls = read.urls(variableOf(name), ['http', 'https']);
      if (urls.length > 0) directory.set(name as ServiceName, ...urls.map((url) => url.replace(/\/+$/, '')));
    }
    return directory;
  }

  /** @throws ConfigurationError when nobody said where one of these services is. */
  require(services: readonly ServiceName[]): this {
    const missing = services.find((service) => this.all(service).length === 0);
    if (missing)
      throw new ConfigurationError(
        `${variableOf(missing)} must be the address of the ${missing} service, such as http://127.0.0.1:3001.`,
      );
    return this;
  }

  /** One that is named twice counts once. */
  set(service: ServiceName, ...urls: string[]): void {
    this.urls.set(service, [...new Set(urls)]);
  }

  all(service: ServiceName): readonly string[] {
    return this.urls.get(service) ?? [];
  }

  /**
   * The replica of a service that the fewest requests wait for, in turn where these are as many: one that stands still keeps what it was
   * asked, and is asked no more than that. Those of `except` never, those that refused or did not answer a moment ago only when there is
   * no other. @throws ServiceUnavailable
   */
  pick(service: ServiceName, except: ReadonlySet<string> = new Set()): string {
    const left = this.all(service).filter((url) => !except.has(url));
    const now = performance.now();
    const good = left.filter((url) => (this.avoidUntil.get(url) ?? 0) <= now);
    const candidates = good.length > 0 ? good : left;
    const fewest = Math.min(...candidates.map((url) => this.waitingFor(url)));
    const free = candidates.filter((url) => this.waitingFor(url) === fewest);
    const url = free[this.turn++ % Math.max(free.length, 1)];
    if (url === undefined) throw new ServiceUnavailable(service);
    return url;
  }

  /** A request goes to this replica; what is returned is called when it has ended, however it did. */
  enter(url: string): () => void {
    this.waiting.set(url, this.waitingFor(url) + 1);
    let hasEnded = false;
    return () => {
      if (!hasEnded) this.waiting.set(url, this.waitingFor(url) - 1);
      hasEnded = true;
    };
  }

  /** This replica does not take connections: the others are asked for a second. */
  refused(url: string): void {
    this.avoidUntil.set(url, performance.now() + REFUSED_MS);
  }

  /** This replica did not answer in time: the others are asked for a while. */
  timedOut(url: string): void {
    this.avoidUntil.set(url, performance.now() + TIMED_OUT_MS);
  }

  private waitingFor(url: string): number {
    return this.waiting.get(url) ?? 0;
  }
}
