import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DueRunner, setTenantClock } from '@kontor/persistence';
import { apiKeyPrincipal, lockWaiters, testService, type TestService } from '@kontor/testing';
import pg from 'pg';
import { Retention } from '../src/partitions/retention.js';
import { usageService } from '../src/index.js';
import { BillingStandIn } from './support/billing-stand-in.js';
import { tenantOf, usageEvent } from './support/tenant.js';

const PATH = '/api/usage-events';
const DAY_MS = 86_400_000;
let usage: TestService;
let billing: BillingStandIn;

beforeAll(async () => {
  billing = await BillingStandIn.start();
  usage = await testService(usageService, { now: new Date(), directory: billing.directory });
});
afterAll(async () => {
  await usage.stop();
  await billing.stop();
});

async function tenant(retentionDays = 400) {
  const made = await tenantOf(usage);
  await usage.giveCopy('settings', made.id, made.id, { usageRetentionDays: retentionDays });
  return made;
}
const event = (transactionId: string, changes: object = {}): object =>
  usageEvent(transactionId, { timestamp: new Date().toISOString(), ...changes });
const leafOf = (day: Date): string => `usage_event_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;

describe('the tables of usage events', () => {
  const asRole = async (url: string, sql: string): Promise<string> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return String((await client.query(sql)).rowCount);
    } catch (error) {
      return (error as { code: string }).code;
    } finally {
      await client.end();
    }
  };
  const DENIED = '42501';

  it('no role gets around row-level security through a leaf', async () => {
    const { send } = await tenant();
    await send('POST', PATH, { events: [event('a')] });
    const leaf = leafOf(new Date());
    for (const table of [leaf, 'usage_event_key_all']) {
      expect(await asRole(usage.db.appUrl, `SELECT 1 FROM ${table}`)).toBe(DENIED);
      expect(await asRole(usage.db.appUrl, `DELETE FROM ${table}`)).toBe(DENIED);
      expect(await asRole(usage.db.ingestUrl!, `SELECT 1 FROM ${table}`)).toBe(DENIED);
      expect(await asRole(usage.db.ingestUrl!, `DELETE FROM ${table}`)).toBe(DENIED);
    }
    expect(await asRole(usage.db.appUrl, 'SELECT 1 FROM usage_event')).toBe('0');
    expect(await asRole(usage.db.ingestUrl!, 'SELECT 1 FROM usage_event')).toBe(DENIED);
  });

  it('days are there a week ahead', async () => {
    const leaves = await usage.peek<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relispartition AND relkind = 'r'",
    );
    for (const ahead of [-1, 0, 1, 7])
      expect(leaves.map(({ name }) => name)).toContain(leafOf(new Date(Date.now() + ahead * DAY_MS)));
  });

  it('a day that two replicas make at once is made once', async () => {
    const sessions = [1, 2].map(() => new pg.Client({ connectionString: usage.db.appUrl }));
    try {
      await Promise.all(sessions.map((session) => session.connect()));
      const [first, second] = sessions as [pg.Client, pg.Client];
      const make = async (session: pg.Client): Promise<boolean> =>
        (await session.query<{ made: boolean }>(`SELECT usage_make_leaf('2070-01-01') AS made`)).rows[0]!.made;
      await first.query('BEGIN');
      expect(await make(first)).toBe(true);
      const waiting = make(second);
      await lockWaiters(usage.db, 1);
      await first.query('COMMIT');
      expect(await waiting).toBe(false);
    } finally {
      await Promise.all(sessions.map((session) => session.end()));
    }
  });

  it('a day that is missing all the same is made when the first event comes', async () => {
    const { send } = await tenant();
    const dropToday = () => usage.peek(`DROP TABLE ${leafOf(new Date())}`);
    await dropToday();
    expect((await send('POST', PATH, { events: [event('a')] })).body.ingested).toBe(1);
    await dropToday();
    expect((await send('POST', PATH, { events: [event('a'), event('b')] })).body).toMatchObject({
      ingested: 1,
      duplicates: 1,
    });
    await dropToday();
    const once = { 'idempotency-key': 'once' };
    expect((await send('POST', PATH, { events: [event('c')] }, once)).body.ingested).toBe(1);
  });

  it('an event of any time is stored and found: the year 1900, the last century, tomorrow', async () => {
    const { send } = await tenant();
    const times = [
      '1900-01-01T00:00:00.000Z',
      '1969-12-31T23:59:59.999Z',
      new Date(Date.now() + DAY_MS - 60_000).toISOString(),
    ];
    const sent = await send('POST', PATH, { events: times.map((timestamp, n) => event(`t${n}`, { timestamp })) });
    expect(sent.body).toMatchObject({ ingested: 3, failed: 0 });
    const list = await send('GET', `${PATH}?direction=ASC`);
    expect(list.body.data.map((listed: { timestamp: string }) => listed.timestamp)).toEqual(times);
  });
});

describe('a voided event', () => {
  it('stays visible with the time of its voiding, once', async () => {
    const { send } = await tenant();
    await send('POST', PATH, { events: [event('a')] });
    const [{ id }] = (await send('GET', PATH)).body.data;
    const first = await send('POST', `${PATH}/${id}/void`);
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ id, transactionId: 'a', voidedAt: expect.any(String) });
    const again = await send('POST', `${PATH}/${id}/void`);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect((await send('GET', `${PATH}/${id}`)).body).toEqual(first.body);
    expect((await send('POST', PATH, { events: [event('a')] })).body).toMatchObject({ ingested: 0, duplicates: 1 });
  });

  it('is found by its own tenant only, with the permission to write', async () => {
    const [owner, stranger] = [await tenant(), await tenant()];
    await owner.send('POST', PATH, { events: [event('a')] });
    const [{ id }] = (await owner.send('GET', PATH)).body.data;
    expect((await stranger.send('POST', `${PATH}/${id}/void`)).status).toBe(404);
    expect((await owner.send('POST', `${PATH}/nonsense/void`)).status).toBe(404);
    const reader = usage.as(apiKeyPrincipal(owner.id, { permissions: ['usage-event:read'] }));
    expect((await reader('POST', `${PATH}/${id}/void`)).status).toBe(403);
    expect((await owner.send('GET', `${PATH}/${id}`)).body.voidedAt).toBeUndefined();
  });
});

describe('retention', () => {
  /** Moves a tenant's events so many days into the past, as if they had arrived then. */
  async function age(tenantId: string, days: number): Promise<string> {
    const at = new Date(Date.now() - days * DAY_MS);
    await usage.peek('SELECT usage_make_leaf($1::date)', [at.toISOString().slice(0, 10)]);
    await usage.peek(
      `WITH moved AS (DELETE FROM usage_event WHERE tenant_id = $1 RETURNING *)
       INSERT INTO usage_event
       SELECT tenant_id, overlay(gen_random_uuid()::text PLACING left(usage_id_floor($2)::text, 13) FROM 1 FOR 13)::uuid,
         customer_id, occurred_at, $2, voided_at, transaction_id, event_name, properties
       FROM moved`,
      [tenantId, at],
    );
    return leafOf(at);
  }
  const left = async (tenantId: string): Promise<number> =>
    Number(
      (await usage.peek<{ n: bigint }>('SELECT count(*) AS n FROM usage_event WHERE tenant_id = $1', [tenantId]))[0]!.n,
    );
  const exists = async (leaf: string): Promise<boolean> =>
    (await usage.peek<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [leaf]))[0]!.there;
  const run = () => usage.service.get(Retention).run();

  it('drops a day when no tenant keeps it any more, and removes the rows of those who keep less', async () => {
    const [short, long] = [await tenant(30), await tenant(100)];
    for (const { send } of [short, long]) await send('POST', PATH, { events: [event('a'), event('b')] });
    const leaf = await age(short.id, 32);
    await age(long.id, 32);
    await short.send('POST', PATH, { events: [event('young')] });

    expect(await run()).toEqual({ removed: 2, dropped: [] });
    expect([await left(short.id), await left(long.id), await exists(leaf)]).toEqual([1, 2, true]);
    expect((await short.send('POST', PATH, { events: [event('a')] })).body).toMatchObject({
      ingested: 0,
      duplicates: 1,
    });

    const older = await age(long.id, 402);
    expect((await run()).dropped).toEqual([older.replace(/usage_event_(....)(..)(..)/, '$1-$2-$3')]);
    expect([await left(short.id), await left(long.id), await exists(older)]).toEqual([1, 0, false]);
  });

  it('reads the days of the leaves, whichever tables the planner looks at first', async () => {
    // As where reading pages in any order costs more than all of pg_class.
    await usage.peek(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET enable_nestloop = off', current_database()); END $$`,
    );
    const other = await testService(usageService, { db: usage.db, directory: billing.directory });
    await expect(other.service.get(Retention).run()).resolves.toEqual({ removed: 0, dropped: [] });
    await other.stop();
    await usage.peek(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET enable_nestloop', current_database()); END $$`,
    );
  });

  it('keeps what an amount is still to be measured from, and removes it when that is billed', async () => {
    const made = await tenant(30);
    await made.send('POST', '/api/usage-metrics', {
      code: 'calls', name: 'Calls', eventName: 'api_call', aggregationType: 'count',
    }); // prettier-ignore
    await made.send('POST', PATH, { events: [event('old')] });
    const ancient = await age(made.id, 41);
    await made.send('POST', PATH, { events: [event('needed')] });
    const dayAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

    billing.since = dayAgo(80);
    await run();
    expect(await left(made.id)).toBe(2);

    billing.since = null;
    billing.isAway = true;
    await run();
    expect([await left(made.id), await exists(ancient)]).toEqual([2, true]);

    billing.isAway = false;
    billing.since = dayAgo(39);
    await run();
    expect(await left(made.id)).toBe(2);
    billing.since = dayAgo(38);
    await run();
    expect(await left(made.id)).toBe(1);
  });

  it('keeps what late events can still correct, and says with the first removal that it is incomplete', async () => {
    const made = await tenant(30);
    const { body: metric } = await made.send('POST', '/api/usage-metrics', {
      code: 'calls', name: 'Calls', eventName: 'api_call', aggregationType: 'count',
    }); // prettier-ignore
    await made.send('POST', PATH, { events: [event('used')] });
    await age(made.id, 45);
    const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);
    await usage.peek(
      `INSERT INTO usage_closing (
         tenant_id, id, item_id, customer_id, metric_id, meaning, carries, from_at, to_at, group_by, created_at)
       VALUES ($1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), $2, '', false, $3, $4, '[]', now())`,
      [made.id, metric.id, ago(44), ago(30)],
    );
    billing.since = null;
    const rawFrom = () => usage.peek('SELECT raw_from AS "from" FROM usage_tenant WHERE tenant_id = $1', [made.id]);
    await run();
    expect([await left(made.id), await rawFrom()]).toEqual([1, [{ from: null }]]);

    await usage.peek('UPDATE usage_closing SET to_at = $2 WHERE tenant_id = $1', [made.id, ago(32)]);
    await run();
    expect([await left(made.id), await rawFrom()]).toEqual([0, [{ from: expect.any(Date) }]]);
  });

  it('removes nothing because the clock of this machine is wrong', async () => {
    const live = await tenant(30);
    await live.send('POST', PATH, { events: [event('a')] });
    const leaf = await age(live.id, 20);
    const machine = Date.now;
    Date.now = () => machine() + 500 * DAY_MS;
    try {
      await run();
    } finally {
      Date.now = machine;
    }
    expect([await left(live.id), await exists(leaf)]).toEqual([1, true]);
  });

  it('removes the events of a sandbox tenant as its clock passes, not an hour later', async () => {
    const sandbox = await tenant(30);
    const start = Date.parse('2026-03-01T10:00:00.000Z');
    const clockTo = async (ms: number) => {
      const at = new Date(ms);
      await usage.service.kit.database.system((sql) => setTenantClock(sql, sandbox.id, at));
      await usage.service.get(DueRunner).runDue(sandbox.id, at);
    };
    await clockTo(start);
    await sandbox.send('POST', PATH, { events: [event('a', { timestamp: new Date(start).toISOString() })] });
    await clockTo(start + 29 * DAY_MS);
    expect(await left(sandbox.id)).toBe(1);
    await clockTo(start + 31 * DAY_MS);
    expect(await left(sandbox.id)).toBe(0);
    await sandbox.send('POST', PATH, { events: [event('b', { timestamp: new Date(start).toISOString() })] });
    await usage.giveCopy('settings', sandbox.id, sandbox.id, { usageRetentionDays: 60 }, 2);
    await clockTo(start + 70 * DAY_MS);
    expect(await left(sandbox.id)).toBe(1);
    await usage.giveCopy('settings', sandbox.id, sandbox.id, { usageRetentionDays: 30 }, 3);
    await clockTo(start + 71 * DAY_MS);
    expect(await left(sandbox.id)).toBe(0);
    expect((await sandbox.send('POST', PATH, { events: [event('a')] })).body).toMatchObject({ ingested: 0 });
  });

  it("a sandbox tenant's events follow its own clock, whatever day it really is", async () => {
    const [past, future] = [await tenant(30), await tenant(30)];
    for (const { send } of [past, future]) await send('POST', PATH, { events: [event('a')] });
    const leaf = await age(past.id, 500);
    const ofFuture = new Date(Date.now() + 2000 * DAY_MS);
    await usage.service.kit.database.system((sql) => setTenantClock(sql, past.id, new Date(Date.now() - 490 * DAY_MS)));
    await usage.service.kit.database.system((sql) => setTenantClock(sql, future.id, ofFuture));
    const sent = await future.send('POST', PATH, { events: [event('now', { timestamp: ofFuture.toISOString() })] });
    expect(sent.body).toMatchObject({ ingested: 1, failed: 0 });

    await run();
    expect(await exists(leaf)).toBe(true);
    expect([await left(past.id), await left(future.id)]).toEqual([1, 1]);
    expect((await future.send('GET', PATH)).body.data).toMatchObject([
      { transactionId: 'now', createdAt: ofFuture.toISOString() },
    ]);
  });
});

it('days in which events may still arrive stay where all tenants have a clock of their own', async () => {
  const alone = await testService(usageService, { now: new Date() });
  try {
    const { id } = await tenantOf(alone);
    await alone.giveCopy('settings', id, id, { usageRetentionDays: 400 });
    await alone.service.kit.database.system((sql) => setTenantClock(sql, id, new Date('2030-01-01T00:00:00.000Z')));
    const days = [-1, 0, 1, 7].map((ahead) => leafOf(new Date(Date.now() + ahead * DAY_MS)));
    await alone.service.get(Retention).run();
    const leaves = await alone.peek<{ name: string }>('SELECT relname AS name FROM pg_class WHERE relispartition');
    expect(leaves.map(({ name }) => name)).toEqual(expect.arrayContaining(days));
  } finally {
    await alone.stop();
  }
});
