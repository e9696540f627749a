import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { ConfigurationError, ServiceConfig } from '@kontor/service-kit';

const TIMEOUT_MS = 2_000;
const TRIES = 2;

/** Reads TXT records, from the name servers of `DNS_SERVERS` where they are set: nobody else's hosts file has a say. */
@Injectable()
export class TextRecords {
  private readonly resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });

  constructor(config: ServiceConfig) {
    const servers = config.read.texts('DNS_SERVERS');
    if (servers.length === 0) return;
    try {
      this.resolver.setServers([...servers]);
    } catch {
      throw new ConfigurationError('DNS_SERVERS must be addresses of name servers with commas, like 192.0.2.53.');
    }
  }

  /** Whether a name has a record with exactly this text. What else it has is shown to nobody; who does not answer has none. */
  async has(name: string, text: string): Promise<boolean> {
    const records = await this.resolver.resolveTxt(name).catch(() => []);
    return records.some((parts) => parts.join('') === text);
  }
}
