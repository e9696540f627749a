import { beforeAll, describe, expect, it } from '@jest/globals';
import { Api, type Json } from './support/api.js';
import { aCustomer } from './support/catalogue.js';
import { invitationTo } from './support/people.js';
import { PlainBrowser } from './support/plain-browser.js';
import { System } from './support/system.js';

const PASSWORD = 'correct horse battery';

/** People of a tenant through the gateway, with the mails that they get. */
describe('people who work for a tenant', () => {
  let system: System;
  beforeAll(async () => {
    system = await System.shared();
  });

  /** Invited by mail, joined on the page, signed in for a token. */
  const aPerson = async (api: Api, email: string, roles: string[], firstName: string): Promise<Api> => {
    await api.ok('POST', '/user-invitations', { email, roles, language: 'en' });
    const browser = new PlainBrowser();
    const page = await browser.open(await invitationTo(system.dataDir, email));
    expect(page.html).toContain('Accept invitation');
    const account = await browser.submit(page, { firstName, lastName: 'Berg', password: PASSWORD });
    expect([account.status, account.url.pathname]).toEqual([200, '/public/account']);
    expect(account.html).toContain(`${firstName} Berg`);
    const anyone = new Api(system.connection.baseUrl, undefined);
    const { data } = await anyone.ok('POST', '/public/users/sign-in', { email, password: PASSWORD });
    return new Api(system.connection.baseUrl, data.accessToken);
  };

  it('one takes a role away from another, whose next request is refused within a second', async () => {
    const { api } = await system.sandbox();
    const boss = await aPerson(api, 'jo@people-e2e.example', ['administrator'], 'Jo');
    const other = await aPerson(api, 'ada@people-e2e.example', ['support'], 'Ada');
    const customer = await aCustomer(other);
    await other.ok('POST', `/customers/${customer.id}/comment`, { comment: 'Called back' });
    const users: Json[] = (await boss.get('/users')).body.data;
    const { id } = users.find(({ firstName }) => firstName === 'Ada')!;

    const [commented] = (await api.get(`/customers/${customer.id}/activities?type=commented`)).body.data;
    expect(commented.user).toMatchObject({
      user: { firstName: 'Ada' },
      fullName: 'Ada Berg',
      initial: 'AB',
      deactivated: false,
    });
    expect((await other.get('/customers')).status).toBe(200);
    await boss.ok('PUT', `/users/${id}/roles`, { roles: [] });
    // The gateway believes an answer for less than a second.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await other.get('/customers')).body.reason).toBe('permission_denied');
    expect((await boss.send('DELETE', `/users/${id}`)).status).toBe(204);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await other.get('/customers')).status).toBe(401);

    const { data: log } = await boss.ok('GET', '/audit-log?type=user.roles_changed');
    expect(log[0]).toMatchObject({
      actor: { kind: 'user', name: 'Jo Berg' },
      subject: { kind: 'user', id, name: 'Ada Berg' },
      metadata: { before: ['support'], after: [] },
      address: '127.0.0.1',
    });
    const [named] = (await api.get(`/customers/${customer.id}/activities?type=commented`)).body.data;
    expect(named.user).toMatchObject({ fullName: 'Ada Berg' });
  });
});
