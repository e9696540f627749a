import { expect, it } from '@jest/globals';
import { assertNoDrift } from '@kontor/persistence';
import { migrationsOf } from '@kontor/service-kit';
import { testDatabase } from '@kontor/testing';
import { notificationsService } from '../src/index.js';

it('rows and migrations agree', async () => {
  const db = await testDatabase('notifications', migrationsOf(notificationsService), notificationsService.rows);
  await expect(assertNoDrift(db.database, notificationsService.rows)).resolves.toBeUndefined();
  await db.drop();
});
