import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { shareOf } from '@kontor/testing';
import { tokenRevocation } from 'openid-client';
import { Api, eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { Connect } from './support/connect.js';
import { Databases } from './support/databases.js';
import { aPerson, signedIn } from './support/people.js';
import { StatementLog } from './support/statement-log.js';
import { System } from './support/system.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const NOBODYS = '0199f000-0000-7000-8000-0000000000aa';
const TRIES = 20;

interface Operation {
  readonly method: string;
  readonly template: string;
  readonly permission: string;
  /** A body that its document shows. */
  readonly example: Json;
}

interface Refusal {
  readonly status: number;
  readonly reason: string;
}

/** Every operation of the OpenAPI document × everybody who may not call it; afterwards no row of any database has changed. */
describe('whoever may not', () => {
  let system: System;
  let databases: Databases;
  let operations: Operation[];
  let owner: { tenantId: string; api: Api };
  let ids: Record<string, string>;
  let before: Map<string, string>;

  beforeAll(async () => {
    system = await System.shared();
    databases = await Databases.of(system.dataDir);
    const document: Json = (await system.api.get('/openapi.json')).body;
    operations = Object.entries<Json>(document.paths).flatMap(([template, item]) =>
      METHODS.filter((method) => item[method]?.['x-permission']).map((method) => ({
        method: method.toUpperCase(),
        template,
        permission: item[method]['x-permission'] as string,
        example: item[method].requestBody?.content['application/json']?.example,
      })),
    );
    owner = await system.sandbox();
    ids = await objectsOf(owner.api);
    await settled();
  });
  afterEach(expectNothingChanged);
  afterAll(() => databases.end());

  /** One object of many kinds, by the first part of its path. */
  async function objectsOf(api: Api): Promise<Record<string, string>> {
    const customer = await aCustomer(api);
    const { product, pricePlan } = await priced(api, { price: { amount: 1000 } });
    const made = { customer: customer.id, items: [{ pricePlan: pricePlan.id }] };
    const subscription = await api.ok('POST', '/subscriptions', made);
    const positions = [{ name: 'Beratung', unitPrice: { amount: 10000, currencyCode: 'EUR' } }];
    const invoice = await api.ok('POST', '/invoices', { customer: customer.id, positions });
    const { paymentMethod } = await api.ok('POST', '/payment-methods', { customerId: customer.id, gateway: 'testing' });
    const offer = await api.ok('POST', '/offers', { customer: customer.id, subscription: subscription.id });
    const webhook = await api.ok('POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['webhook.test'] });
    const metric = await api.ok('POST', '/api/usage-metrics', {
      code: 'traffic', name: 'Traffic', eventName: 'download', aggregationType: 'count',
    }); // prettier-ignore
    const coupon = await api.ok('POST', '/coupons', {
      code: 'FREMD', type: 'percentage', percentage: '10', frequency: 'once',
    }); // prettier-ignore
    return {
      customers: customer.id, products: product.id, 'price-plans': pricePlan.id, subscriptions: subscription.id,
      'subscription-items': subscription.items[0].id, invoices: invoice.id, 'payment-methods': paymentMethod.id,
      offers: offer.id, webhooks: webhook.id, 'usage-metrics': metric.id, coupons: coupon.id,
    }; // prettier-ignore
  }

  /** The path with the owner's objects in it, or with ids that nobody has. */
  function pathOf({ template }: Operation, known: Record<string, string>): string {
    const parts = template.split('/');
    return parts
      .map((part, index) => (part.startsWith('{') ? (known[parts[index - 1] ?? ''] ?? NOBODYS) : part))
      .join('/');
  }

  const call = (api: Api, operation: Operation, known = ids): Promise<{ status: number; body: Json }> =>
    api.send(
      operation.method,
      pathOf(operation, known),
      operation.method === 'GET' || operation.method === 'DELETE' ? undefined : {},
    );

  const changedIn = (from: Map<string, string>, to: Map<string, string>): string[] =>
    [...to].filter(([table, digest]) => from.get(table) !== digest).map(([table]) => table);

  async function expectNothingChanged(): Promise<void> {
    expect(changedIn(before, await databases.digests(owner.tenantId))).toEqual([]);
  }

  async function expectRefused(api: Api, wanted: Refusal, of: readonly Operation[] = operations): Promise<void> {
    const wrong: string[] = [];
    for (const operation of of) {
      const { status, body } = await call(api, operation);
      if (status !== wanted.status || body.reason !== wanted.reason)
        wrong.push(`${operation.method} ${operation.template}: ${status} ${body.reason}`);
    }
    expect(wrong).toEqual([]);
  }

  /** A quarter of the operations, others with each commit. */
  const aShare = (): Operation[] => shareOf(operations, Math.ceil(operations.length / 5));

  const as = (token: string | undefined): Api => new Api(system.connection.baseUrl, token);
  const key = (permissions: readonly string[], more: Json = {}): Promise<Json> =>
    owner.api.ok('POST', '/api-keys', { name: 'Matrix', permissions, ...more });
  /** A key is a row, too. */
  const since = async (): Promise<void> => void (before = await databases.digests(owner.tenantId));

  /** What was begun has happened. */
  async function settled(tenantId = owner.tenantId): Promise<void> {
    await eventually('nothing happens any more', async () => {
      const now = await databases.digests(tenantId);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      return changedIn(now, await databases.digests(tenantId)).length === 0;
    });
    await since();
  }

  it('shows nothing: 401', () => expectRefused(as(undefined), { status: 401, reason: 'unauthenticated' }));

  it.each(['api_0000000000000000000000000000000000000000', 'x', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.'])(
    'shows what is no key (%s): 401',
    (token) => expectRefused(as(token), { status: 401, reason: 'unauthenticated' }, aShare()),
  );

  it('shows a key that was revoked: 401', async () => {
    const made = await key(['*']);
    expect((await owner.api.delete(`/api-keys/${made.id}`)).status).toBe(204);
    const api = as(made.secret);
    await eventually('the key is refused', async () => (await api.get('/tenant')).status === 401);
    await since();
    await expectRefused(api, { status: 401, reason: 'unauthenticated' }, aShare());
  });

  it('shows a key that has expired: 401', async () => {
    const made = await key(['*'], { expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
    const api = as(made.secret);
    expect((await api.get('/tenant')).status).toBe(200);
    await databases.query('kontor_identity', `UPDATE api_key SET expires_at = now() - interval '1 s' WHERE id = $1`, [
      made.id,
    ]);
    await eventually('the key has expired', async () => (await api.get('/tenant')).status === 401);
    await since();
    await expectRefused(api, { status: 401, reason: 'unauthenticated' }, aShare());
  });

  it('has every permission but the one that is needed: 403', async () => {
    const permissions = [...new Set(operations.map(({ permission }) => permission))].filter(
      (permission) => permission !== 'operator' && permission !== '*',
    );
    // A key each, made first; using them changes nothing but when each was last used.
    const keys = new Map<string, Api>();
    for (const missing of permissions) {
      const others = permissions.filter(
        (permission) =>
          permission !== missing && !(missing === 'payment-method:add' && permission === 'payment-method:write'),
      );
      keys.set(missing, as((await key(others)).secret));
    }
    keys.set('*', as((await key(permissions)).secret));
    await since();
    for (const [missing, api] of keys)
      await expectRefused(
        api,
        { status: 403, reason: 'permission_denied' },
        operations.filter(({ permission }) => permission === missing),
      );
  });

  it('has every permission of a tenant, but is not the operator: 403', () =>
    expectRefused(
      owner.api,
      { status: 403, reason: 'permission_denied' },
      operations.filter(({ permission }) => permission === 'operator'),
    ));

  it('is an app whose scope is another: 403', async () => {
    const connect = new Connect(system);
    const { config } = await connect.anApp();
    const { redeem } = await connect.signIn(config, (await connect.someone()).email, { scope: 'openid offline' });
    await expectRefused(as((await redeem()).access_token), { status: 403, reason: 'permission_denied' }, aShare());
  });

  describe('shows what was good until a moment ago: 401', () => {
    const shown = new Map<string, Api>();

    /** A token that gets in, until it is ended. */
    async function ended(what: string, token: string, end: () => Promise<unknown>, path = '/entitlements') {
      const api = as(token);
      expect([what, (await api.get(path)).status]).toEqual([what, 200]);
      await end();
      await eventually(`${what} is refused`, async () => (await api.get(path)).status === 401);
      shown.set(what, api);
    }

    async function endTokensOfApps(): Promise<void> {
      const connect = new Connect(system);
      const aToken = async () => {
        const { client, config } = await connect.anApp();
        const { redeem } = await connect.signIn(config, (await connect.someone()).email);
        return { client, config, ...(await redeem()) };
      };
      const revoked = await aToken();
      await ended("an app's token that it has revoked", revoked.access_token, () =>
        tokenRevocation(revoked.config, revoked.access_token),
      );
      const left = await aToken();
      await ended("an app's token whose refresh token it has revoked", left.access_token, () =>
        tokenRevocation(left.config, left.refresh_token!),
      );
      const removed = await aToken();
      await ended('a token of an app that was removed', removed.access_token, () =>
        system.api.ok('DELETE', `/oauth/clients/${removed.client.clientId}`),
      );
      const old = await aToken();
      await ended("an app's token that has expired", old.access_token, () =>
        databases.query(
          'kontor_identity',
          `UPDATE oidc_payload SET expires_at = now() - interval '1 s' WHERE model = 'AccessToken' AND payload->>'clientId' = $1`,
          [old.client.clientId],
        ),
      );
    }

    async function endTokensOfCustomers(): Promise<void> {
      const { id } = await aCustomer(owner.api);
      const aSession = async (): Promise<Json> => (await owner.api.ok('POST', `/customers/${id}/authenticate`)).data;
      const refresh = (refreshToken: string) => as(undefined).post('/public/customer/refresh', { refreshToken });
      const replaced = await aSession();
      await ended("a customer's token that was replaced", replaced.accessToken, () => refresh(replaced.refreshToken));
      const first = await aSession();
      const second = (await refresh(first.refreshToken)).body.data;
      await ended("a customer's token that was revoked", second.accessToken, () => refresh(first.refreshToken));
      const old = await aSession();
      await ended("a customer's token that has expired", old.accessToken, () =>
        databases.query(
          'kontor_identity',
          `UPDATE customer_session SET access_expires_at = now() - interval '1 s' WHERE access_digest = sha256($1)`,
          [Buffer.from(old.accessToken)],
        ),
      );
    }

    async function endTokensOfPeople(): Promise<void> {
      const email = 'ada@nobody-gets-in.example';
      const { token: old } = await aPerson(system, owner.api, { email, roles: ['support'], firstName: 'Ada' });
      await ended(
        "a person's token that has expired",
        old!,
        () =>
          databases.query(
            'kontor_identity',
            `UPDATE person_session SET access_expires_at = now() - interval '1 s' WHERE access_digest = sha256($1)`,
            [Buffer.from(old!)],
          ),
        '/customers',
      );
      const left = await signedIn(system.connection.baseUrl, email);
      await ended(
        "a person's token that was signed out",
        left.token!,
        () => left.post('/public/users/sign-out'),
        '/customers',
      );
      const { token } = await signedIn(system.connection.baseUrl, email);
      const users: Json[] = (await owner.api.ok('GET', '/users')).data;
      const { id } = users.find((user) => user.email === email);
      await ended(
        'a token of a person who was removed',
        token!,
        () => owner.api.ok('DELETE', `/users/${id}`),
        '/customers',
      );
    }

    beforeAll(async () => {
      await endTokensOfApps();
      await endTokensOfCustomers();
      await endTokensOfPeople();
      // Apps are of the operator's tenant.
      await settled(system.connection.tenantId);
      await settled();
    });

    it.each([
      "an app's token that it has revoked",
      "an app's token whose refresh token it has revoked",
      'a token of an app that was removed',
      "an app's token that has expired",
      "a customer's token that was replaced",
      "a customer's token that was revoked",
      "a customer's token that has expired",
      "a person's token that has expired",
      "a person's token that was signed out",
      'a token of a person who was removed',
    ])('%s', async (what) => {
      const appsBefore = await databases.digests(system.connection.tenantId);
      await expectRefused(shown.get(what)!, { status: 401, reason: 'unauthenticated' });
      expect(changedIn(appsBefore, await databases.digests(system.connection.tenantId))).toEqual([]);
    });
  });

  it('is another tenant: what is not its own looks like what does not exist, in its words and its work, and nothing of it changes', async () => {
    const other = await system.sandbox();
    const nobodys = Object.fromEntries(
      Object.keys(ids).map((kind) => [kind, kind === 'offers' ? '01J0000000000000000000ZZZZ' : NOBODYS]),
    );
    const log = await StatementLog.begin(databases, system.dataDir);
    /** What is said, and which statements it takes: who measures answers learns nothing where the work is the same. */
    const trial = async (
      operation: Operation,
      known: Record<string, string>,
    ): Promise<{ said: string; work: string }> => {
      log.statements();
      const isRead = ['GET', 'DELETE'].includes(operation.method);
      const { status, body } = await other.api.send(
        operation.method,
        pathOf(operation, known),
        isRead ? undefined : (operation.example ?? {}),
      );
      const said = JSON.stringify([status, body.reason, body.detail, body.violations]);
      return { said: said.replaceAll(/[0-9a-f-]{36}/g, 'id'), work: log.statements().join('\n') };
    };
    /** Work in the background comes on top at times, and a token is looked up now and then: once they are the same, they are. */
    const differenceOf = async (operation: Operation): Promise<string | undefined> => {
      const seen = { foreign: new Set<string>(), missing: new Set<string>() };
      for (let tries = 1; ; tries++) {
        const [foreign, missing] = [await trial(operation, ids), await trial(operation, nobodys)];
        if (foreign.said !== missing.said) return `${foreign.said} and ${missing.said}`;
        statements += foreign.work.split('\n').filter(Boolean).length;
        seen.foreign.add(foreign.work);
        seen.missing.add(missing.work);
        if ([...seen.foreign].some((work) => seen.missing.has(work))) return undefined;
        if (tries === TRIES) return `${foreign.work}\nand\n${missing.work}`;
      }
    };
    const different: string[] = [];
    let statements = 0;
    try {
      for (const operation of operations.filter(
        (operation) => operation.permission !== 'operator' && pathOf(operation, ids) !== pathOf(operation, nobodys),
      )) {
        const difference = await differenceOf(operation);
        if (difference) different.push(`${operation.method} ${operation.template}: ${difference}`);
      }
    } finally {
      await log.end();
    }
    expect(different).toEqual([]);
    expect(statements).toBeGreaterThan(operations.length);
  });

  it("has another customer's token: nothing of this one, in the same words as for what does not exist", async () => {
    const stranger = await aCustomer(owner.api);
    const session = await owner.api.ok('POST', `/customers/${stranger.id}/authenticate`);
    const api = as(session.data.accessToken);
    await settled();
    const letIn: string[] = [];
    for (const operation of operations.filter(({ template }) => template.includes('{'))) {
      const { status, body } = await call(api, operation);
      if (status < 400 || JSON.stringify(body).includes(ids['customers']!))
        letIn.push(`${operation.method} ${operation.template}: ${status}`);
    }
    expect(letIn).toEqual([]);
  });

  it('is of a suspended tenant: 403, and the tenant as it was', async () => {
    const other = await system.sandbox();
    const { id } = await aCustomer(other.api);
    const session = await other.api.ok('POST', `/customers/${id}/authenticate`);
    await system.api.ok('PUT', `/tenants/${other.tenantId}/suspend`);
    await eventually('nobody gets in', async () => (await other.api.get('/tenant')).status === 403);
    for (const api of [other.api, as(session.data.accessToken)])
      await expectRefused(api, { status: 403, reason: 'tenant_suspended' });
  });
});
