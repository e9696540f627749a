import { expect, it } from '@jest/globals';
import { assertNoDrift } from '@kontor/persistence';
import { migrationsOf } from '@kontor/service-kit';
import { testDatabase } from '@kontor/testing';
import { offersService } from '../src/index.js';

it('rows and migrations agree', async () => {
  const db = await testDatabase('offers', migrationsOf(offersService), offersService.rows);
  await expect(assertNoDrift(db.database, offersService.rows)).resolves.toBeUndefined();
  await db.drop();
});
