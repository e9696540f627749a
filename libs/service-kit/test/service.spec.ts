import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import type { Stall } from '@kontor/messaging';
import {
  apiKeyPrincipal,
  customerPrincipal,
  eventually,
  type Send,
  servicePrincipal,
  testService,
  type TestService,
} from '@kontor/testing';
import { INTERNAL_TOKEN_HEADER, InternalTokens } from '../src/internal/internal-token.js';
import { messagingDatabase } from '../src/service/messaging-database.js';
import { fault, sampleService } from './sample-service.js';

let test: TestService;
let send: Send;
const tenant = newUuid();

beforeAll(async () => {
  test = await testService(sampleService);
  send = test.as(apiKeyPrincipal(tenant));
});
afterAll(() => test.stop());
afterEach(() => void Object.assign(fault, { delayMs: 0, afterCommit: null, calls: 0 }));

const problemOf = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
  const answer = await send(method, path, body, headers);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  expect(answer.body).toMatchObject({
    type: expect.any(String),
    title: expect.any(String),
    detail: expect.any(String),
    status: answer.status,
  });
  expect(answer.body.instance).toBe(answer.headers.get('x-request-id'));
  return { status: answer.status, reason: answer.body.reason, violations: answer.body.violations ?? [] };
};
const countNotes = async (): Promise<number> =>
  Number((await test.peek<{ n: bigint }>('SELECT count(*) AS n FROM note'))[0]!.n);

