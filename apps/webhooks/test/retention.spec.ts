import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid, ulidAt, uuidAt } from '@kontor/kernel';
import { forgetOld } from '@kontor/persistence';
import { ServiceConfig } from '@kontor/service-kit';
import { howMany, showProgress, statementsOf, statementsReading } from '@kontor/testing';
import { webhooksMigrations } from '../src/db/migrations.js';
import { retention } from '../src/retention.js';
import { type World, world } from './world.js';

let here: World;
beforeAll(async () => {
  here = await world();
});
afterAll(() => here.stop());

const DAY_MS = 86_400_000;
const now = Date.now();
const ago = (days: number): Date => new Date(now - days * DAY_MS);
const settings = (env: Record<string, string> = {}): ServiceConfig =>
  new ServiceConfig('webhooks', { SECRETS_KEY: '0'.repeat(64), ...env });

/** Ids that differ, of a time: SQL over `n`. */
const ulid = (at: Date): string => `'${ulidAt(at).slice(0, 10)}' || lpad(n::text, 16, '0')`;
const uuid = (at: Date): string => `('${uuidAt(at).slice(0, 24)}' || lpad(to_hex(n), 12, '0'))::uuid`;

const events = (tenantId: string, at: Date, count: number, from = 1): Promise<unknown> =>
  here.webhooks.peek(
    `INSERT INTO webhook_event (tenant_id, id, type, object_id, sequence, data, created_at)
     SELECT $1, ${ulid(at)}, 'invoice.paid', 'object-' || n, 1, '{}', '2020-01-01' FROM generate_series(${from}, ${from + count - 1}) n`,
    [tenantId],
  );
const deliveries = async (tenantId: string, at: Date, count: number, status = 'delivered'): Promise<string> => {
  const endpointId = newUuid();
  await here.webhooks.peek(
    `INSERT INTO webhook_endpoint (tenant_id, id, version, url, events, enabled, secret, created_at)
     VALUES ($1, $2, 1, 'https://hooks.example.com/', '["*"]', false, '', now())`,
    [tenantId, endpointId],
  );
  await here.webhooks.peek(
    `WITH made AS (
       INSERT INTO delivery (tenant_id, id, endpoint_id, event_id, event_type, object_id, sequence, status, head, next_attempt_at)
       SELECT $1, ${ulid(at)}, $2, ${ulid(at)}, 'invoice.paid', 'object-' || n, 1, $3, false,
         CASE WHEN $3 = 'pending' THEN now() END
       FROM generate_series(1, ${count}) n RETURNING id)
     INSERT INTO delivery_attempt (tenant_id, delivery_id, n, at, duration_ms) SELECT $1, id, 1, now(), 1 FROM made`,
    [tenantId, endpointId, status],
  );
  return endpointId;
};
const activities = (tenantId: string, at: Date, pinned: boolean): Promise<unknown> =>
  here.webhooks.peek(
    `INSERT INTO activity (tenant_id, id, type, at, metadata, pinned)
     SELECT $1, ${uuid(at)}, 'note', now(), '{}', $2 FROM generate_series(${pinned ? '1, 3' : '4, 9'}) n`,
    [tenantId, pinned],
  );
const countOf = async (table: string, tenantId: string): Promise<number> => {
  const [row] = await here.webhooks.peek<{ n: bigint }>(`SELECT count(*) AS n FROM ${table} WHERE tenant_id = $1`, [
    tenantId,
  ]);
  return Number(row!.n);
};
async function forget(tenantId: string, config: ServiceConfig): Promise<number[]> {
  const counts: number[] = [];
  for (const rule of retention(config))
    counts.push(await forgetOld(here.webhooks.service.kit.database, tenantId, rule));
  return counts;
}

