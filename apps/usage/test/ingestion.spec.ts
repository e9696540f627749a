import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import {
  apiKeyPrincipal,
  brokenInvariants,
  eventually,
  FaultProxy,
  type Send,
  testService,
  type TestService,
} from '@kontor/testing';
import pg from 'pg';
import { usageService } from '../src/index.js';

const PATH = '/api/usage-events';
const JSON_TYPE = { 'content-type': 'application/json' };
let usage: TestService;
/** Another process of the same service. */
let replica: TestService;

beforeAll(async () => {
  usage = await testService(usageService, { now: new Date() });
  replica = await testService(usageService, { db: usage.db });
});
afterAll(async () => {
  await replica.stop();
  await usage.stop();
});

const customer = (id: string, externalId: string) => ({
  id,
  customerNumber: `K-${externalId}`,
  externalId,
  status: 'STATUS_ACTIVE',
});

async function tenant(): Promise<{ id: string; customerId: string; send: Send; sendToReplica: Send }> {
  const id = newUuid();
  const customerId = newUuid();
  await usage.giveCopy('customer', id, customerId, customer(customerId, 'crm-1'));
  return { id, customerId, send: usage.as(apiKeyPrincipal(id)), sendToReplica: replica.as(apiKeyPrincipal(id)) };
}
const event = (transactionId: string, changes: object = {}) => ({
  transactionId,
  eventName: 'api_call',
  timestamp: new Date().toISOString(),
  customerId: 'crm-1',
  properties: { bytes: 10 },
  ...changes,
});
const stored = (tenantId: string) =>
  usage.peek<{ transactionId: string; properties: unknown; transaction: string }>(
    'SELECT transaction_id AS "transactionId", properties, xmin::text AS transaction FROM usage_event WHERE tenant_id = $1 ORDER BY 1',
    [tenantId],
  );

