import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Databases } from './support/databases.js';
import { runTool } from './support/run-tool.js';
import { System } from './support/system.js';

const NO_TENANT = '00000000-0000-0000-0000-000000000000';

describe('events that were put aside', () => {
  let system: System;
  let databases: Databases;
  beforeAll(async () => {
    system = await System.sharedToBeKilled();
    databases = await Databases.of(system.dataDir);
  });
  afterAll(async () => databases?.end());

  const run = (...args: string[]) => runTool('parked.mjs', system.dataDir, { args });

  const park = async (reason: 'poison' | 'behind', error: string | null): Promise<string> =>
    (
      await databases.query<{ id: string }>(
        'kontor_notifications',
        `INSERT INTO parked (consumer, event_id, tenant_id, type, topic, aggregate_id, envelope, reason, error)
         VALUES ('notifications', gen_random_uuid(), $1, 'unreadable', 'billing.customer', 'billing.customer/0@7', 'no event', $2, $3)
         RETURNING id::text`,
        [NO_TENANT, reason, error],
      )
    )[0]!.id;

  it('are listed by npm run parked, and what can never be applied is given up there', async () => {
    const poison = await park('poison', 'it is no JSON');
    const behind = await park('behind', null);
    const { code, output } = await run();
    expect(code).toBe(0);
    expect(output).toContain(
      `notifications ${poison}: unreadable of billing.customer/0@7 (billing.customer), tenant ${NO_TENANT}`,
    );
    expect(output).toMatch(/since 20\d\d-.+Z: it is no JSON\n/);
    expect(output).toContain('waits behind an earlier one');
    expect(await run('discard', 'notifications', behind)).toMatchObject({
      code: 1,
      output: expect.stringContaining('Nothing is wrong with'),
    });
    expect(await run('discard', 'notifications', poison)).toMatchObject({
      code: 0,
      output: expect.stringContaining(`notifications gave up ${poison}`),
    });
    await databases.query('kontor_notifications', 'DELETE FROM parked WHERE id = $1', [behind]);
    expect(await run()).toEqual({ code: 0, output: 'No event was put aside.\n' });
    const [quarantined] = await databases.query<{ id: string }>(
      'kontor_notifications',
      `INSERT INTO outbox_quarantine (outbox_id, event_id, tenant_id, topic, aggregate_id)
       VALUES (1, gen_random_uuid(), $1, 'notifications.mail', 'refused') RETURNING event_id::text AS id`,
      [NO_TENANT],
    );
    expect((await run()).output).toContain(
      `notifications relay: event ${quarantined!.id} of refused (notifications.mail), tenant ${NO_TENANT}`,
    );
    await databases.query('kontor_notifications', `DELETE FROM outbox_quarantine WHERE aggregate_id = 'refused'`);
    const again = await run('discard', 'notifications', poison);
    expect(again).toEqual({ code: 1, output: `notifications has put no event aside as ${poison}.\n` });
    expect(await run('discard', 'nobody', '1')).toMatchObject({ code: 1, output: expect.stringContaining('Usage: ') });
  });
});
