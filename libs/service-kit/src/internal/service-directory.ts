import type { ServiceName } from '@kontor/contracts';
import { type Environment, EnvReader } from '../config/env-reader.js';
import { ServiceUnavailable } from './errors.js';

const AVOID_MS = 1000;

/** Where services listen. Embedded: filled as they start; distributed: `<SERVICE>_URL`, several replicas with commas. */
export class ServiceDirectory {
  private readonly urls = new Map<string, readonly string[]>();
  private readonly avoidUntil = new Map<string, number>();
  private turn = 0;

  static fromEnv(env: Environment, names: readonly string[]): ServiceDirectory {
    const read = new EnvReader(env);
    const directory = new ServiceDirectory();
    for (const name of names) {
      const urls = read.urls(`${name.toUpperCase().replaceAll('-', '_')}_URL`, ['http', 'https']);
      if (urls.length > 0) directory.set(name as ServiceName, ...urls.map((url) => url.replace(/\/+$/, '')));
    }
    return directory;
  }

  /** One that is named twice counts once. */
  set(service: ServiceName, ...urls: string[]): void {
    this.urls.set(service, [...new Set(urls)]);
  }

  all(service: ServiceName): readonly string[] {
    return this.urls.get(service) ?? [];
  }

  /** One of a service's replicas, in turn; those of `except` never, those that just refused only when there is no other. @throws ServiceUnavailable */
  pick(service: ServiceName, except: ReadonlySet<string> = new Set()): string {
    const left = this.all(service).filter((url) => !except.has(url));
    const now = Date.now();
    const good = left.filter((url) => (this.avoidUntil.get(url) ?? 0) <= now);
    const candidates = good.length > 0 ? good : left;
    const url = candidates[this.turn++ % Math.max(candidates.length, 1)];
    if (url === undefined) throw new ServiceUnavailable(service);
    return url;
  }

  /** This replica does not take connections: the others are asked for a second. */
  refused(url: string): void {
    this.avoidUntil.set(url, Date.now() + AVOID_MS);
  }
}
