import { expect, it } from '@jest/globals';
import { MESSAGING_TABLES_WITHOUT_POLICY } from '@kontor/messaging';
import { assertNoDrift, PERSISTENCE_TABLES_WITHOUT_POLICY } from '@kontor/persistence';
import { migrationsOf } from '@kontor/service-kit';
import { tablesWithoutPolicy, testDatabase } from '@kontor/testing';
import { notificationsService } from '../src/index.js';

it('rows and migrations agree, and only infrastructure has no policy', async () => {
  const db = await testDatabase('notifications', migrationsOf(notificationsService), notificationsService.rows);
  await expect(assertNoDrift(db.database, notificationsService.rows)).resolves.toBeUndefined();
  expect(await tablesWithoutPolicy(db)).toEqual(
    [...PERSISTENCE_TABLES_WITHOUT_POLICY, ...MESSAGING_TABLES_WITHOUT_POLICY, 'replica_backfill'].sort(),
  );
  await db.drop();
});
