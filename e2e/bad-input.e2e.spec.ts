import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api, type Answer, eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { System } from './support/system.js';

/** What a refused request must not have changed, in any service. */
const LISTS = [
  '/customers', '/catalogue/products', '/price-plans', '/plans', '/billing-groups', '/tax-groups', '/invoices', '/payment-methods',
  '/payment/transactions', '/offers', '/custom-fields', '/api-keys', '/webhooks', '/events', '/api/wallet/balances', '/api/wallet/transactions',
]; // prettier-ignore

describe('bad input', () => {
  let system: System;
  let api: Api;
  let given: Given;
  let before: Json;

  beforeAll(async () => {
    system = await System.shared();
    ({ api } = await system.sandbox());
    given = await someData(api, (await system.sandbox()).api);
    before = await settledCounts(api, given);
  });

  /** The refusal as problem+json, nothing of the inside in it, and nothing changed anywhere. */
  async function refused(answer: Answer<Json>, status: number, reason: string): Promise<void> {
    expect({ status: answer.status, reason: answer.body.reason }).toEqual({ status, reason });
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.body).toMatchObject({
      type: expect.any(String),
      title: expect.any(String),
      detail: expect.any(String),
      status,
    });
    expect(answer.body.instance).toBe(answer.headers.get('x-request-id'));
    expect(JSON.stringify(answer.body)).not.toMatch(
      /\bat \/|node_modules|SELECT|INSERT|duplicate key|FST_|\.ts:|\.js:/,
    );
    expect(await counts(api, given)).toEqual(before);
  }

  const CASES: [string, string, (given: Given) => [path: string, body: unknown], number, string][] = [
    ['unreadable JSON', 'POST', () => ['/customers', '{"email":'], 400, 'invalid_request'],
    ['unreadable JSON for usage', 'POST', () => ['/api/usage-events', '{"events":'], 400, 'invalid_request'],
    ['no object', 'POST', () => ['/customers', []], 400, 'invalid_request'],
    ['a missing field', 'POST', () => ['/customers', { companyName: 'Backhaus' }], 400, 'invalid_request'],
    ['nobody’s name', 'POST', () => ['/customers', { email: 'a@b.example' }], 400, 'invalid_request'],
    ['a missing nested field', 'POST', (data) => ['/invoices', { customer: data.customer, positions: [{ name: 'P' }] }], 400, 'invalid_request'],
    ['a payment of nobody', 'POST', (data) => [`/invoices/${data.unpaid}/payments`, { description: 'd' }], 400, 'invalid_request'],
    ['a wrong type', 'POST', () => ['/customers', { email: 5, companyName: 'Backhaus' }], 400, 'invalid_request'],
    ['a number for a decimal', 'POST', (data) => ['/invoices', invoice(data, { quantity: 1 })], 400, 'invalid_request'],
    ['a text for an amount', 'POST', (data) => [`/invoices/${data.unpaid}/payments`, payment(data, { amount: '5' })], 400, 'invalid_request'],
    ['a number for a custom field', 'POST', () => ['/customers', aName({ customFields: { colour: 5 } })], 400, 'invalid_request'],
    ['no list of events', 'POST', () => ['/api/usage-events', { events: {} }], 400, 'invalid_request'],
    ['no events', 'POST', () => ['/api/usage-events', { events: [] }], 400, 'invalid_request'],
    ['too many events', 'POST', () => ['/api/usage-events', { events: Array(1001).fill({}) }], 400, 'invalid_request'],
    ['an unknown field', 'POST', () => ['/customers', aName({ colour: 'red' })], 400, 'unknown_field'],
    ['a prototype', 'POST', () => ['/customers', '{"email":"a@b.example","companyName":"Ab","__proto__":{"a":1}}'], 400, 'unknown_field'],
    ['an unknown filter', 'GET', () => ['/customers?colour=red', undefined], 400, 'invalid_request'],
    ['a time that is empty', 'GET', () => ['/api/usage-events?to=', undefined], 400, 'invalid_request'],
    ['null for a body', 'POST', () => ['/customers', 'null'], 400, 'invalid_request'],
    ['a due date in the year 0', 'POST', (data) => ['/invoices', { ...invoice(data, {}), dueDate: '0000-01-01' }], 422, 'validation_failed'],
    ['an interval of 9,999 years', 'POST', () => ['/price-plans', { ...aPrice, product: randomUUID(), billingInterval: '9999Y' }], 422, 'validation_failed'],
    ['a start in the year 9999', 'POST', (data) => 
      ['/subscriptions', { customer: data.customer, items: [], billingStart: '9999-12-31T23:59:59.000Z' }], 422, 'validation_failed'],
    ['a page that is too large', 'GET', () => ['/invoices?limit=101', undefined], 400, 'invalid_request'],
    ['an unknown enum', 'POST', () => ['/customers', aName({ language: 'fr' })], 422, 'validation_failed'],
    ['an unknown enum as a filter', 'GET', () => ['/invoices?status=PAID', undefined], 400, 'invalid_request'],
    ['a text that is too long', 'POST', () => ['/customers', aName({ companyName: 'x'.repeat(256) })], 422, 'validation_failed'],
    ['a NUL character', 'POST', () => ['/customers', aName({ companyName: 'Ab\u0000' })], 422, 'validation_failed'],
    ['half a character', 'POST', () => ['/customers', aName({ companyName: 'Ab\ud800' })], 422, 'validation_failed'],
    ['a customer number twice', 'POST', (data) => ['/customers', aName({ customerNumber: data.customerNumber })], 422, 'already_exists'],
    ['an unknown customer', 'POST', () => ['/invoices', { customer: randomUUID() }], 422, 'unknown_reference'],
    ['an unknown product', 'POST', () => ['/price-plans', { ...aPrice, product: randomUUID() }], 422, 'unknown_reference'],
    ['an unknown method', 'POST', (data) => [`/invoices/${data.unpaid}/payments`, payment(data, { paymentMethod: randomUUID() })], 422, 'unknown_reference'],
    ['an unknown price plan', 'POST', () => ['/plans', { code: 'p', name: 'P', items: [{ pricePlan: randomUUID() }] }], 422, 'unknown_reference'],
    ["a foreign tenant's customer in a body", 'POST', (data) => ['/offers', { customer: data.foreign.customer, name: 'O' }], 422, 'unknown_reference'],
    ["a foreign tenant's customer", 'GET', (data) => [`/customers/${data.foreign.customer}`, undefined], 404, 'not_found'],
    ["a change to a foreign tenant's customer", 'PUT', (data) => [`/customers/${data.foreign.customer}/archive`, {}], 404, 'not_found'],
    ["a foreign tenant's invoice", 'POST', (data) => [`/invoices/${data.foreign.unpaid}/payments`, payment(data)], 404, 'not_found'],
    ["a foreign tenant's draft", 'DELETE', (data) => [`/invoices/${data.foreign.draft}`, undefined], 404, 'not_found'],
    ["a foreign tenant's method", 'DELETE', (data) => [`/payment-methods/${data.foreign.method}`, undefined], 404, 'not_found'],
    ['a malformed id', 'GET', () => ['/customers/nonsense', undefined], 404, 'not_found'],
    ['an id that cannot be decoded', 'GET', () => ['/invoices/%ff', undefined], 404, 'not_found'],
    ['an id with a NUL', 'GET', () => ['/invoices/%00', undefined], 404, 'not_found'],
    ['an endless id', 'GET', () => [`/invoices/${'x'.repeat(3000)}`, undefined], 404, 'not_found'],
    ['an unknown path', 'GET', () => ['/nowhere', undefined], 404, 'not_found'],
    ['a method that is not there', 'DELETE', () => ['/customers', undefined], 405, 'method_not_allowed'],
    ['too many decimals in a payment', 'POST', (data) => [`/invoices/${data.unpaid}/payments`, payment(data, { amount: 1.005 })], 422, 'validation_failed'],
    ['too many decimals in yen', 'POST', (data) => ['/api/wallet/adjustments', credit(data, { amount: 1.5, currencyCode: 'JPY' })], 422, 'validation_failed'],
    ['too many decimals in dinar', 'POST', (data) => 
      ['/api/wallet/adjustments', credit(data, { amount: 1.2345, currencyCode: 'KWD' })], 422, 'validation_failed'],
    ['a fraction of a cent', 'POST', (data) => ['/invoices', invoice(data, { unitPrice: { amount: 1.5, currencyCode: 'EUR' } })], 422, 'validation_failed'],
    ['a negative payment', 'POST', (data) => [`/invoices/${data.unpaid}/payments`, payment(data, { amount: -5 })], 422, 'validation_failed'],
    ['an amount beyond all numbers', 'POST', (data) => 
      ['/invoices', invoice(data, { unitPrice: { amount: 2 ** 53, currencyCode: 'EUR' } })], 422, 'validation_failed'],
    ['a sum beyond all numbers', 'POST', (data) => 
      ['/invoices', invoice(data, { quantity: '1000', unitPrice: { amount: 2 ** 53 - 1, currencyCode: 'EUR' } })], 422, 'validation_failed'],
    ['another currency', 'POST', (data) => [`/invoices/${data.unpaid}/payments`, payment(data, { currencyCode: 'USD' })], 422, 'currency_mismatch'],
    ['a payment of tomorrow', 'POST', (data) => 
      [`/invoices/${data.unpaid}/payments`, payment(data, { paymentDate: '2999-01-01T00:00:00.000Z' })], 422, 'validation_failed'],
    ['more than the wallet holds', 'POST', (data) => ['/api/wallet/adjustments', credit(data, { amount: -5 })], 422, 'insufficient_credit'],
    ['a payment on a draft', 'POST', (data) => [`/invoices/${data.draft}/payments`, payment(data)], 422, 'invoice_not_unpaid'],
    ['a second finalization', 'POST', (data) => [`/invoices/${data.unpaid}/finalize`, {}], 422, 'invalid_status_transition'],
    ['a change to what is finalized', 'DELETE', (data) => [`/invoices/${data.unpaid}`, undefined], 422, 'invoice_not_draft'],
    ['a deletion of what is in use', 'DELETE', (data) => [`/customers/${data.customer}`, undefined], 422, 'in_use'],
    ['a field of another type of price', 'POST', () => ['/price-plans', { ...aPrice, product: randomUUID(), percentage: '5' }], 422, 'validation_failed'],
    ['a feature that is not enabled', 'PUT', (data) => 
      [`/customers/${data.customer}/set-parent`, { parentCustomerId: data.customer }], 403, 'feature_not_enabled'],
    ['an operation of the operator', 'POST', () => ['/sandbox/tenants', { name: 'x' }], 403, 'permission_denied'],
  ]; // prettier-ignore

  it.each(CASES)('%s: %s', async (_what, method, request, status, reason) => {
    const [path, body] = request(given);
    await refused(await api.send(method, path, body), status, reason);
  });

  it.each([
    ['a form', 'application/x-www-form-urlencoded', 'email=a'],
    ['XML', 'text/xml', '<a/>'],
  ])('%s is no JSON', async (_what, type, body) => {
    await refused(await api.send('POST', '/customers', body, { 'content-type': type }), 415, 'unsupported_media_type');
  });

  it.each([
    ['/customers', 'application/json'],
    ['/api/usage-events', 'application/json'],
    ['/api/usage-events/import', 'text/csv'],
    ['/payment/bank-account-transactions/import', 'application/json'],
  ])('%s does not unpack what it is sent', async (path, type) => {
    const headers = { 'content-type': type, 'content-encoding': 'gzip' };
    await refused(await api.send('POST', path, '{}', headers), 415, 'unsupported_media_type');
  });

  it.each([
    ['/customers', 5],
    ['/invoices', 2],
    ['/api/usage-events', 10],
  ])('%s takes %i MiB, not more', async (path, mebibytes) => {
    await refused(await api.post(path, `{"email":"${'x'.repeat(mebibytes * 1024 * 1024)}"}`), 413, 'payload_too_large');
  });

  it('a token that is missing, unknown or without the permission', async () => {
    await refused(await new Api(api.baseUrl, undefined).post('/customers', aName()), 401, 'unauthenticated');
    await refused(await new Api(api.baseUrl, 'api_nonsense').post('/customers', aName()), 401, 'unauthenticated');
    const key = await api.ok('POST', '/api-keys', { name: 'Reader', permissions: ['customer:read'] });
    const reader = new Api(api.baseUrl, key.secret);
    before = await settledCounts(api, given);
    await refused(await reader.post('/customers', aName()), 403, 'permission_denied');
    await refused(await reader.get('/invoices'), 403, 'permission_denied');
    await refused(await reader.post('/api-keys', { name: 'More', permissions: ['*'] }), 403, 'permission_denied');
    await api.delete(`/api-keys/${key.id}`);
    before = await settledCounts(api, given);
  });

  it("a customer's token stays with its customer", async () => {
    const session = await api.ok('POST', `/customers/${given.customer}/authenticate`, {});
    const portal = new Api(api.baseUrl, session.data.accessToken);
    const other = await aCustomer(api);
    before = await settledCounts(api, given);
    await refused(await portal.get(`/api/wallet/balances?customerId=${other.id}`), 403, 'foreign_customer');
    await refused(await portal.get(`/customers/${other.id}`), 403, 'foreign_customer');
    await refused(await portal.get('/customers'), 403, 'permission_denied');
    await refused(await portal.put(`/customers/${given.customer}`, {}), 403, 'permission_denied');
  });

  it('a key for another body, one that is too long, and one that a refusal freed', async () => {
    const key = { 'idempotency-key': randomUUID() };
    expect((await api.post('/catalogue/units', { name: '' }, key)).status).toBe(422);
    const first = await api.post('/catalogue/units', { name: 'Seat' }, key);
    expect(first.status).toBe(201);
    const again = await api.post('/catalogue/units', { name: 'Seat' }, key);
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([201, 'true', first.body]);
    await refused(await api.post('/catalogue/units', { name: 'Desk' }, key), 422, 'idempotency_key_reused');
    await refused(
      await api.post('/catalogue/units', { name: 'Desk' }, { 'idempotency-key': 'x'.repeat(256) }),
      400,
      'invalid_request',
    );
    expect((await api.get('/catalogue/units?limit=0')).body.meta.pagination.totalItems).toBe(1);
  });

  it('eight clicks at once pay once', async () => {
    const clicks = await Promise.all(
      Array.from({ length: 8 }, () => api.post(`/invoices/${given.unpaid}/payments`, payment(given))),
    );
    expect(clicks.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status } of clicks) expect([201, 409, 422]).toContain(status);
    expect((await api.get(`/invoices/${given.unpaid}`)).body).toMatchObject({
      status: 'STATUS_PAID',
      unpaidAmount: { amount: 0 },
    });
    expect((await api.get(`/payment/transactions?limit=0`)).body.meta.pagination.totalItems).toBe(1);
  });
});