describe('an item that cannot be stored', () => {
  const at = new Date().toISOString();
  const item = (fields: string): string =>
    `{"transactionId":"bad","eventName":"e","timestamp":"${at}","customerId":"crm-1",${fields}}`;
  const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

  it.each([
    ['a number beyond all numbers', item('"properties":{"n":1e400}'), 'invalid_type'],
    ['a number below all numbers', item('"properties":{"a":[{"n":-1e999}]}'), 'invalid_type'],
    ['a NUL character in a value', item('"properties":{"t":"a\\u0000b"}'), 'invalid_type'],
    ['a NUL character in a name', item('"properties":{"a\\u0000b":1}'), 'invalid_type'],
    ['half a surrogate pair', item('"properties":{"t":"\\ud800"}'), 'invalid_type'],
    ['the other half', item('"properties":{"t":["x\\udc00"]}'), 'invalid_type'],
    ['17 levels', item(`"properties":${nested(17)}`), 'invalid_type'],
    ['5000 levels', item(`"properties":${nested(5000)}`), 'invalid_type'],
    [
      'a NUL in its transactionId',
      `{"transactionId":"a\\u0000","eventName":"e","timestamp":"${at}","customerId":"crm-1"}`,
      'invalid_type',
    ],
    [
      'a number as transactionId',
      `{"transactionId":5,"eventName":"e","timestamp":"${at}","customerId":"crm-1"}`,
      'invalid_type',
    ],
    [
      'an object as eventName',
      `{"transactionId":"bad","eventName":{},"timestamp":"${at}","customerId":"crm-1"}`,
      'invalid_type',
    ],
    [
      'a number as timestamp',
      '{"transactionId":"bad","eventName":"e","timestamp":1767225600,"customerId":"crm-1"}',
      'invalid_type',
    ],
    [
      'no zone',
      '{"transactionId":"bad","eventName":"e","timestamp":"2026-01-01T00:00:00","customerId":"crm-1"}',
      'invalid_timestamp',
    ],
    [
      'the far future',
      '{"transactionId":"bad","eventName":"e","timestamp":"2200-12-31T23:59:59Z","customerId":"crm-1"}',
      'timestamp_in_future',
    ],
    [
      'a time beyond the bounds',
      '{"transactionId":"bad","eventName":"e","timestamp":"9999-12-31T23:59:59Z","customerId":"crm-1"}',
      'invalid_timestamp',
    ],
    [
      'the year 0',
      '{"transactionId":"bad","eventName":"e","timestamp":"0000-01-01T00:00:00Z","customerId":"crm-1"}',
      'invalid_timestamp',
    ],
    ['a list as properties', item('"properties":[1]'), 'invalid_type'],
    [
      'a text that wants to be SQL as customer',
      `{"transactionId":"bad","eventName":"e","timestamp":"${at}","customerId":"'; DROP TABLE usage_event; --"}`,
      'unknown_customer',
    ],
    ['a list as the item', '[]', 'invalid_type'],
    ['null as the item', 'null', 'invalid_type'],
  ])('with %s is its error, and its neighbours are stored', async (_what, bad, code) => {
    const { id, send } = await tenant();
    const answer = await send(
      'POST',
      PATH,
      `{"events":[${JSON.stringify(event('a'))},${bad},${JSON.stringify(event('b'))}]}`,
      JSON_TYPE,
    );
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ ingested: 2, duplicates: 0, failed: 1, errors: [{ index: 1, code }] });
    expect((await stored(id)).map(({ transactionId }) => transactionId)).toEqual(['a', 'b']);
  });

  it.each([
    ['NaN', Buffer.from('{"events":[{"properties":{"n":NaN}}]}')],
    [
      'invalid UTF-8',
      Buffer.concat([
        Buffer.from('{"events":[{"transactionId":"'),
        Buffer.from([0xc3, 0x28, 0xff]),
        Buffer.from('"}]}'),
      ]),
    ],
    ['UTF-16', Buffer.from(JSON.stringify({ events: [event('a')] }), 'utf16le')],
  ])('in a body with %s: nothing is stored', async (_what, body) => {
    const { id, send } = await tenant();
    const answer = await send('POST', PATH, body, JSON_TYPE);
    expect([answer.status, answer.body.reason]).toEqual([400, 'invalid_request']);
    expect(await stored(id)).toEqual([]);
  });

  it('is not one with any text that Unicode knows', async () => {
    const { id, send } = await tenant();
    const text = 'Größe €, 漢字, 🧮, \u2028, "quoted" \\ back, \t tab';
    const sent = event(text.slice(0, 20), {
      eventName: text,
      properties: { [text]: [text, { n: 1.7976931348623157e308, m: -0.1, e: [] }] },
    });
    expect((await send('POST', PATH, { events: [sent] })).body).toMatchObject({ ingested: 1 });
    expect((await stored(id))[0]!.properties).toEqual(sent.properties);
  });
});

/** Resolves when so many further requests have reached this process. */
const arrivals = (count: number): Promise<void> =>
  new Promise((resolve) => {
    let seen = 0;
    const onRequest = (): void => {
      if (++seen < count) return;
      unsubscribe('http.server.request.start', onRequest);
      resolve();
    };
    subscribe('http.server.request.start', onRequest);
  });

