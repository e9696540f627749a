import { ConfigurationError, type EnvReader } from '../config/env-reader.js';
import type { DatabaseUrls } from './start-options.js';

/**
 * A service's database that somebody else made; null where it makes its own.
 * @throws ConfigurationError also for half of it, which would have it make another one and leave this one empty.
 */
export function ownDatabaseUrls(read: EnvReader): DatabaseUrls | null {
  const appUrl = read.databaseUrl('DATABASE_URL');
  const ownerUrl = read.databaseUrl('DATABASE_OWNER_URL');
  const ingestUrl = read.databaseUrl('DATABASE_INGEST_URL') ?? null;
  if (appUrl && ownerUrl) return { appUrl, ownerUrl, ingestUrl };
  if (!appUrl && !ownerUrl && ingestUrl === null) return null;
  throw new ConfigurationError(
    'DATABASE_URL and DATABASE_OWNER_URL belong together (usage: DATABASE_INGEST_URL with them): set both, or none of them.',
  );
}