describe('too many requests', () => {
  let system: System;

  beforeAll(async () => void (system = await System.embedded({ RATE_LIMIT_SANDBOX: '40' })));
  afterAll(() => system?.stop());

  it('are 429 with the time to wait, and do nothing', async () => {
    const { api } = await system.sandbox();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => api.post('/catalogue/units', { name: `Unit ${n}` })),
    );
    const limited = answers.filter(({ status }) => status === 429);
    const made = answers.filter(({ status }) => status === 201);
    expect([made.length, limited.length]).toEqual([40, 20]);
    for (const { body, headers } of limited) {
      expect(body).toMatchObject({ status: 429, reason: 'rate_limited' });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(headers.get('ratelimit-remaining')).toBe('0');
    }
  });
});

interface Given {
  customer: string;
  customerNumber: string;
  method: string;
  unpaid: string;
  draft: string;
  foreign: Omit<Given, 'foreign'>;
}

const aPrice = { type: 'flat_fee', currencyCode: 'EUR', billingInterval: '1M', price: { amount: 4900 } };
const aName = (changes: object = {}): object => ({ email: 'a@b.example', companyName: 'Backhaus', ...changes });
const aPosition = (changes: object = {}): object => ({
  name: 'Consulting',
  unitPrice: { amount: 10000, currencyCode: 'EUR' },
  ...changes,
});
const invoice = (given: Given, position: object): { customer: string; positions: object[] } => ({
  customer: given.customer,
  positions: [aPosition(position)],
});
const payment = (given: Given, changes: object = {}): object => ({
  paymentMethod: given.method,
  description: 'Transfer',
  ...changes,
});
const credit = (given: Given, changes: object): object => ({
  customerId: given.customer,
  amount: 5,
  currencyCode: 'EUR',
  description: 'Goodwill',
  ...changes,
});