describe('bodies', () => {
  it('looks at nothing of a list that is too long', async () => {
    const long = await problemOf('POST', '/notes', { title: 'ab', tags: Array(50_000).fill({ name: 'a' }) });
    expect(long).toMatchObject({ status: 422, violations: [{ propertyPath: 'tags', code: 'invalid_length' }] });
  });

  it('has few items in all lists together, however they are nested', async () => {
    const trees = Array.from({ length: 200 }, () => ({ name: 'tree', children: Array(100).fill({ name: 'leaf' }) }));
    expect(await problemOf('POST', '/notes/trees', { trees })).toMatchObject({ status: 422, reason: 'too_many_items' });
    expect((await send('POST', '/notes/trees', { trees: trees.slice(0, 40) })).status).toBe(201);
  });

  it('is an object: null and lists are refused, nothing is an empty one', async () => {
    const json = { 'content-type': 'application/json' };
    for (const body of ['null', '[]', '5', '"text"'])
      expect(await problemOf('POST', '/notes', body, json)).toMatchObject({ status: 400, violations: [] });
    expect((await problemOf('POST', '/notes', undefined, json)).violations).toHaveLength(1);
  });

  it('says the first hundred things that are wrong', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`field${n}`, n]));
    expect((await problemOf('POST', '/notes', { title: 'ab', ...unknown })).violations).toHaveLength(100);
  });

  it('has maps with 200 entries at most', async () => {
    const labels = (length: number): object => Object.fromEntries(Array.from({ length }, (_, n) => [`label${n}`, 'x']));
    expect((await send('POST', '/notes', { title: 'ab', labels: labels(200) })).status).toBe(201);
    expect(await problemOf('POST', '/notes', { title: 'ab', labels: labels(201) })).toMatchObject({
      status: 422,
      violations: [{ propertyPath: 'labels', code: 'invalid_map' }],
    });
  });

  it('takes a good one, with its defaults', async () => {
    const { status, body } = await send('POST', '/notes', { title: 'A note', id: 'ignored', colour: null });
    expect(status).toBe(201);
    expect(body).toMatchObject({ title: 'A note', weight: '1', colour: null });
  });

  it.each([
    ['an unknown field', { title: 'ab', nope: 1 }, 400, 'unknown_field', 'nope', 'unknown_field'],
    [
      'an unknown nested field',
      { title: 'ab', tags: [{ name: 'a', nope: 1 }] },
      400,
      'unknown_field',
      'tags[0].nope',
      'unknown_field',
    ],
    ['a missing field', {}, 400, 'invalid_request', 'title', 'required'],
    ['a missing nested field', { title: 'ab', tags: [{}] }, 400, 'invalid_request', 'tags[0].name', 'required'],
    ['a wrong JSON type', { title: 5 }, 400, 'invalid_request', 'title', 'invalid_type'],
    ['null where it is no value', { title: null }, 400, 'invalid_request', 'title', 'invalid_type'],
    ['an object for a list', { title: 'ab', tags: {} }, 400, 'invalid_request', 'tags', 'invalid_type'],
    ['a list for an object', { title: 'ab', main: [] }, 400, 'invalid_request', 'main', 'invalid_type'],
    [
      'a number among texts',
      { title: 'ab', labels: { a: 'b', c: 5 } },
      400,
      'invalid_request',
      'labels.c',
      'invalid_type',
    ],
    ['a number for an id', { title: 'ab', parent: 5 }, 400, 'invalid_request', 'parent', 'invalid_type'],
    ['a text that is too short', { title: 'a' }, 422, 'validation_failed', 'title', 'invalid_length'],
    ['an unknown word', { title: 'ab', colour: 'blue' }, 422, 'validation_failed', 'colour', 'invalid_choice'],
    ['a malformed id', { title: 'ab', parent: 'x' }, 422, 'validation_failed', 'parent', 'invalid_uuid'],
    [
      'a decimal with too many places',
      { title: 'ab', weight: '1.234' },
      422,
      'validation_failed',
      'weight',
      'invalid_decimal',
    ],
    [
      'an unknown currency',
      { title: 'ab', price: { amount: 1, currencyCode: 'XXQ' } },
      422,
      'validation_failed',
      'price.currencyCode',
      'invalid_currency',
    ],
    [
      'a fraction of a minor unit',
      { title: 'ab', price: { amount: 1.5, currencyCode: 'EUR' } },
      422,
      'validation_failed',
      'price.amount',
      'not_an_integer',
    ],
    [
      'an amount beyond the safe integers',
      { title: 'ab', price: { amount: 2 ** 60, currencyCode: 'EUR' } },
      422,
      'validation_failed',
      'price.amount',
      'out_of_range',
    ],
    [
      'a list that is too long',
      { title: 'ab', tags: Array(4).fill({ name: 'a' }) },
      422,
      'validation_failed',
      'tags',
      'invalid_length',
    ],
    [
      'a nested format',
      { title: 'ab', tags: [{ name: 'A' }] },
      422,
      'validation_failed',
      'tags[0].name',
      'invalid_format',
    ],
    [
      'a day that does not exist',
      { title: 'ab', at: '2026-02-30T00:00:00Z' },
      422,
      'validation_failed',
      'at',
      'invalid_timestamp',
    ],
    [
      'a time without zone',
      { title: 'ab', at: '2026-02-20T00:00:00' },
      422,
      'validation_failed',
      'at',
      'invalid_timestamp',
    ],
    [
      'a field that is not built yet',
      { title: 'ab', shared: true },
      422,
      'not_supported_yet',
      'shared',
      'not_supported_yet',
    ],
    ['a NUL character', { title: 'a\u0000b' }, 422, 'validation_failed', 'title', 'invalid_characters'],
    ['half a surrogate pair', { title: 'ab\ud800' }, 422, 'validation_failed', 'title', 'invalid_characters'],
  ])('refuses %s', async (_what, body, status, reason, propertyPath, code) => {
    const before = await countNotes();
    const problem = await problemOf('POST', '/notes', body);
    expect(problem).toMatchObject({ status, reason });
    expect(problem.violations).toContainEqual(expect.objectContaining({ propertyPath, code }));
    expect(await countNotes()).toBe(before);
  });

  it.each([
    ['unreadable JSON', '{"title":', 'application/json', 400],
    ['no object', '[]', 'application/json', 400],
    ['a bare text', '"x"', 'application/json', 400],
    ['too deep nesting', `{"title":"ab","x":${'['.repeat(50)}${']'.repeat(50)}}`, 'application/json', 400],
    ['a prototype', '{"title":"ab","__proto__":{"a":1}}', 'application/json', 400],
    ['another media type', 'title=ab', 'application/x-www-form-urlencoded', 415],
    ['XML', '<a/>', 'text/xml', 415],
  ])('refuses %s', async (_what, body, type, status) => {
    expect((await problemOf('POST', '/notes', body, { 'content-type': type })).status).toBe(status);
  });

  it('refuses fields where an operation takes none', async () => {
    expect(await problemOf('POST', '/notes/open/hello', { force: true })).toMatchObject({
      status: 400,
      reason: 'unknown_field',
      violations: [{ propertyPath: 'force', code: 'unknown_field' }],
    });
    expect((await problemOf('POST', '/notes/open/hello', [])).reason).toBe('invalid_request');
    expect((await send('POST', '/notes/open/hello', {})).status).toBe(201);
  });

  it('takes braces inside of texts, however many', async () => {
    expect((await send('POST', '/notes', { title: '{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{\\"[[' })).status).toBe(201);
  });

  it('refuses a body over the limit', async () => {
    expect(await problemOf('POST', '/notes', { title: 'x'.repeat(33 * 1024 * 1024) })).toMatchObject({
      status: 413,
      reason: 'payload_too_large',
    });
  });
});

