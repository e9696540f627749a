import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { INTERNAL_TOKEN_HEADER, InternalTokens } from '@kontor/service-kit';
import { apiKeyPrincipal, eventually, testService, type TestService } from '@kontor/testing';
import type { IngestEvents } from '../src/event-store/ingest-events.js';
import { ImportEvents } from '../src/file-import/import-events.js';
import { beginImport } from '../src/file-import/import-rows.js';
import { usageService } from '../src/index.js';
import { tenantOf } from './support/tenant.js';

const PATH = '/api/usage-events/import';
const CSV = { 'content-type': 'text/csv' };
const NDJSON = { 'content-type': 'application/x-ndjson' };
const TIME = '2026-03-02T08:00:00.000Z';
let usage: TestService;

beforeAll(async () => {
  usage = await testService(usageService, { now: new Date('2026-03-02T09:00:00.000Z') });
});
afterAll(() => usage.stop());

async function tenant() {
  const { id, send } = await tenantOf(usage);
  const stored = async (): Promise<number> =>
    Number((await usage.peek<{ n: bigint }>('SELECT count(*) AS n FROM usage_event WHERE tenant_id = $1', [id]))[0]!.n);
  return { id, send, stored };
}
const jsonLine = (n: number, changes: object = {}): string =>
  JSON.stringify({
    transactionId: `t${n}`,
    eventName: 'call',
    timestamp: TIME,
    customerId: 'K-1',
    properties: { n },
    ...changes,
  });
const jsonLines = (count: number): string => Array.from({ length: count }, (_, n) => jsonLine(n)).join('\n');

/** Sends a body that the test writes while the request runs. */
function upload(tenantId: string, query: string, chunks: AsyncIterable<string>): Promise<Response> {
  const token = new InternalTokens(usage.service.kit.config.internalSecret).sign(apiKeyPrincipal(tenantId));
  const init = { method: 'POST', headers: { ...NDJSON, [INTERNAL_TOKEN_HEADER]: token }, body: chunks, duplex: 'half' };
  return fetch(`${usage.service.url}${PATH}${query}`, init as never);
}

