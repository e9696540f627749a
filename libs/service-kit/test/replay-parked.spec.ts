import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { migrationsOf } from '@kontor/service-kit';
import { eventually, testDatabase, type TestDatabase, testService } from '@kontor/testing';
import { sampleService } from './sample-service.js';

describe('what was put aside before a service starts', () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase(sampleService.name, migrationsOf(sampleService), sampleService.rows);
  });
  afterAll(() => db.drop());

  it('is tried again, and stays where it fails again', async () => {
    const [event, tenant] = [newUuid(), newUuid()];
    await db.peek(
      `INSERT INTO parked (consumer, event_id, tenant_id, type, topic, aggregate_id, envelope, reason, error)
       VALUES ('OnNote', $1, $2, 'x', 'y', 'z', 'no event', 'poison', 'what it was')`,
      [event, tenant],
    );
    const service = await testService(sampleService, { db });
    const errors = (): Promise<{ error: string }[]> => db.peek('SELECT error FROM parked WHERE event_id = $1', [event]);
    await eventually(async () => (await errors())[0]!.error !== 'what it was', 'tried again');
    expect((await errors())[0]!.error).toContain('JSON');
    await service.stop();
    expect(await errors()).toHaveLength(1);
  });
});
