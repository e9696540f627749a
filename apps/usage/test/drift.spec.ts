import { expect, it } from '@jest/globals';
import { assertNoDrift } from '@kontor/persistence';
import { migrationsOf } from '@kontor/service-kit';
import { testDatabase } from '@kontor/testing';
import { usageService } from '../src/index.js';

it('rows and migrations agree', async () => {
  const db = await testDatabase('usage', migrationsOf(usageService), usageService.rows, { ingest: true });
  await expect(assertNoDrift(db.database, usageService.rows)).resolves.toBeUndefined();
  await db.drop();
});