describe('who may', () => {
  it.each([
    ['nobody', null, 401, 'unauthenticated'],
    [
      'a key without the permission',
      apiKeyPrincipal(tenant, { permissions: ['customer:read'] }),
      403,
      'permission_denied',
    ],
    ['a token bound to a customer', customerPrincipal(tenant, newUuid()), 403, 'permission_denied'],
    ['a service', servicePrincipal(tenant, 'offers'), 403, 'permission_denied'],
  ])('%s may not write', async (_who, principal, status, reason) => {
    const { body, ...answer } = await test.as(principal)('POST', '/notes', { title: 'ab' });
    expect(answer.status).toBe(status);
    expect(body.reason).toBe(reason);
  });

  it('knows the synonym of a permission', async () => {
    const rename = (permissions: string[]) =>
      test.as(apiKeyPrincipal(tenant, { permissions }))('PUT', `/notes/${newUuid()}`, { title: 'ab' });
    expect((await rename(['bank-account-transaction:write'])).status).toBe(404);
    expect((await rename(['BankAccountTransactionWrite'])).status).toBe(404);
    expect((await rename(['bank-account-transaction:read'])).status).toBe(403);
  });

  it('* does not make an operator', async () => {
    expect((await send('DELETE', `/notes/${newUuid()}`)).status).toBe(403);
  });

  it('refuses forged and malformed tokens', async () => {
    for (const token of ['x', 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.']) {
      expect((await test.as(null)('GET', '/notes', undefined, { 'x-kontor-principal': token })).status).toBe(401);
    }
  });

  it('is not ready for who has another secret', async () => {
    const health = async (secret: string): Promise<unknown[]> => {
      const token = new InternalTokens(secret).sign(servicePrincipal('', 'api-gateway'));
      const { status, body } = await test.as(null)('GET', '/internal/health', undefined, {
        'x-kontor-principal': token,
      });
      return [status, body.status];
    };
    expect(await health(test.service.kit.config.internalSecret)).toEqual([200, 'up']);
    expect(await health('another')).toEqual([503, 'not_trusted']);
    const token = new InternalTokens('another').sign(servicePrincipal('', 'api-gateway'));
    const refused = await test.as(null)('GET', '/notes', undefined, { 'x-kontor-principal': token });
    expect(refused).toMatchObject({ status: 401, body: { reason: 'not_trusted' } });
  });

  it('lets everybody in where nobody needs to be known, and customers where they are welcome', async () => {
    expect((await test.as(null)('GET', '/notes/open/hello')).body).toEqual({ known: false });
    expect((await test.as(customerPrincipal(tenant, newUuid()))('GET', '/notes')).status).toBe(200);
  });

  it('keeps internal routes to services', async () => {
    const path = `/internal/replicas/customer/${tenant}`;
    expect((await send('GET', path)).status).toBe(403);
    expect((await test.as(null)('GET', path)).status).toBe(401);
    expect((await test.as(servicePrincipal(tenant, 'usage'))('GET', path)).status).toBe(200);
  });
});

describe('errors', () => {
  it("a malformed id and another tenant's are not found", async () => {
    const { body } = await send('POST', '/notes', { title: 'Mine' });
    expect((await problemOf('PUT', '/notes/nonsense', { title: 'ab' })).status).toBe(404);
    expect((await test.as(apiKeyPrincipal(newUuid()))('PUT', `/notes/${body.id}`, { title: 'ab' })).status).toBe(404);
    expect((await problemOf('GET', '/nowhere')).reason).toBe('not_found');
    for (const id of ['%00', '%ff', 'x'.repeat(1000)])
      expect((await problemOf('PUT', `/notes/${id}`, { title: 'ab' })).status).toBe(404);
    expect((await problemOf('GET', '/notes?search=%00')).status).toBe(400);
  });

  it('never shows what went wrong inside', async () => {
    const operator = test.as(apiKeyPrincipal(tenant, { permissions: ['operator'] }));
    const { status, body } = await operator('DELETE', `/notes/${newUuid()}`);
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('hunter2');
    expect(body.reason).toBe('internal_error');
  });

  it('says to who asked how long a request waited for the database', async () => {
    expect((await send('POST', '/notes', { title: 'ab' })).headers.get('x-kontor-waited')).toMatch(/^\d+$/);
    expect((await send('GET', '/nowhere')).headers.get('x-kontor-waited')).toBeNull();
  });

  it('takes all headers that the gateway takes (16 KiB), with those that it adds', async () => {
    const headers = { 'x-long': 'x'.repeat(16 * 1024), 'x-added': 'x'.repeat(4 * 1024) };
    expect((await send('GET', '/notes', undefined, headers)).status).toBe(200);
  });

  it("keeps the caller's request id", async () => {
    expect((await send('GET', '/nowhere', undefined, { 'x-request-id': 'mine-1' })).body.instance).toBe('mine-1');
    expect((await send('GET', '/nowhere', undefined, { 'x-request-id': 'bad id {}' })).body.instance).not.toBe(
      'bad id {}',
    );
  });
});

describe('lists', () => {
  const owner = apiKeyPrincipal(newUuid());
  beforeAll(async () => {
    for (const title of ['aa', 'bb', 'cc']) await test.as(owner)('POST', '/notes', { title });
  });

  it('pages, filters and orders', async () => {
    const { body } = await test.as(owner)('GET', '/notes?limit=2&order[title]=desc');
    expect(body.data.map((note: { title: string }) => note.title)).toEqual(['cc', 'bb']);
    expect(body.meta.pagination).toEqual({
      totalItems: 3,
      itemsPerPage: 2,
      currentPage: 1,
      lastPage: 2,
      pageTotalItems: 2,
    });
    expect((await test.as(owner)('GET', '/notes?title[]=aa&title[]=cc&order[title]=asc')).body.data).toHaveLength(2);
    expect(
      (await test.as(owner)('GET', '/notes?createdAt[after]=2026-03-02&createdAt[before]=2026-03-03')).body.data,
    ).toHaveLength(3);
    expect((await test.as(owner)('GET', '/notes?createdAt[before]=2026-03-02')).body.data).toHaveLength(0);
    expect((await test.as(owner)('GET', '/notes?limit=0')).body.meta.pagination).toMatchObject({
      totalItems: 3,
      pageTotalItems: 0,
    });
  });

  it('searches for the text itself, its wildcards included', async () => {
    const other = test.as(apiKeyPrincipal(newUuid(), { permissions: ['*'] }));
    for (const title of ['100 %', '100 EUR', 'a_b', 'axb', 'back\\slash', 'hidden'])
      expect((await other('POST', '/notes', { title })).status).toBe(201);
    const found = async (text: string): Promise<string[]> =>
      (await other('GET', `/notes?order[title]=asc&search=${encodeURIComponent(text)}`)).body.data.map(
        (note: { title: string }) => note.title,
      );
    expect(await found('00 %')).toEqual(['100 %']);
    expect(await found('A_B')).toEqual(['a_b']);
    expect(await found('k\\s')).toEqual(['back\\slash']);
    expect(await found('100')).toHaveLength(2);
    expect(await found('hidden')).toEqual([]);
  });

  it.each([
    'page=0',
    'page=x',
    'limit=101',
    'limit=-1',
    'nope=1',
    'order[id]=asc',
    'order[title]=up',
    'id=x',
    'createdAt[after]=x',
    'createdAt[in]=2026-01-01',
    'title=%00',
  ])('refuses ?%s', async (query) => {
    expect((await test.as(owner)('GET', `/notes?${query}`)).status).toBe(400);
  });
});

describe('Idempotency-Key', () => {
  const key = (): Record<string, string> => ({ 'idempotency-key': newUuid() });

  it('has one effect and repeats the first answer', async () => {
    const headers = key();
    const before = await countNotes();
    const first = await send('POST', '/notes', { title: 'Once', colour: 'red' }, headers);
    const again = await send('POST', '/notes', { colour: 'red', title: 'Once' }, headers);
    expect(again.status).toBe(first.status);
    expect(again.body).toEqual(first.body);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await countNotes()).toBe(before + 1);
  });

  it('refuses the key for another body, and is another key for another tenant', async () => {
    const headers = key();
    await send('POST', '/notes', { title: 'Once' }, headers);
    expect(await problemOf('POST', '/notes', { title: 'Twice' }, headers)).toMatchObject({
      status: 422,
      reason: 'idempotency_key_reused',
    });
    expect((await test.as(apiKeyPrincipal(newUuid()))('POST', '/notes', { title: 'Twice' }, headers)).status).toBe(201);
  });

  it('gives nobody else the answer: another key of the tenant is refused, a customer keeps it over sessions', async () => {
    const headers = key();
    const { status } = await send('POST', '/notes', { title: 'Mine' }, headers);
    expect(status).toBe(201);
    const other = await test.as(apiKeyPrincipal(tenant))('POST', '/notes', { title: 'Mine' }, headers);
    expect(other).toMatchObject({ status: 422, body: { reason: 'idempotency_key_reused' } });
    expect(other.body).not.toHaveProperty('id');

    const ownKey = key();
    const customerId = newUuid();
    const asCustomer = (): ReturnType<Send> =>
      test.as(customerPrincipal(tenant, customerId, { subjectId: newUuid() }))(
        'POST',
        '/notes/mine',
        { title: 'Own' },
        ownKey,
      );
    const first = await asCustomer();
    expect((await asCustomer()).headers.get('idempotent-replayed')).toBe('true');
    expect((await asCustomer()).body).toEqual(first.body);
    const stranger = test.as(customerPrincipal(tenant, newUuid()));
    expect((await stranger('POST', '/notes/mine', { title: 'Own' }, ownKey)).body.reason).toBe(
      'idempotency_key_reused',
    );
  });

  it('fifty at once: one effect, one body', async () => {
    fault.delayMs = 150;
    const headers = key();
    const before = await countNotes();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => send('POST', '/notes', { title: 'Parallel' }, headers)),
    );
    expect(await countNotes()).toBe(before + 1);
    const good = answers.filter(({ status }) => status === 201);
    expect(new Set(good.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect((await send('POST', '/notes', { title: 'Parallel' }, headers)).body.id).toBe(good[0]!.body.id);
  });

  it('a refused request frees the key', async () => {
    const headers = key();
    expect((await send('POST', '/notes', { title: 'x' }, headers)).status).toBe(422);
    expect((await send('POST', '/notes', { title: 'refused' }, headers)).status).toBe(422);
    expect((await send('POST', '/notes', { title: 'Better' }, headers)).status).toBe(201);
  });

  it('after a fault between effect and answer, a repeat gets what was committed', async () => {
    const headers = key();
    const before = await countNotes();
    fault.afterCommit = new Error('the process dies here');
    expect((await send('POST', '/notes', { title: 'Committed' }, headers)).status).toBe(500);
    fault.afterCommit = null;
    const again = await send('POST', '/notes', { title: 'Committed' }, headers);
    expect(again.status).toBe(201);
    expect(again.body.title).toBe('Committed');
    expect(await countNotes()).toBe(before + 1);
  });

  it.each(['/notes', '/notes/open/hello'])(
    'refuses a key that is empty or too long, also where nothing is kept: %s',
    async (path) => {
      const body = path === '/notes' ? { title: 'ab' } : {};
      for (const wrong of ['', 'x'.repeat(256)])
        expect((await problemOf('POST', path, body, { 'idempotency-key': wrong })).status).toBe(400);
      expect((await send('POST', path, body, key())).status).toBe(201);
    },
  );
});