describe('requests that come at once', () => {
  it('are stored together, and each gets its own answer', async () => {
    const tenants = await Promise.all([tenant(), tenant(), tenant()]);
    await tenants[0]!.send('POST', PATH, { events: [event('known')] });
    // While the first is held up in the database, the others gather.
    const holder = new pg.Client({ connectionString: usage.db.adminUrl });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE usage_event_key_all IN EXCLUSIVE MODE');
    const allArrived = arrivals(300);
    const sent = Array.from({ length: 300 }, (_, n) =>
      tenants[n % 3]!.send('POST', PATH, { events: [event(`t${n}`), event('x', { timestamp: 'never' })] }),
    );
    await allArrived;
    // An answer now means that the requests before it have been read.
    await usage.as(null)('GET', '/internal/health');
    await holder.query('COMMIT');
    await holder.end();
    const answers = await Promise.all(sent);
    for (const { status, body } of answers) expect([status, body.ingested, body.failed]).toEqual([202, 1, 1]);
    const rows = (await Promise.all(tenants.map(({ id }) => stored(id)))).flat();
    expect(rows.length).toBe(301);
    // A handful; what a busy machine receives only after the lock is gone is stored in batches of its own.
    expect(new Set(rows.map(({ transaction }) => transaction)).size).toBeLessThan(rows.length / 2);
  });

  it('fail alone: what the database refuses for one is stored for the others, of its own tenant too', async () => {
    const [bad, good] = [await tenant(), await tenant()];
    await Promise.all([bad, good].map(({ send }) => send('POST', PATH, { events: [event('first')] })));
    const leaf = `usage_event_${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`;
    await usage.peek(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room'; END $$`,
    );
    await usage.peek(
      `CREATE TRIGGER refuse BEFORE INSERT ON ${leaf} FOR EACH ROW WHEN (NEW.transaction_id = 'boom') EXECUTE FUNCTION refuse()`,
    );
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, (_, n) => good.send('POST', PATH, { events: [event(`g${n}`)] })),
      bad.send('POST', PATH, { events: [event('boom'), event('with it')] }),
      ...Array.from({ length: 20 }, (_, n) => bad.send('POST', PATH, { events: [event(`b${n}`)] })),
    ]);
    await usage.peek(`DROP TRIGGER refuse ON ${leaf}`);
    expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(202), 500, ...Array(20).fill(202)]);
    expect([(await stored(good.id)).length, (await stored(bad.id)).length]).toEqual([21, 21]);
    expect((await bad.send('POST', PATH, { events: [event('boom'), event('with it')] })).body.ingested).toBe(2);
  });

  it('do not wait for one that hangs in the database', async () => {
    const [slow, quick] = [await tenant(), await tenant()];
    await slow.send('POST', PATH, { events: [event('warm')] });
    await quick.send('POST', PATH, { events: [event('warm')] });
    // An open transaction has the key of one event: whoever sends it too has to wait for its end.
    const holder = new pg.Client({ connectionString: usage.db.adminUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query(
      `INSERT INTO usage_event_key_all SELECT encode(substring(sha256(convert_to($1 || E'\\nheld', 'UTF8')) FOR 16), 'hex')::uuid, $1::uuid`,
      [slow.id],
    );
    const hanging = slow.send('POST', PATH, { events: [event('held')] });
    let hangs = true;
    void hanging.then(() => (hangs = false));
    await eventually(
      async () => (await usage.peek(`SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'`)).length,
      'the request waits for the key',
    );
    for (let n = 0; n < 3; n++)
      expect((await quick.send('POST', PATH, { events: [event(`q${n}`)] })).body.ingested).toBe(1);
    expect(hangs).toBe(true);
    await holder.query('ROLLBACK');
    await holder.end();
    expect((await hanging).body.ingested).toBe(1);
  });

  it('do not hang on a link to the database that goes silent', async () => {
    const { proxy, url } = await FaultProxy.inFrontOf(usage.db.ingestUrl!);
    const other = await testService(usageService, { db: { ...usage.db, ingestUrl: url } });
    const { id } = await tenant();
    const send = other.as(apiKeyPrincipal(id));
    expect((await send('POST', PATH, { events: [event('before')] })).status).toBe(202);
    proxy.abandon();
    expect((await send('POST', PATH, { events: [event('lost')] })).status).toBe(503);
    expect((await send('POST', PATH, { events: [event('lost')] })).status).toBe(202);
    expect((await stored(id)).map(({ transactionId }) => transactionId)).toEqual(['before', 'lost']);
    await other.stop();
    await proxy.close();
  });

  it('with the same events at two processes are stored once', async () => {
    const { id, send, sendToReplica } = await tenant();
    for (let round = 0; round < 5; round++) {
      const ids = Array.from({ length: 400 }, (_, n) => `${round}-${n}`);
      const orders = [ids, [...ids].reverse(), [...ids.slice(200), ...ids.slice(0, 200)]];
      const answers = await Promise.all(
        orders.flatMap((order) =>
          [send, sendToReplica].map((to) =>
            to('POST', PATH, { events: order.map((transactionId) => event(transactionId)) }),
          ),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(202));
      expect(answers.reduce((sum, { body }) => sum + body.ingested, 0)).toBe(400);
      expect(answers.reduce((sum, { body }) => sum + body.duplicates, 0)).toBe(2000);
    }
    expect((await stored(id)).length).toBe(2000);
  });
});

describe('the invariants of usage events', () => {
  const broken = (id: string): Promise<string[]> =>
    usage.service.kit.database.tenant(id, (tx) => brokenInvariants(tx, usageService.invariants!), { readOnly: true });

  it('hold, and say when they do not', async () => {
    const { id, send } = await tenant();
    await send('POST', PATH, { events: [event('Größe'), event('b')] });
    expect(await broken(id)).toEqual([]);
    await usage.peek('DELETE FROM usage_event_key WHERE tenant_id = $1', [id]);
    expect(await broken(id)).toEqual([expect.stringMatching(/has a key: /), expect.stringMatching(/has a key: /)]);
  });

  it('are checked before their time is up with 60,000 events of which the planner knows nothing', async () => {
    const { id, send } = await tenant();
    for (let from = 0; from < 60_000; from += 1_000) {
      const events = Array.from({ length: 1_000 }, (_, n) => event(`e${from + n}`));
      expect((await send('POST', PATH, { events })).body.ingested).toBe(1_000);
    }
    // Each row with each would take minutes; the server ends what takes longer than one.
    expect(await broken(id)).toEqual([]);
  });
});

describe('a lost ingest connection', () => {
  it('is made again for the next request', async () => {
    const { id, send } = await tenant();
    await send('POST', PATH, { events: [event('before')] });
    const ended = await usage.peek(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kontor-usage-ingest' AND datname = current_database()`,
    );
    expect(ended.length).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (const name of ['a', 'b', 'c'])
      expect((await send('POST', PATH, { events: [event(name)] })).body.ingested).toBe(1);
    expect((await stored(id)).length).toBe(4);
  });

  it('in the middle of a batch leaves nothing half-stored, and the client sends it again', async () => {
    const { id, send } = await tenant();
    await send('POST', PATH, { events: [event('warm')] });
    const holder = new pg.Client({ connectionString: usage.db.adminUrl });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE usage_event_key_all IN EXCLUSIVE MODE');
    const cut = send('POST', PATH, { events: [event('a'), event('b')] });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await usage.peek(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kontor-usage-ingest' AND datname = current_database()`,
    );
    expect((await cut).status).toBe(503);
    await holder.query('ROLLBACK');
    await holder.end();
    expect((await stored(id)).length).toBe(1);
    expect((await send('POST', PATH, { events: [event('a'), event('b')] })).body).toMatchObject({
      ingested: 2,
      duplicates: 0,
    });
  });
});

describe('what a process remembers of a tenant', () => {
  it('ends with a change of the customer: the next request anywhere sees it', async () => {
    const { id, customerId, send, sendToReplica } = await tenant();
    for (const to of [send, sendToReplica]) await to('POST', PATH, { events: [event(`warm ${String(to === send)}`)] });
    const successor = newUuid();
    await usage.giveCopy('customer', id, customerId, customer(customerId, 'crm-old'), 2);
    await usage.giveCopy('customer', id, successor, customer(successor, 'crm-1'));
    for (const [to, name] of [
      [send, 'a'],
      [sendToReplica, 'b'],
    ] as const) {
      // prettier-ignore
      expect((await to('POST', PATH, { events: [event(name), event(`${name} old`, { customerId: 'crm-old' })] })).body.ingested).toBe(2);
    }
    const rows = await usage.peek<{ transactionId: string; customerId: string }>(
      `SELECT transaction_id AS "transactionId", customer_id AS "customerId" FROM usage_event
       WHERE tenant_id = $1 AND transaction_id NOT LIKE 'warm%' ORDER BY 1`,
      [id],
    );
    expect(rows).toEqual([
      { transactionId: 'a', customerId: successor },
      { transactionId: 'a old', customerId },
      { transactionId: 'b', customerId: successor },
      { transactionId: 'b old', customerId },
    ]);
  });
});
