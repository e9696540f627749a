import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from './support/api.js';
import { aCustomer } from './support/catalogue.js';
import { aPerson } from './support/people.js';
import { System } from './support/system.js';

/** People of a tenant through the gateway, with the mails that they get. */
describe('people who work for a tenant', () => {
  let system: System;
  beforeAll(async () => {
    system = await System.shared();
  });

  it('one takes a role away from another, whose next request is refused within a second', async () => {
    const { api } = await system.sandbox();
    const boss = await aPerson(system, api, {
      email: 'jo@people-e2e.example',
      roles: ['administrator'],
      firstName: 'Jo',
    });
    const other = await aPerson(system, api, { email: 'ada@people-e2e.example', roles: ['support'], firstName: 'Ada' });
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