describe('operation', () => {
  it('describes itself in OpenAPI, from the same DTO classes', async () => {
    const { body } = await test.as(null)('GET', '/internal/openapi');
    expect(body.openapi).toBe('3.1.0');
    expect(body.paths['/notes'].post).toMatchObject({ operationId: 'createNote', 'x-permission': 'customer:write' });
    expect(body.paths['/notes/{id}'].put['x-permission']).toBe('bank-account-transaction:write');
    expect(body.paths['/notes/open/hello'].get['x-permission']).toBeNull();
    expect(body.components.schemas.Note).toMatchObject({
      required: ['title'],
      properties: {
        title: { type: 'string', minLength: 2, maxLength: 40 },
        rank: { type: ['integer', 'null'] },
        tags: { type: ['array', 'null'], maxItems: 3, items: { $ref: '#/components/schemas/Tag' } },
      },
    });
    expect(body.paths['/notes'].get.parameters.map((parameter: { name: string }) => parameter.name)).toEqual(
      expect.arrayContaining(['page', 'limit', 'title', 'title[]', 'id', 'createdAt[after]', 'order[title]', 'search']),
    );
    expect(body.paths['/notes'].get.responses[200].content['application/json'].schema).toMatchObject({
      required: ['data', 'meta'],
      properties: { data: { type: 'array', items: { $ref: '#/components/schemas/NoteAnswer' } } },
    });
    expect(Object.keys(body.paths).some((path) => path.startsWith('/internal'))).toBe(false);
  });

  it('and PostgreSQL notice soon that the other is gone, and the lead of a process that stands still is given away', async () => {
    const pool = test.service.kit.database.pool;
    const relay = await messagingDatabase(test.service.kit.database, test.db.appUrl).connect();
    const settings = async (of: { query(sql: string): Promise<{ rows: unknown[] }> }): Promise<unknown> =>
      (
        await of.query(
          `SELECT name, setting::int FROM pg_settings WHERE name IN
             ('tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout', 'idle_session_timeout')
           ORDER BY name COLLATE "C"`,
        )
      ).rows.map((row) => Object.values(row as object));
    const keepalives = [
      ['tcp_keepalives_count', 10],
      ['tcp_keepalives_idle', 5],
      ['tcp_keepalives_interval', 1],
    ];
    expect(await settings(pool)).toEqual([['idle_session_timeout', 0], ...keepalives, ['tcp_user_timeout', 0]]);
    expect(await settings(relay)).toEqual([
      ['idle_session_timeout', 20_000],
      ...keepalives,
      ['tcp_user_timeout', 15_000],
    ]);
    await relay.end();
  });

  it('shows its health and its metrics', async () => {
    expect((await test.as(null)('GET', '/internal/health')).body).toMatchObject({ service: 'billing', status: 'up' });
    expect((await test.as(null)('GET', '/internal/metrics')).body).toContain('http_request_duration_seconds_count{');
  });

  it('counts requests that nobody waited for any more', async () => {
    fault.delayMs = 3_000;
    const leave = new AbortController();
    const tokens = new InternalTokens(test.service.kit.config.internalSecret);
    const gone = fetch(`${test.service.url}/notes`, {
      method: 'POST',
      headers: {
        [INTERNAL_TOKEN_HEADER]: tokens.sign(apiKeyPrincipal(tenant)),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ title: 'gone' }),
      signal: leave.signal,
    });
    await eventually(() => fault.calls > 0, 'it is handled');
    leave.abort();
    await expect(gone).rejects.toThrow();
    const line = /duration_seconds_count\{.*method="POST",route="\/notes",status="499".*\} 1/;
    await eventually(
      async () => line.test(String((await test.as(null)('GET', '/internal/metrics')).body)),
      'it counts',
    );
  });

  it('is degraded while events wait, says where and since when, and answers', async () => {
    let stall: Stall | null = { part: 'intake', since: new Date(Date.now() - 60_000), error: 'nobody is there' };
    test.service.kit.messaging.watch(() => stall);
    const health = await test.as(null)('GET', '/internal/health');
    expect(health.status).toBe(200);
    expect(health.body).toMatchObject({
      status: 'degraded',
      checks: { database: 'up', storage: 'ok', events: 'waiting' },
      waiting: [{ part: 'intake', since: stall.since.toISOString(), error: 'nobody is there' }],
    });
    const metrics = (): Promise<string> =>
      test
        .as(null)('GET', '/internal/metrics')
        .then(({ body }) => String(body));
    expect(await metrics()).toMatch(/event_consumer_stalled_seconds\{.*\} [6-9]\d/);
    expect(await metrics()).toMatch(/event_relay_stalled_seconds\{.*\} 0$/m);
    // What has just begun may pass by itself.
    stall = { ...stall, since: new Date() };
    expect((await test.as(null)('GET', '/internal/health')).body).toMatchObject({
      status: 'up',
      checks: { events: 'ok' },
    });
    stall = null;
    expect(await metrics()).toMatch(/event_consumer_stalled_seconds\{.*\} 0$/m);
  });

  it('is degraded while something waits for an operator, says what, and answers', async () => {
    const health = async () => (await test.as(null)('GET', '/internal/health')).body;
    const shown = (status: string): Promise<Awaited<ReturnType<typeof health>>> =>
      eventually(async () => {
        const body = await health();
        return body.status === status && body;
      }, status);
    const ids = [newUuid(), tenant, newUuid()];
    await test.peek(
      `INSERT INTO parked (consumer, event_id, tenant_id, type, topic, aggregate_id, envelope, reason, error)
       VALUES ('OnNote', $1, $2, 'x', 'y', 'z', '{}', 'poison', 'no such note'), ('OnNote', $3, $2, 'x', 'y', 'z', '{}', 'behind', NULL)`,
      ids,
    );
    expect(await shown('degraded')).toMatchObject({
      checks: { database: 'up', events: 'parked', work: 'ok' },
      parked: [{ part: 'OnNote', count: 2, since: expect.any(String), error: 'no such note' }],
    });
    await test.peek('DELETE FROM parked WHERE event_id = ANY ($1)', [ids]);
    expect(await shown('up')).not.toHaveProperty('parked');

    const failing = async (kind: string, attempts: number): Promise<unknown> =>
      test.peek(
        `INSERT INTO due_work (tenant_id, kind, ref, due_at, poll_at, retry_at, attempts, last_error)
         VALUES ($1, $2, 'r', now(), now(), now() + interval '1 hour', $3, 'the bank is closed')`,
        [tenant, kind, attempts],
      );
    await failing('sample.hopeful', 4);
    await failing('sample.hopeless', 5);
    expect(await shown('degraded')).toMatchObject({
      checks: { events: 'ok', work: 'failing' },
      failing: [{ kind: 'sample.hopeless', count: 1, error: 'the bank is closed' }],
    });
    expect((await test.as(null)('GET', '/internal/metrics')).body).toMatch(/^due_work_failing\{.*\} 1$/m);
    await test.peek(`DELETE FROM due_work WHERE kind LIKE 'sample.hope%'`);
    await shown('up');
  });

  it('asks the database beside connections that are all at work, and says whether it takes writes', async () => {
    const { pool } = test.service.kit.database;
    const taken = await Promise.all(Array.from({ length: pool.options.max! }, () => pool.connect()));
    const asked = (): Promise<unknown> => test.as(null)('GET', '/internal/health');
    const health = await asked();
    expect(health).toMatchObject({ status: 200, body: { status: 'up', checks: { database: 'up' } } });
    // Connections from now on meet a server that only reads.
    const { rows } = await taken[0]!.query<{ name: string }>('SELECT current_database() AS name');
    await test.peek(`ALTER DATABASE ${rows[0]!.name} SET default_transaction_read_only = on`);
    const readOnly = await asked();
    await test.peek(`SET TRANSACTION READ WRITE; ALTER DATABASE ${rows[0]!.name} RESET default_transaction_read_only`);
    for (const client of taken) client.release();
    expect(readOnly).toMatchObject({ status: 200, body: { checks: { database: 'read_only' } } });
  });
});
