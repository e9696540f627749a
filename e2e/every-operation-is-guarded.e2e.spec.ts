import { beforeAll, describe, expect, it } from '@jest/globals';
import { Api, eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { Connect } from './support/connect.js';
import { System } from './support/system.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const SOME_UUID = '0199f000-0000-7000-8000-0000000000aa';

/** What a customer's token reads of its customer, and the status of what does not exist. */
const MAY_READ: Readonly<Record<string, number>> = {
  'GET /invoices': 200,
  [`GET /invoices/${SOME_UUID}`]: 404,
  'GET /subscriptions': 200,
  [`GET /subscriptions/${SOME_UUID}`]: 404,
  'GET /payment-methods': 200,
  'GET /entitlements': 200,
  [`GET /payment-methods/${SOME_UUID}`]: 404,
};

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly permission: string | null;
}

/** Every operation of the OpenAPI document × who must not be able to call it. */
describe('every operation of the OpenAPI document', () => {
  let system: System;
  let operations: Operation[];
  let tenant: { tenantId: string; api: Api };
  let customerApi: Api;

  beforeAll(async () => {
    system = await System.shared();
    tenant = await system.sandbox();
    const document: Json = (await system.api.get('/openapi.json')).body;
    expect(document.openapi).toMatch(/^3\.1/);
    expect(document.info.version).toBe('0.0.0');
    operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => ({
        method: method.toUpperCase(),
        path: path.replace(/\{[^}]+\}/g, SOME_UUID),
        permission: item[method]['x-permission'] ?? null,
      })),
    );
    const customer = await aCustomer(tenant.api);
    const session = await tenant.api.ok('POST', `/customers/${customer.id}/authenticate`);
    customerApi = new Api(system.connection.baseUrl, session.data.accessToken);
  });

  const guarded = (): Operation[] => operations.filter((operation) => operation.permission !== null);
  const call = (api: Api, { method, path }: Operation): Promise<{ status: number; body: Json }> =>
    api.send(method, path, method === 'GET' || method === 'DELETE' ? undefined : {});

  it('there are many, and nearly all need a permission', () => {
    expect(operations.length).toBeGreaterThan(100);
    const inside = operations.filter(({ path }) => !/^\/(public|oauth2|userinfo|\.well-known)\b/.test(path));
    expect(guarded().length / inside.length).toBeGreaterThan(0.95);
  });

  it("with an app's token: refused, but for what the customer allowed", async () => {
    const connect = new Connect(system);
    const { config } = await connect.anApp();
    const { redeem } = await connect.signIn(config, (await connect.someone()).email);
    const app = new Api(system.connection.baseUrl, (await redeem()).access_token);
    for (const operation of guarded()) {
      const { method, path } = operation;
      const allowed = method === 'GET' && path === '/entitlements';
      expect([method, path, (await call(app, operation)).status]).toEqual([method, path, allowed ? 200 : 403]);
    }
  });

  it("with a customer's token: refused, but for what customers may do", async () => {
    for (const operation of guarded().filter((o) => !o.path.startsWith('/api/wallet'))) {
      const { method, path } = operation;
      const { status } = await call(customerApi, operation);
      expect([method, path, status]).toEqual([method, path, MAY_READ[`${method} ${path}`] ?? 403]);
    }
  });

  it('a customer reads itself, its invoices, subscriptions and payment methods, and nobody else’s', async () => {
    const { pricePlan } = await priced(tenant.api, { price: { amount: 1000 } });
    const made = [];
    for (let n = 0; n < 2; n++) {
      const customer = await aCustomer(tenant.api);
      const subscription = await tenant.api.ok('POST', '/subscriptions', {
        customer: customer.id,
        items: [{ pricePlan: pricePlan.id }],
      });
      await tenant.api.ok('PUT', `/subscriptions/${subscription.id}/activate`, { billImmediately: true });
      const { paymentMethod } = await tenant.api.ok('POST', '/payment-methods', {
        customerId: customer.id,
        gateway: 'testing',
      });
      const path = `/invoices?customer=${customer.id}`;
      const invoice = await eventually<Json>('the invoice is there', async () => {
        const { body } = await tenant.api.get(path);
        return body.data.find(({ status }: Json) => status !== 'STATUS_DRAFT');
      });
      await tenant.api.ok('PUT', `/invoices/${invoice.id}/note`, { note: 'Pays late' });
      const draft = await tenant.api.ok('POST', '/invoices', {
        customer: customer.id,
        positions: [{ name: 'Later', quantity: '1', unitPrice: { amount: 500, currencyCode: 'EUR' } }],
      });
      const session = await tenant.api.ok('POST', `/customers/${customer.id}/authenticate`);
      const api = new Api(system.connection.baseUrl, session.data.accessToken);
      made.push({ customer, subscription, paymentMethod, invoice, draft, api });
    }
    const [first, second] = made as [Json, Json];
    expect((await first.api.get(`/customers/${first.customer.id}`)).body.id).toBe(first.customer.id);
    expect((await first.api.get(`/customers/${second.customer.id}`)).body.reason).toBe('foreign_customer');
    for (const [path, object] of [
      ['/invoices', 'invoice'],
      ['/subscriptions', 'subscription'],
      ['/payment-methods', 'paymentMethod'],
    ] as const) {
      for (const query of ['', `?customer=${first.customer.id}`]) {
        const { body } = await first.api.get(path + query);
        expect([path, body.data.map(({ id }: Json) => id), body.meta.pagination.totalItems]).toEqual([
          path,
          [first[object].id],
          1,
        ]);
      }
      const foreign = await first.api.get(`${path}?customer=${second.customer.id}`);
      expect([path, foreign.status, foreign.body.reason]).toEqual([path, 403, 'foreign_customer']);
      const both = await first.api.get(`${path}?customer[]=${first.customer.id}&customer[]=${second.customer.id}`);
      expect([path, both.status]).toEqual([path, 403]);
      expect((await first.api.get(`${path}/${first[object].id}`)).body.id).toBe(first[object].id);
      expect([path, (await first.api.get(`${path}/${second[object].id}`)).status]).toEqual([path, 404]);
    }
    expect((await first.api.get(`/invoices?subscription=${second.subscription.id}`)).body.data).toEqual([]);
    expect((await first.api.get(`/invoices/${first.draft.id}`)).status).toBe(404);
    expect((await first.api.get('/invoices?status=STATUS_DRAFT')).body.data).toEqual([]);
    const [listed] = (await first.api.get('/invoices')).body.data;
    expect([listed.internalNote, (await first.api.get(`/invoices/${first.invoice.id}`)).body.internalNote]).toEqual([
      null,
      null,
    ]);
    expect((await tenant.api.get(`/invoices/${first.invoice.id}`)).body.internalNote).toBe('Pays late');
  });

  it("another tenant's objects are not found", async () => {
    const other = await system.sandbox();
    const customer = await aCustomer(other.api);
    for (const path of [
      `/customers/${customer.id}`,
      `/customers/${customer.id}/addresses`,
      `/customers/${customer.id}/activities`,
      `/customers/${customer.id}/settings`,
    ]) {
      expect([path, (await tenant.api.get(path)).status]).toEqual([path, 404]);
    }
    const refused = await tenant.api.post('/subscriptions', {
      customer: customer.id,
      items: [{ pricePlan: SOME_UUID }],
    });
    expect([refused.status, refused.body.reason]).toEqual([422, 'unknown_reference']);
  });

  it('no operation answers 5xx to an empty or an absurd body', async () => {
    for (const operation of operations.filter((o) => !o.path.startsWith('/sandbox'))) {
      for (const body of [
        undefined,
        '{',
        '[]',
        'null',
        '{"name":1,"customer":{"a":["b"]},"amount":1e400,"items":"x"}',
        '{"id":"\\u0000"}',
      ]) {
        if (operation.method === 'GET' || operation.method === 'DELETE') continue;
        const { status, body: answer } = await tenant.api.send(operation.method, operation.path, body);
        expect([operation.method, operation.path, body, status < 500, JSON.stringify(answer).slice(0, 200)]).toEqual([
          operation.method,
          operation.path,
          body,
          true,
          expect.anything(),
        ]);
      }
    }
  });
});
