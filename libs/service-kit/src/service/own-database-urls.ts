import { ConfigurationError, type EnvReader } from '../config/env-reader.js';
import type { DatabaseUrls } from './start-options.js';

const PROTOCOLS = ['postgres', 'postgresql'];

/**
 * A service's database that somebody else made; null where it makes its own.
 * @throws ConfigurationError also for half of it, which would have it make another one and leave this one empty.
 */
export function ownDatabaseUrls(read: EnvReader): DatabaseUrls | null {
  const appUrl = read.url('DATABASE_URL', PROTOCOLS);
  const ownerUrl = read.url('DATABASE_OWNER_URL', PROTOCOLS);
  const ingestUrl = read.url('DATABASE_INGEST_URL', PROTOCOLS) ?? null;
  if (appUrl && ownerUrl) return { appUrl, ownerUrl, ingestUrl };
  if (!appUrl && !ownerUrl && ingestUrl === null) return null;
  throw new ConfigurationError(
    'DATABASE_URL and DATABASE_OWNER_URL belong together (usage: DATABASE_INGEST_URL with them): set both, or none of them.',
  );
}