describe('what the webhooks service forgets', () => {
  it('is deliveries after 30 days and events after 90 that have arrived so long ago, whatever the tenant’s clock said', async () => {
    const [tenantId, other] = [newUuid(), newUuid()];
    for (const id of [tenantId, other]) {
      for (const days of [0, 29, 31, 89, 91]) await events(id, ago(days), 10);
      for (const days of [0, 29, 31, 89, 91]) await deliveries(id, ago(days), 10);
      await activities(id, ago(4_000), true);
      await activities(id, ago(4_000), false);
    }
    expect(await forget(tenantId, settings())).toEqual([0, 30, 10, 0]);
    expect(await countOf('delivery', tenantId)).toBe(20);
    expect(await countOf('delivery_attempt', tenantId)).toBe(20);
    expect(await countOf('webhook_event', tenantId)).toBe(40);
    expect(await countOf('activity', tenantId)).toBe(9);
    expect(await countOf('webhook_event', other)).toBe(50);
    expect(await forget(tenantId, settings())).toEqual([0, 0, 0, 0]);
  });

  it('is the same in a database that orders texts as a language does', async () => {
    const tenantId = newUuid();
    const order = (of: string): Promise<unknown> =>
      here.webhooks.peek(`ALTER TABLE webhook_event ALTER id TYPE text COLLATE ${of}`);
    await events(tenantId, ago(91), 10);
    await order('"de-x-icu"');
    try {
      expect(await forget(tenantId, settings())).toEqual([0, 0, 10, 0]);
    } finally {
      await order('"default"');
    }
  });

  it('follows the settings; what is pinned, and what a receiver still waits for, stays', async () => {
    const tenantId = newUuid();
    for (const days of [20, 10, 5]) await events(tenantId, ago(days), 4);
    await deliveries(tenantId, ago(20), 4);
    await deliveries(tenantId, ago(10), 4, 'pending');
    await activities(tenantId, ago(20), true);
    await activities(tenantId, ago(20), false);
    const short = settings({ WEBHOOK_DELIVERY_DAYS: '3', EVENT_LOG_DAYS: '3', ACTIVITY_DAYS: '3' });
    expect(await forget(tenantId, short)).toEqual([0, 4, 4, 6]);
    expect(await countOf('delivery', tenantId)).toBe(4);
    expect(await forget(tenantId, settings({ WEBHOOK_DELIVERY_DAYS: '0', EVENT_LOG_DAYS: '0' }))).toEqual([0, 0, 0, 0]);
  });

  it('is all deliveries of a receiver that was removed, whatever their number, age and state', async () => {
    const { id: tenantId, send } = await here.tenant();
    const kept = await deliveries(tenantId, ago(3), 5);
    const removed = [await deliveries(tenantId, ago(2), 3_000), await deliveries(tenantId, ago(1), 10, 'pending')];
    for (const id of removed) {
      const statements = await statementsOf(async () =>
        expect((await send('DELETE', `/webhooks/${id}`)).status).toBe(204),
      );
      // Millions of them would keep everybody's events waiting for the receiver's row.
      expect(statements.filter(({ text }) => text.includes('DELETE FROM delivery'))).toEqual([]);
    }
    expect(await countOf('delivery', tenantId)).toBe(3_015);
    expect(await forget(tenantId, settings())).toEqual([3_010, 0, 0, 0]);
    expect(
      await here.webhooks.peek('SELECT DISTINCT endpoint_id AS id FROM delivery WHERE tenant_id = $1', [tenantId]),
    ).toEqual([{ id: kept }]);
    expect(await countOf('delivery_attempt', tenantId)).toBe(5);
  });

  it('is found without looking at the deliveries while no receiver was removed', async () => {
    const tenantId = newUuid();
    for (const days of [1, 2, 3]) await deliveries(tenantId, ago(days), 1_000);
    const { database } = here.webhooks.service.kit;
    const [ofRemoved] = retention(settings());
    expect(await statementsReading(500, () => forgetOld(database, tenantId, ofRemoved!))).toEqual([]);
  });

  it('is refused as a setting when a delivery would outlive its event', () => {
    expect(() => retention(settings({ WEBHOOK_DELIVERY_DAYS: '91' }))).toThrow(/must not be more than EVENT_LOG_DAYS/);
    expect(() => retention(settings({ WEBHOOK_DELIVERY_DAYS: '0' }))).toThrow(/must not be more than EVENT_LOG_DAYS/);
    expect(() => retention(settings({ ACTIVITY_DAYS: '-1' }))).toThrow(/ACTIVITY_DAYS/);
  });

  it('goes in portions, however much it is, while new events are written', async () => {
    const all = howMany(20_000, 10_000_000);
    const tenantId = newUuid();
    const piece = Math.min(all, 100_000);
    for (let done = 0; done < all; done += piece) {
      await events(tenantId, ago(100), piece, done + 1);
      showProgress('events made', done, all);
    }
    const database = here.webhooks.service.kit.database;
    const rule = retention(settings())[2]!;
    let isDone = false;
    let written = 0;
    const writing = (async () => {
      for (; !isDone; written++) await events(tenantId, new Date(Date.now() + written * 1_000), 1);
    })();
    const statements = await statementsOf(async () => {
      expect(await forgetOld(database, tenantId, rule)).toBe(all);
      isDone = true;
      await writing;
    });
    expect(statements.filter(({ text }) => text.includes('DELETE FROM webhook_event')).length).toBe(all / 2_000 + 1);
    expect(written).toBeGreaterThan(0);
    expect(await countOf('webhook_event', tenantId)).toBe(written);
  });
});

it('names of imported files go out of entries that were made before', async () => {
  const tenantId = newUuid();
  const entry = (type: string): Promise<unknown> =>
    here.webhooks.peek(
      `INSERT INTO activity (tenant_id, id, type, at, metadata) VALUES ($1, $2, $3, now(), '{"fileName":"x.csv","lines":3}')`,
      [tenantId, newUuid(), type],
    );
  await entry('import.completed');
  await entry('note');
  const { sql } = webhooksMigrations.find(({ name }) => name === 'webhooks_0006_import_entries')!;
  await here.webhooks.peek(sql);
  expect(
    await here.webhooks.peek('SELECT type, metadata FROM activity WHERE tenant_id = $1 ORDER BY type', [tenantId]),
  ).toEqual([
    { type: 'import.completed', metadata: { lines: 3 } },
    { type: 'note', metadata: { fileName: 'x.csv', lines: 3 } },
  ]);
});
