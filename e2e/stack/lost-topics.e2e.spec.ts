import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';
import { eventually } from '../support/api.js';
import { aCustomer } from '../support/catalogue.js';
import { Databases } from '../support/databases.js';
import { invariants } from '../support/invariants.js';
import { Frozen, pidsOf } from '../support/processes.js';
import { describeOnKafka } from '../support/requirements.js';
import { advance, System } from '../support/system.js';

const TOPIC = 'billing.customer';

describeOnKafka('a topic of Kafka that is deleted while a service has not read it', () => {
  let system: System;
  beforeAll(async () => {
    system = await System.sharedStack();
  });

  it("is filled again: the service catches up, and the tenant's clock comes to rest", async () => {
    const { api, tenantId } = await system.sandbox({ now: '2026-01-10T09:00:00.000Z' });
    const databases = await Databases.of(system.dataDir);
    const copies = async (): Promise<number> =>
      (
        await databases.query<{ n: number }>(
          'kontor_notifications',
          `SELECT count(*)::int AS n FROM replica WHERE tenant_id = $1 AND kind = 'customer'`,
          [tenantId],
        )
      )[0]!.n;
    const published = async (): Promise<number> =>
      (
        await databases.query<{ n: number }>(
          'kontor_billing',
          `SELECT coalesce(sum(n), 0)::int AS n FROM published_count WHERE tenant_id = $1 AND type LIKE 'billing.customer.%'`,
          [tenantId],
        )
      )[0]!.n;
    await aCustomer(api);
    await advance(api, '2026-01-11T09:00:00.000Z');
    const [known, before] = [await copies(), await published()];
    const { brokers } = JSON.parse(readFileSync(join(system.dataDir, 'processes.json'), 'utf8')) as { brokers: string };
    const admin = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    const frozen = Frozen.freeze(pidsOf('notifications', system.dataDir));
    try {
      for (let n = 0; n < 5; n++) await aCustomer(api);
      await eventually('the customers are published', async () => (await published()) >= before + 5);
      await admin.deleteTopics({ topics: [TOPIC] });
    } finally {
      frozen.thaw();
      await admin.disconnect();
    }
    await advance(api, '2026-01-12T09:00:00.000Z');
    expect(await copies()).toBe(known + 5);
    await databases.end();
    expect(await invariants(system.dataDir)).toEqual({ code: 0, output: expect.stringContaining(' 0 violations') });
    const health = async (): Promise<boolean> => (await system.api.get('/health')).body.status === 'ready';
    await eventually('health says that all is well', health);
  });
});
