import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CustomerState, customerChangedV1 } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, eventually, type Send, testService, type TestService } from '@kontor/testing';
import { CreateSandboxTenant, identityService, VerifyToken } from '../src/index.js';
import { FakeServices } from './fake-services.js';

const PUBLIC_URL = 'https://billing.example';

interface Link {
  readonly customerId: string;
  readonly name: string;
  readonly link: string;
}

describe('login links', () => {
  let fakes: FakeServices;
  let test: TestService;
  let anyone: Send;
  const tenants: string[] = [];

  beforeAll(async () => {
    fakes = await FakeServices.start('identity');
    test = await testService(identityService, { directory: fakes.directory, env: { PUBLIC_URL } });
    anyone = test.as(null);
    const create = test.service.get(CreateSandboxTenant);
    for (const name of ['One', 'Two'])
      tenants.push((await create.execute({ name, plan: 'standard', features: [], now: null })).tenantId);
  }, 60_000);
  afterAll(async () => {
    await test?.stop();
    fakes?.stop();
  });

  const aCustomer = async (tenantId: string, state: Partial<CustomerState>): Promise<string> => {
    const id = newUuid();
    await test.giveCopy('customer', tenantId, id, { ...customerChangedV1.example.state, ...state, id });
    return id;
  };
  const request = (email: string): ReturnType<Send> => anyone('POST', '/public/customer/request-login-link', { email });
  const mailed = async (tenantId: string): Promise<{ requestId: string; links: Link[] }[]> => {
    const rows = await test.peek<{ payload: string }>(
      `SELECT payload FROM outbox WHERE tenant_id = $1 AND type = 'identity.login-link.made.v1' ORDER BY id`,
      [tenantId],
    );
    return rows.map(({ payload }) => JSON.parse(payload));
  };
  const linksFor = (tenantId: string, customerId: string): Promise<Link[]> =>
    eventually(async () => {
      const mails = await mailed(tenantId);
      return mails.map(({ links }) => links).findLast((links) => links.some((link) => link.customerId === customerId));
    }, 'the mail with the links');
  const tokenOf = ({ link }: Link): string => link.slice(link.lastIndexOf('/') + 1);
  const aToken = async (): Promise<{ customerId: string; token: string }> => {
    const email = `${newUuid()}@example.com`;
    const customerId = await aCustomer(tenants[0]!, { email });
    expect((await request(email)).status).toBe(200);
    return { customerId, token: tokenOf((await linksFor(tenants[0]!, customerId))[0]!) };
  };

  it('answers alike for known and unknown addresses, and mails one link a customer of the address, by tenant', async () => {
    const email = 'Chor@Example.com';
    const [first, second] = [
      await aCustomer(tenants[0]!, { email, companyName: 'Chor e. V.' }),
      await aCustomer(tenants[0]!, {
        email: 'chor@example.COM',
        companyName: null,
        firstName: 'Ada',
        lastName: 'Berg',
      }),
    ];
    const third = await aCustomer(tenants[1]!, { email, companyName: 'Chor' });
    const answers = [await request('chor@example.com'), await request('nobody@example.com')];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, { success: true }],
      [200, { success: true }],
    ]);
    const links = await linksFor(tenants[0]!, first);
    expect(links.map(({ customerId, name }) => [customerId, name])).toEqual([
      [first, 'Chor e. V.'],
      [second, 'Ada Berg'],
    ]);
    for (const { link } of links)
      expect(link).toMatch(/^https:\/\/billing\.example\/public\/customer\/login\/[\w-]{22}$/);
    expect((await linksFor(tenants[1]!, third)).map(({ customerId }) => customerId)).toEqual([third]);
  });

  it('finds a customer that arrives a moment after the request', async () => {
    const email = `${newUuid()}@example.com`;
    expect((await request(email)).status).toBe(200);
    const customerId = await aCustomer(tenants[0]!, { email });
    expect(await linksFor(tenants[0]!, customerId)).toHaveLength(1);
  });

  it.each(['İstanbul', 'ΟΔΟΣ', 'STRASSE', 'straße'])('finds a customer with %s in the address', async (name) => {
    const email = `${name}.${newUuid()}@example.com`;
    const customerId = await aCustomer(tenants[0]!, { email });
    expect((await request(email)).status).toBe(200);
    expect(await linksFor(tenants[0]!, customerId)).toHaveLength(1);
  });

  it('sends twenty mails in a quarter of an hour to an address that one IP asks for, and others to who has it', async () => {
    const email = `${newUuid()}@example.com`;
    const customerId = await aCustomer(tenants[1]!, { email });
    const ask = (address: string) =>
      anyone('POST', '/public/customer/request-login-link', { email }, { 'x-forwarded-for': address });
    for (let n = 0; n < 24; n++) expect((await ask('192.0.2.7')).body).toEqual({ success: true });
    const mails = async () => (await mailed(tenants[1]!)).filter(({ links }) => links[0]?.customerId === customerId);
    await eventually(async () => (await mails()).length === 20, 'twenty mails');
    expect((await ask('198.51.100.7')).body).toEqual({ success: true });
    await eventually(async () => (await mails()).length === 21, 'the own mail');
    // Who asked is not kept.
    await eventually(async () => (await test.peek('SELECT 1 FROM login_request')).length === 0, 'nothing is left');
    expect(await mails()).toHaveLength(21);
  });

  it('keeps no counts of requests that are over', async () => {
    await request(`${newUuid()}@example.com`);
    await test.peek(`UPDATE person_attempt SET since = now() - interval '1 hour' RETURNING 1`);
    await request(`${newUuid()}@example.com`);
    const over = () => test.peek(`SELECT 1 FROM person_attempt WHERE since < now() - interval '30 minutes'`);
    await eventually(async () => (await over()).length === 0, 'they are gone', { limitMs: 20_000 });
  });

  it('a link works once: for tokens that act on that customer alone', async () => {
    const { customerId, token } = await aToken();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => anyone('POST', '/public/customer/login', { token })),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
    const { principal } = await test.service.get(VerifyToken).execute(won[0]!.body.data.accessToken);
    expect(principal).toMatchObject({ kind: 'customer', tenantId: tenants[0], customerId, permissions: [] });
  });

  it('a link that has expired, was never made, or is none does not work', async () => {
    const { token } = await aToken();
    await test.peek(`UPDATE login_link SET expires_at = now() - interval '1 second' WHERE digest = sha256($1)`, [
      Buffer.from(token),
    ]);
    for (const wrong of [token, 'A'.repeat(22), 'x', '../../../tenant'])
      expect((await anyone('POST', '/public/customer/login', { token: wrong })).status).toBe(401);
    const page = await anyone('GET', `/public/customer/login/${token}`);
    expect([page.status, page.body]).toEqual([404, expect.stringContaining('no longer valid')]);
  });

  it('its page asks for a click, which opening it does not use up, and leads to the customer area', async () => {
    const { customerId, token } = await aToken();
    const path = `/public/customer/login/${token}?lang=en`;
    for (let n = 0; n < 3; n++) {
      const page = await anyone('GET', path);
      expect(page.status).toBe(200);
      expect(page.body).toContain('<button type="submit">Log in as ');
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page.body).not.toContain('<script');
    }
    const origin = test.service.url;
    const click = (headers = {}) => fetch(origin + path, { method: 'POST', redirect: 'manual', headers });
    // Nobody is logged in by a form that another site has.
    expect((await click({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await click({ origin: 'https://other.example' })).status).toBe(403);
    const clicked = await click();
    expect([clicked.status, clicked.headers.get('location')]).toEqual([303, '/public/customer/area?lang=en']);
    expect(clicked.headers.get('set-cookie')).toMatch(
      /^kontor_customer=cus_[\w-]+; Path=\/public\/customer; HttpOnly; SameSite=Lax; Max-Age=3600; Secure$/,
    );
    expect((await click()).status).toBe(404);
    const cookie = clicked.headers.get('set-cookie')!.split(';')[0]!;
    const area = await anyone('GET', '/public/customer/area?lang=en', undefined, { cookie });
    expect([area.status, area.body]).toEqual([200, expect.stringContaining('Customer number')]);
    const signOut = (headers = {}) => anyone('POST', '/public/customer/sign-out', undefined, { cookie, ...headers });
    expect((await signOut({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await signOut({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    const after = await anyone('GET', '/public/customer/area?lang=de', undefined, { cookie });
    expect([after.status, after.body]).toEqual([200, expect.stringContaining('Sie sind abgemeldet')]);
    expect(await test.peek('SELECT 1 FROM customer_session WHERE customer_id = $1', [customerId])).toEqual([]);
  });

  it('a second click is part of the first, in the same browser and at once', async () => {
    const { customerId, token } = await aToken();
    const path = `/public/customer/login/${token}?lang=en`;
    const shown = await anyone('GET', path);
    const browser = shown.headers.get('set-cookie')!.split(';')[0]!;
    expect(shown.headers.get('set-cookie')).toMatch(
      /^kontor_login=[\w-]{22}; Path=\/public\/customer\/login; HttpOnly; SameSite=Lax; Max-Age=900; Secure$/,
    );
    const click = (cookie = browser) =>
      fetch(test.service.url + path, { method: 'POST', redirect: 'manual', headers: { cookie } });
    const clicks = await Promise.all([click(), click()]);
    expect(clicks.map(({ status }) => status)).toEqual([303, 303]);
    for (const { headers } of clicks) {
      const cookie = headers.get('set-cookie')!.split(';')[0]!;
      const area = await anyone('GET', '/public/customer/area?lang=en', undefined, { cookie });
      expect(area.body).toContain('Customer number');
    }
    for (const other of ['', `kontor_login=${'A'.repeat(22)}`]) expect((await click(other)).status).toBe(404);
    expect((await anyone('POST', '/public/customer/login', { token })).status).toBe(401);
    await test.peek(`UPDATE login_link SET used_at = now() - interval '11 seconds' WHERE customer_id = $1`, [
      customerId,
    ]);
    expect((await click()).status).toBe(404);
  });

  it('staff gets tokens and a link for a customer', async () => {
    const customerId = await aCustomer(tenants[0]!, {});
    const staff = test.as(apiKeyPrincipal(tenants[0]!));
    const { status, body } = await staff('POST', `/customers/${customerId}/authenticate`);
    expect(status).toBe(201);
    const token = body.data.customerAreaLink.split('/').at(-1);
    expect((await anyone('POST', '/public/customer/login', { token })).status).toBe(200);
  });

  it('a refresh token counts once; shown again, it ends the session', async () => {
    const { token } = await aToken();
    const { body: first } = await anyone('POST', '/public/customer/login', { token });
    const refresh = (refreshToken: string) => anyone('POST', '/public/customer/refresh', { refreshToken });
    const verify = (accessToken: string) =>
      test.service
        .get(VerifyToken)
        .execute(accessToken)
        .then(
          () => true,
          () => false,
        );
    const second = await refresh(first.data.refreshToken);
    expect(second.status).toBe(200);
    expect(await verify(first.data.accessToken)).toBe(false);
    expect(await verify(second.body.data.accessToken)).toBe(true);
    expect((await refresh(first.data.refreshToken)).status).toBe(401);
    expect(await verify(second.body.data.accessToken)).toBe(false);
    expect((await refresh(second.body.data.refreshToken)).status).toBe(401);
    expect((await refresh('cur_nothing')).status).toBe(401);
  });

  it('a refresh token that was exchanged long ago ends the session, too', async () => {
    const { token } = await aToken();
    const refresh = (refreshToken: string) => anyone('POST', '/public/customer/refresh', { refreshToken });
    const { body: stolen } = await anyone('POST', '/public/customer/login', { token });
    let thief = stolen.data.refreshToken;
    for (let n = 0; n < 3; n++) thief = (await refresh(thief)).body.data.refreshToken;
    expect((await refresh(stolen.data.refreshToken)).status).toBe(401);
    expect((await refresh(thief)).status).toBe(401);
  });

  it.each([
    [{}, 400],
    [{ email: 'no address' }, 422],
    [{ email: 'a@example.com', tenantId: newUuid() }, 400],
    [{ email: 7 }, 400],
  ])('refuses %j', async (body, status) => {
    expect((await anyone('POST', '/public/customer/request-login-link', body)).status).toBe(status);
  });
});