describe('an import', () => {
  it('takes CSV with a header, typed properties, Windows lines and a mark at the start', async () => {
    const { send } = await tenant();
    const file = [
      '\ufefftransactionId;eventName;timestamp;customerId;properties;properties.bytes;properties.by.region',
      `a;call;${TIME};K-1;"{""ok"":true}";12;eu`,
      `b;call;${TIME};crm-7;;007;"e;u"`,
      '',
      `a;call;${TIME};K-1;;;`,
    ].join('\r\n');
    const { status, body, headers } = await send('POST', PATH, file, CSV);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'completed',
      format: 'csv',
      lines: 3,
      ingested: 2,
      duplicates: 1,
      failed: 0,
      errors: [],
      bytes: Buffer.byteLength(file),
    });
    expect(headers.get('location')).toBe(`/api/usage-events/imports/${body.id}`);
    expect((await send('GET', headers.get('location')!)).body).toEqual(body);
    expect((await send('GET', '/api/usage-events/imports')).body.data).toEqual([body]);
    const events = (await send('GET', '/api/usage-events')).body.data as {
      transactionId: string;
      properties: unknown;
    }[];
    expect(events.find((event) => event.transactionId === 'a')?.properties).toEqual({
      ok: true,
      bytes: 12,
      by: { region: 'eu' },
    });
    expect(events.find((event) => event.transactionId === 'b')?.properties).toEqual({
      bytes: '007',
      by: { region: 'e;u' },
    });
  });

  it('reports what is wrong by line and stores all else', async () => {
    const { send } = await tenant();
    const file = [
      jsonLine(1),
      '{"transactionId": ',
      '',
      jsonLine(2, { customerId: 'nobody' }),
      jsonLine(3, { timestamp: '2026-03-02' }),
      `"${'x'.repeat(1_100_000)}"`,
      '7',
      jsonLine(4),
    ].join('\n');
    const { body } = await send(
      'POST',
      PATH,
      Buffer.concat([Buffer.from(file), Buffer.from([0x0a, 0xff, 0x0a])]),
      NDJSON,
    );
    expect(body).toMatchObject({ status: 'completed', lines: 8, ingested: 2, duplicates: 0, failed: 6 });
    expect(body.errors.map((error: { line: number; code: string }) => [error.line, error.code])).toEqual([
      [2, 'invalid_json'], [4, 'unknown_customer'], [5, 'invalid_timestamp'], [6, 'line_too_long'], [7, 'invalid_type'], [9, 'invalid_utf8'],
    ]); // prettier-ignore
    expect(body.errors[1]).toMatchObject({ transactionId: 't2', message: expect.any(String) });
  });

  it('cites of a file what can be stored', async () => {
    const { send } = await tenant();
    const transactionIds = ['a\0b', '\ud83d', `${'x'.repeat(254)}😀😀`];
    const lines = [
      ...transactionIds.map((transactionId) => jsonLine(1, { transactionId })),
      jsonLine(2, { 'a\0': 1 }),
      jsonLine(3),
    ];
    const { status, body } = await send('POST', PATH, Buffer.from(lines.join('\n')), NDJSON);
    expect([status, body.ingested, body.failed]).toEqual([201, 1, 4]);
    expect(body.errors.map((error: { transactionId: string }) => error.transactionId).slice(0, 3)).toEqual([
      'a�b', '�', `${'x'.repeat(254)}�`,
    ]); // prettier-ignore
    const csv = `transactionId,eventName,timestamp,customerId,properties.gb:number\nc1,e,2026-03-02T00:00:00Z,c,${'x'.repeat(49)}😀😀\n`;
    expect((await send('POST', PATH, Buffer.from(csv), { 'content-type': 'text/csv' })).body).toMatchObject({
      failed: 1,
    });
  });

  it('keeps the first hundred errors and counts all', async () => {
    const { send } = await tenant();
    const { body } = await send(
      'POST',
      PATH,
      Array.from({ length: 2500 }, (_, n) => jsonLine(n, { customerId: 'x' })).join('\n'),
      NDJSON,
    );
    expect([body.failed, body.errors.length, body.errors[0].line, body.errors[99].line]).toEqual([2500, 100, 1, 100]);
  });

  it.each([
    ['wrong', 'x\n', 201],
    ['blank', '\n', 422],
  ])('answers others while it reads a million lines that are %s', async (_, line, status) => {
    const { send } = await tenant();
    let isOver = false;
    const imported = send('POST', PATH, line.repeat(1_000_000), NDJSON).finally(() => (isOver = true));
    let answered = 0;
    while (!isOver) {
      await send('GET', '/api/usage-events');
      answered++;
    }
    expect([(await imported).status, answered > 3]).toEqual([status, true]);
  });

  it('takes a file of a form', async () => {
    const { send } = await tenant();
    const form = new FormData();
    form.set('note', 'x');
    form.set('file', new Blob([jsonLines(2000)]), 'march.ndjson');
    expect((await send('POST', PATH, form)).body).toMatchObject({
      status: 'completed',
      format: 'ndjson',
      ingested: 2000,
    });
    const other = new FormData();
    other.set('file', new Blob(['x']), 'march.xlsx');
    expect((await send('POST', PATH, other)).status).toBe(415);
    const none = new FormData();
    none.set('note', 'x');
    expect((await send('POST', PATH, none)).status).toBe(400);
    expect((await send('POST', PATH, 'x', { 'content-type': 'multipart/form-data' })).status).toBe(400);
  });

  it.each([
    ['file"; filename="a.ndjson', 400],
    ['other"; filename="a.ndjson', 400],
    ['file"; filename="a.xlsx', 415],
    ['note', 400],
  ])('refuses a form that ends in the middle of the part %s, and goes on', async (part, status) => {
    const { send } = await tenant();
    const head = `--b\r\ncontent-disposition: form-data; name="${part}"`;
    const form = { 'content-type': 'multipart/form-data; boundary=b' };
    expect((await send('POST', PATH, `${head}\r\n\r\n{"a"`, form)).status).toBe(status);
    expect((await send('POST', PATH, head, form)).status).toBe(400);
    expect((await send('POST', PATH, jsonLine(1), NDJSON)).status).toBe(201);
  });

  it('shows its progress, refuses a second upload under its id meanwhile, and is repeated as it ended', async () => {
    const { id, send } = await tenant();
    const importId = newUuid();
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const running = upload(id, `?id=${importId}`, (async function* () {
      yield `${jsonLines(3000)}\n`;
      await sleep(600);
      yield `${Array.from({ length: 3000 }, (_, n) => jsonLine(3000 + n)).join('\n')}\n`;
      await gate;
      yield jsonLine(6000);
    })()); // prettier-ignore
    const progress = () => send('GET', `/api/usage-events/imports/${importId}`);
    await eventually(async () => (await progress()).body.ingested > 0, 'progress');
    const seen = (await progress()).body;
    expect(seen).toMatchObject({ status: 'running', finishedAt: null });
    expect(seen.ingested).toBeGreaterThan(0);
    const second = await send('POST', `${PATH}?id=${importId}`, jsonLine(1), NDJSON);
    expect([second.status, second.body.reason]).toEqual([409, 'import_in_progress']);
    go();
    const answer = await running;
    expect(answer.status).toBe(201);
    const body = await answer.json();
    expect(body).toMatchObject({ id: importId, status: 'completed', ingested: 6001 });
    expect((await send('POST', `${PATH}?id=${importId}`, jsonLines(6001), NDJSON)).body).toEqual(body);
  });

  it('that was interrupted is sent again: nothing is lost, nothing is there twice', async () => {
    const { id, send, stored } = await tenant();
    const importId = newUuid();
    const find = async () => (await send('GET', `/api/usage-events/imports/${importId}`)).body;
    const broken = upload(id, `?id=${importId}`, (async function* () {
      yield `${jsonLines(2500)}\n`;
      await eventually(async () => (await find()).ingested === 2000, 'the first of it');
      throw new Error('the line is gone');
    })()); // prettier-ignore
    await expect(broken).rejects.toThrow();
    await eventually(async () => (await find()).status !== 'running', 'the end');
    expect(await find()).toMatchObject({ status: 'interrupted', ingested: 2000 });
    const again = await send('POST', `${PATH}?id=${importId}`, jsonLines(4000), NDJSON);
    expect(again.body).toMatchObject({ status: 'completed', lines: 4000, ingested: 2000, duplicates: 2000 });
    expect(await stored()).toBe(4000);
  });

  it('that was cut off by a crash runs again under its Idempotency-Key', async () => {
    const { send, stored } = await tenant();
    const key = { ...NDJSON, 'idempotency-key': newUuid() };
    const first = await send('POST', PATH, jsonLines(20), key);
    expect(first.body).toMatchObject({ status: 'completed', ingested: 20 });
    const repeated = await send('POST', PATH, jsonLines(20), key);
    expect([repeated.headers.get('idempotent-replayed'), repeated.body]).toEqual(['true', first.body]);
    // As a process leaves it that dies after the first report.
    const process = newUuid();
    await usage.peek(
      'UPDATE idempotency SET final = false, status = NULL, answer = NULL, process = $2 WHERE key = $1',
      [key['idempotency-key'], process],
    );
    await usage.peek(`UPDATE usage_import SET status = 'running', ingested = 0, finished_at = NULL`);
    await usage.peek('INSERT INTO running_process (id, seen_at) VALUES ($1, now())', [process]);
    expect(await send('POST', PATH, jsonLines(20), key)).toMatchObject({
      status: 409,
      body: { reason: 'request_in_progress' },
    });
    await usage.peek(`UPDATE running_process SET seen_at = now() - interval '11 seconds' WHERE id = $1`, [process]);
    const again = await send('POST', PATH, jsonLines(20), key);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect(again.body).toMatchObject({ status: 'completed', ingested: 0, duplicates: 20 });
    expect((await send('POST', PATH, jsonLines(20), key)).body).toEqual(again.body);
    expect(await stored()).toBe(20);
  });

  it('reports progress while its sender pauses; an import whose process died is taken over after seconds, and the answer says when', async () => {
    const { id, send, stored } = await tenant();
    const [paused, dead] = [newUuid(), newUuid()];
    const find = async () => (await send('GET', `/api/usage-events/imports/${paused}`)).body;
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const running = upload(id, `?id=${paused}`, (async function* () {
      yield `${jsonLine(1)}\n`;
      await gate;
      yield jsonLine(2);
    })()); // prettier-ignore
    const before = await eventually(async () => (await find()).updatedAt as string, 'the beginning');
    const after = await eventually(async () => {
      const now = await find();
      return now.updatedAt > before && now;
    }, 'progress in the pause');
    expect(after.status).toBe('running');
    go();
    expect(await (await running).json()).toMatchObject({ status: 'completed', ingested: 2 });

    await usage.service.kit.database.tenant(id, (tx) => beginImport(tx, dead, 'ndjson'));
    const early = await send('POST', `${PATH}?id=${dead}`, jsonLine(3), NDJSON);
    expect([early.status, early.body.reason]).toEqual([409, 'import_in_progress']);
    const retryAfter = Number(early.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(6);
    await usage.peek(`UPDATE usage_import SET updated_at = updated_at - interval '6 seconds' WHERE id = $1`, [dead]);
    expect((await send('POST', `${PATH}?id=${dead}`, jsonLine(3), NDJSON)).body).toMatchObject({
      status: 'completed',
      ingested: 1,
    });
    expect(await stored()).toBe(3);
  });

  it('a repeated Idempotency-Key gives the first answer', async () => {
    const { send, stored } = await tenant();
    const call = () => send('POST', PATH, jsonLines(1500), { ...NDJSON, 'idempotency-key': 'march' });
    const [first, second] = [await call(), await call()];
    expect(second.body).toEqual(first.body);
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(await stored()).toBe(1500);
  });

  it('another file under a used Idempotency-Key is refused, also one of the same length, and in a form', async () => {
    const { send, stored } = await tenant();
    const form = (text: string) => {
      const body = new FormData();
      body.append('file', new File([text], 'usage.ndjson'));
      return body;
    };
    const key = newUuid();
    const plain = (text: string) => send('POST', PATH, text, { ...NDJSON, 'idempotency-key': key });
    const inForm = (text: string) => send('POST', PATH, form(text), { 'idempotency-key': `${key} form` });
    for (const call of [plain, inForm]) {
      const first = await call(jsonLine(1));
      expect(first.status).toBe(201);
      const other = await call(jsonLine(2));
      expect([other.status, other.body.reason]).toEqual([422, 'idempotency_key_reused']);
      const again = await call(jsonLine(1));
      expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', first.body]);
    }
    expect(await stored()).toBe(1);
  });

  it('another file under the id of a completed import is refused, and can be sent under one of its own', async () => {
    const { send, stored } = await tenant();
    const under = (id: string, line: string) => send('POST', `${PATH}?id=${id}`, line, NDJSON);
    const id = newUuid();
    const first = await under(id, jsonLine(1));
    const other = await under(id, jsonLine(2));
    expect([other.status, other.body.reason]).toEqual([422, 'import_id_reused']);
    expect((await under(id, jsonLine(1))).body).toEqual(first.body);
    expect((await under(newUuid(), jsonLine(2))).body).toMatchObject({ status: 'completed', ingested: 1 });
    expect(await stored()).toBe(2);
  });

  it('asks for no more than it can put away', async () => {
    const { id } = await tenant();
    let sent = 0;
    let written = 0;
    let mostAhead = 0;
    const line = `${jsonLine(1)}\n`;
    const slow = {
      execute: async (_tenant: string, items: unknown[]) => {
        await sleep(5);
        written += items.length * line.length;
        return { ingested: items.length, duplicates: 0, failed: 0, errors: [] };
      },
    };
    const bytes = (async function* () {
      const chunk = Buffer.from(line.repeat(500));
      for (let n = 0; n < 200; n++) {
        sent += chunk.length;
        mostAhead = Math.max(mostAhead, sent - written);
        yield chunk;
      }
    })();
    const done = await new ImportEvents(usage.service.kit.database, slow as unknown as IngestEvents).execute(
      id,
      newUuid(),
      { format: 'ndjson', bytes, digest: () => Promise.resolve('') },
    );
    expect(Number(done.ingested)).toBe(100_000);
    expect(mostAhead).toBeLessThanOrEqual(3 * 1000 * line.length);
  });

  it.each([
    ['a header without a column', CSV, 'transactionId,eventName,timestamp\na,b,c', 422, 'validation_failed'],
    [
      'a header with an unknown column',
      CSV,
      `transactionId,eventName,timestamp,customerId,amount\n`,
      422,
      'validation_failed',
    ],
    ['a header only', CSV, 'transactionId,eventName,timestamp,customerId\n', 422, 'validation_failed'],
    ['nothing', NDJSON, '\n\n', 422, 'validation_failed'],
    ['another type', { 'content-type': 'application/json' }, '{}', 415, 'unsupported_media_type'],
    ['a compressed body', { ...CSV, 'content-encoding': 'gzip' }, 'x', 415, 'unsupported_media_type'],
  ])('with %s is refused', async (_what, headers, body, status, reason) => {
    const { send, stored } = await tenant();
    const answer = await send('POST', PATH, body, headers);
    expect([answer.status, answer.body.reason]).toEqual([status, reason]);
    expect(await stored()).toBe(0);
  });

  it('is the tenant’s own and needs its permission', async () => {
    const [owner, stranger] = [await tenant(), await tenant()];
    const { body } = await owner.send('POST', PATH, jsonLine(1), NDJSON);
    expect((await stranger.send('GET', `/api/usage-events/imports/${body.id}`)).status).toBe(404);
    expect((await owner.send('POST', `${PATH}?id=x`, jsonLine(1), NDJSON)).status).toBe(400);
    const reader = usage.as(apiKeyPrincipal(owner.id, { permissions: ['usage-event:read'] }));
    expect((await reader('POST', PATH, jsonLine(2), NDJSON)).status).toBe(403);
    expect((await usage.as(null)('POST', PATH, jsonLine(2), NDJSON)).status).toBe(401);
  });

  it('a file that is sent elsewhere is refused', async () => {
    const { send } = await tenant();
    for (const path of ['/api/usage-events', '/api/usage-metrics']) {
      const answer = await send('POST', path, jsonLine(1), NDJSON);
      expect([answer.status, answer.body.reason]).toEqual([415, 'unsupported_media_type']);
    }
  });
});
