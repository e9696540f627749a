import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, type Send, testService, type TestService } from '@kontor/testing';
import { CreateSandboxTenant, identityService } from '../src/index.js';
import { FakeServices } from './fake-services.js';
import { People } from './people.js';
import { WatchedRequests, type Work } from './statements.js';

/** The time of an answer shows nothing where known and unknown cost the same work. */
describe('the work for what is known, for what is not, and for what is of others', () => {
  let fakes: FakeServices;
  let test: TestService;
  let people: People;
  let admin: Send;
  let other: Send;
  let watched: WatchedRequests;

  beforeAll(async () => {
    fakes = await FakeServices.start('identity');
    test = await testService(identityService, { directory: fakes.directory });
    people = new People(test);
    watched = new WatchedRequests(test);
    const create = test.service.get(CreateSandboxTenant);
    const made = [];
    for (const name of ['One', 'Two']) {
      const { tenantId } = await create.execute({ name, plan: 'standard', features: [], now: null });
      made.push(test.as(apiKeyPrincipal(tenantId)));
    }
    [admin, other] = made as [Send, Send];
  }, 60_000);
  afterAll(async () => {
    await test?.stop();
    fakes?.stop();
  });

  const post =
    (path: string, body: object, status: number): (() => Promise<void>) =>
    async () =>
      expect((await people.anyone('POST', path, body)).status).toBe(status);
  const formTo =
    (path: string, fields: Record<string, string>, status: number): (() => Promise<void>) =>
    async () =>
      expect((await people.post(path, fields)).status).toBe(status);

  async function expectSame(known: () => Promise<void>, unknown: () => Promise<void>): Promise<Work> {
    const [first, second] = [await watched.during(known), await watched.during(unknown)];
    expect(second).toEqual(first);
    expect(first.statements.length).toBeGreaterThan(0);
    return first;
  }

  it('a password that is wrong, and an address that nobody has: one hash each, and the same statements', async () => {
    const email = await people.join(admin, ['support']);
    const stranger = people.newEmail();
    const wrong = { password: 'not the right one' };
    const path = '/public/users/sign-in';
    const api = await expectSame(post(path, { email, ...wrong }, 401), post(path, { email: stranger, ...wrong }, 401));
    expect(api.hashes).toBe(1);
    const page = '/public/account/sign-in';
    const form = await expectSame(
      formTo(page, { email, ...wrong }, 401),
      formTo(page, { email: stranger, ...wrong }, 401),
    );
    expect(form.hashes).toBe(1);
  });

  it('a link for a new password, or for a customer: nothing is looked up before the answer', async () => {
    const email = await people.join(admin, ['support']);
    const stranger = people.newEmail();
    for (const path of ['/public/users/request-password-reset', '/public/customer/request-login-link'])
      await expectSame(post(path, { email }, 200), post(path, { email: stranger }, 200));
  });

  it('the way to a company: the same for every address of its domain', async () => {
    const email = await people.join(admin, ['support']);
    const ask = (address: string) => formTo('/public/account/sign-in', { email: address, company: 'yes' }, 200);
    await expectSame(ask(email), ask(people.newEmail()));
  });

  it('what is of another tenant, and what is of nobody', async () => {
    const email = await people.join(other, ['support']);
    const { data } = (await other('GET', '/users?limit=100')).body;
    const { id } = data.find((user: { email: string }) => user.email === email);
    const role = (await other('POST', '/user-roles', { name: 'R', permissions: ['invoice:read'] })).body.id as string;
    const key = (await other('POST', '/api-keys', { name: 'K', permissions: ['invoice:read'] })).body.id as string;
    const cases: [string, (id: string) => string, string, object?][] = [
      ['GET', (of) => `/users/${of}`, id],
      ['PUT', (of) => `/users/${of}/roles`, id, { roles: [] }],
      ['DELETE', (of) => `/users/${of}`, id],
      ['POST', (of) => `/users/${of}/end-sessions`, id],
      ['PUT', (of) => `/user-roles/${of}`, role, { name: 'S', permissions: ['invoice:read'] }],
      ['DELETE', (of) => `/user-roles/${of}`, role],
      ['DELETE', (of) => `/api-keys/${of}`, key],
    ];
    for (const [method, path, foreign, body] of cases) {
      const send = (of: string) => async () => {
        const { status, body: answer } = await admin(method, path(of), body);
        expect([method, path('x'), status, answer.reason]).toEqual([method, path('x'), 404, 'not_found']);
      };
      await expectSame(send(foreign), send(newUuid()));
    }
  });
});