async function someData(api: Api, other: Api): Promise<Given> {
  const [data, foreign] = [await aTenantsData(api), await aTenantsData(other)];
  return { ...data, foreign };
}

async function aTenantsData(api: Api): Promise<Omit<Given, 'foreign'>> {
  const customer = await aCustomer(api);
  await priced(api, { price: { amount: 4900 } });
  const { paymentMethod } = await api.ok('POST', '/payment-methods', {
    gateway: 'bank_transfer',
    customerId: customer.id,
  });
  const draft = await api.ok('POST', '/invoices', { customer: customer.id, positions: [aPosition()] });
  const unpaid = await api.ok('POST', '/invoices', { customer: customer.id, positions: [aPosition()] });
  await api.ok('POST', `/invoices/${unpaid.id}/finalize`, {});
  // The last that its finalization brings: on a busy machine its mail is on its way for seconds in which nothing else moves.
  await eventually('the invoice is sent', async () => (await api.ok('GET', `/invoices/${unpaid.id}`)).lastSentAt);
  return {
    customer: customer.id,
    customerNumber: customer.customerNumber,
    method: paymentMethod.id,
    draft: draft.id,
    unpaid: unpaid.id,
  };
}

/** What there is once the events of what was done before have arrived everywhere. */
async function settledCounts(api: Api, given: Given): Promise<Json> {
  let last = await counts(api, given);
  return eventually('nothing moves any more', async () => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const now = await counts(api, given);
    const same = JSON.stringify(now) === JSON.stringify(last);
    last = now;
    return same && now;
  });
}

/** Totals of every list, and the objects that the cases aim at. */
async function counts(api: Api, { customer, unpaid, draft }: Given): Promise<Json> {
  const totals = await Promise.all(
    LISTS.map(async (path) => {
      const { body } = await api.get(`${path}?limit=0`);
      return [path, body.count ?? body.meta.pagination.totalItems];
    }),
  );
  const objects = [`/customers/${customer}`, `/invoices/${unpaid}`, `/invoices/${draft}`].map(async (path) => [
    path,
    await api.ok('GET', path),
  ]);
  return Object.fromEntries([...totals, ...(await Promise.all(objects))]);
}
