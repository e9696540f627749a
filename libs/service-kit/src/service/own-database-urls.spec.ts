import { describe, expect, it } from '@jest/globals';
import { EnvReader } from '../config/env-reader.js';
import { ownDatabaseUrls } from './own-database-urls.js';

describe('a database that somebody else made', () => {
  const of = (env: Record<string, string>) => ownDatabaseUrls(new EnvReader(env));
  const DATABASE_URL = 'postgres://app:a@db/billing';
  const DATABASE_OWNER_URL = 'postgres://owner:o@db/billing';

  it('is named by both of its roles', () =>
    expect(of({ DATABASE_URL, DATABASE_OWNER_URL })).toEqual({
      appUrl: DATABASE_URL,
      ownerUrl: DATABASE_OWNER_URL,
      ingestUrl: null,
    }));

  it('is none without them', () => expect(of({ DATABASE_URL: '' })).toBeNull());

  it.each<Record<string, string>>([{ DATABASE_URL }, { DATABASE_OWNER_URL }, { DATABASE_INGEST_URL: DATABASE_URL }])(
    'is refused by half: %o',
    (half) => expect(() => of(half)).toThrow(/DATABASE_URL and DATABASE_OWNER_URL belong together/),
  );
});
