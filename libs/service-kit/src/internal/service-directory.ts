import type { ServiceName } from '@kontor/contracts';
import { type Environment, EnvReader } from '../config/env-reader.js';
import { ServiceUnavailable } from './errors.js';

/** Where services listen. Embedded: filled as they start; distributed: `<SERVICE>_URL`, several replicas with commas. */
export class ServiceDirectory {
  private readonly urls = new Map<string, readonly string[]>();
  private turn = 0;

  static fromEnv(env: Environment, names: readonly string[]): ServiceDirectory {
    const read = new EnvReader(env);
    const directory = new ServiceDirectory();
    for (const name of names) {
      const text = read.text(`${name.toUpperCase().replaceAll('-', '_')}_URL`);
      if (text) directory.set(name as ServiceName, ...text.split(',').map((url) => url.trim().replace(/\/+$/, '')));
    }
    return directory;
  }

  set(service: ServiceName, ...urls: string[]): void {
    this.urls.set(service, urls);
  }

  all(service: ServiceName): readonly string[] {
    return this.urls.get(service) ?? [];
  }

  /** One of a service's replicas, in turn. @throws ServiceUnavailable when none is known. */
  pick(service: ServiceName): string {
    const urls = this.all(service);
    const url = urls[this.turn++ % Math.max(urls.length, 1)];
    if (url === undefined) throw new ServiceUnavailable(service);
    return url;
  }
}
