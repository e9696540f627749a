import { afterAll, afterEach, beforeAll, describe, expect, it, test } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { Billing, type Tenant } from './support/billing.js';
import { expectInvariants, World } from './support/world.js';

let billing: Billing;
let other: Tenant;
beforeAll(async () => {
  billing = await Billing.start();
  other = await billing.tenant();
});
afterEach(expectInvariants);
afterAll(async () => billing?.stop());

const START = '2026-01-01T09:00:00.000Z';
const person = { salutation: 'Frau', firstName: 'Jana', lastName: 'Petersen', role: 'Accounting' };
const start = () => World.at(billing, START);

describe('contact persons', () => {
  it('are added, replaced and removed; the log has them, and no other tenant', async () => {
    const world = await start();
    const customer = await world.customer();
    const path = `/customers/${customer}/contact-persons`;
    const added = await world.ok('POST', path, person);
    expect(added).toMatchObject({ ...person, customerId: customer, email: null, phone: null });
    const changed = await world.ok('PUT', `/contact-persons/${added.id}`, {
      lastName: 'Petersen',
      email: 'j@elbe.example',
    });
    expect(changed).toMatchObject({ firstName: null, role: null, email: 'j@elbe.example' });
    expect((await world.ok('GET', path)).data).toEqual([changed]);
    for (const [method, body] of [['PUT', person], ['DELETE']] as const)
      expect((await other.call(method, `/contact-persons/${added.id}`, body)).status).toBe(404);
    expect((await other.call('POST', path, person)).status).toBe(404);
    await world.ok('DELETE', `/contact-persons/${added.id}`);
    expect((await world.ok('GET', path)).data).toEqual([]);
    expect(await billing.noticeTypes(customer)).toEqual([
      'customer.created',
      'customer.contact_person.assigned',
      'customer.updated',
      'customer.contact_person.removed',
    ]);
  });

  test.each<[string, object, number, string]>([
    ['no name', { lastName: undefined }, 400, 'lastName'],
    ['a blank name', { lastName: ' ' }, 422, 'lastName'],
    ['another salutation', { salutation: 'Firma' }, 422, 'salutation'],
    ['an address that is none', { email: 'jana' }, 422, 'email'],
    ['an unknown field', { age: 30 }, 400, 'age'],
  ])('with %s are refused', async (_name, change, status, propertyPath) => {
    const world = await start();
    const { body } = await world.tenant.call('POST', `/customers/${await world.customer()}/contact-persons`, {
      ...person,
      ...change,
    });
    expect(body).toMatchObject({ status, violations: [{ propertyPath }] });
  });
});

describe('e-mail addresses', () => {
  it('stand beside the default one, take its place, and go', async () => {
    const world = await start();
    const customer = await world.customer({ email: 'a@elbe.example' });
    const list = async () => {
      const { data } = await world.ok('GET', `/customers/${customer}/emails`);
      return data.map(({ email, default: isDefault }: { email: string; default: boolean }) => [email, isDefault]);
    };
    const add = (email: string) => world.tenant.call('POST', `/customers/${customer}/emails`, { email });
    const { body: added } = await add('b@elbe.example');
    expect(await list()).toEqual([
      ['a@elbe.example', true],
      ['b@elbe.example', false],
    ]);
    for (const twice of ['A@elbe.example', 'b@elbe.example'])
      expect((await add(twice)).body).toMatchObject({ status: 422, reason: 'already_exists' });
    expect((await add('b')).status).toBe(422);
    const chosen = await world.ok('POST', `/customer-emails/${added.id}/default`);
    expect(chosen).toEqual({ ...added, default: true });
    expect(await world.ok('GET', `/customers/${customer}`)).toMatchObject({ email: 'b@elbe.example' });
    expect(await list()).toEqual([
      ['b@elbe.example', true],
      ['a@elbe.example', false],
    ]);
    const [, former] = (await world.ok('GET', `/customers/${customer}/emails`)).data;
    expect((await other.call('DELETE', `/customer-emails/${former.id}`)).status).toBe(404);
    expect((await world.tenant.call('DELETE', `/customer-emails/${added.id}`)).status).toBe(404);
    await world.ok('DELETE', `/customer-emails/${former.id}`);
    expect(await list()).toEqual([['b@elbe.example', true]]);
    expect(await billing.noticeTypes(customer)).toEqual([
      'customer.created',
      'customer.email.added',
      'customer.email.default_changed',
      'customer.updated',
    ]);
  });

  it('chosen by two at once, one is the default and none is lost', async () => {
    const world = await start();
    const customer = await world.customer({ email: 'a@elbe.example' });
    const added = [];
    for (const email of ['b@elbe.example', 'c@elbe.example'])
      added.push(await world.ok('POST', `/customers/${customer}/emails`, { email }));
    await Promise.all(added.map(({ id }) => world.ok('POST', `/customer-emails/${id}/default`)));
    const { data } = await world.ok('GET', `/customers/${customer}/emails`);
    expect(data.map(({ email }: { email: string }) => email).sort()).toEqual([
      'a@elbe.example',
      'b@elbe.example',
      'c@elbe.example',
    ]);
    expect(data.filter((entry: { default: boolean }) => entry.default)).toHaveLength(1);
  });
});

describe('groups of customers', () => {
  it('have customers, by which these are listed; one in use is not deleted, an archived one takes no more', async () => {
    const world = await start();
    const group = await world.ok('POST', '/customer-groups', { name: 'Resellers' });
    expect((await world.tenant.call('POST', '/customer-groups', { name: 'RESELLERS' })).body).toMatchObject({
      status: 422,
      reason: 'already_exists',
    });
    const [inside, outside] = [await world.customer(), await world.customer()];
    const assign = (customer: string, customerGroup: unknown) =>
      world.tenant.call('PUT', `/customers/${customer}/group`, { customerGroup });
    expect((await assign(inside, group.id)).body).toMatchObject({ id: inside, customerGroupId: group.id });
    const { data } = await world.ok('GET', `/customers?customerGroupId=${group.id}`);
    expect(data.map(({ id }: { id: string }) => id)).toEqual([inside]);
    expect((await world.tenant.call('DELETE', `/customer-groups/${group.id}`)).body).toMatchObject({
      reason: 'in_use',
    });
    await world.ok('PUT', `/customer-groups/${group.id}/archive`);
    expect((await assign(outside, group.id)).body).toMatchObject({ status: 422, violations: [{ code: 'archived' }] });
    expect((await assign(outside, newUuid())).body).toMatchObject({ reason: 'unknown_reference' });
    expect((await assign(outside, undefined)).status).toBe(400);
    expect((await assign(inside, null)).body).toMatchObject({ customerGroupId: null });
    await world.ok('DELETE', `/customer-groups/${group.id}`);
    expect(await billing.noticeTypes(inside)).toEqual([
      'customer.created',
      'customer.group.assigned',
      'customer.group.assigned',
    ]);
  });
});

describe('a suspended customer', () => {
  it('gets nothing new and may use nothing; what runs is billed; lifted, all is as before', async () => {
    const world = await start();
    await world.ok('POST', '/entitlement/features', { id: 'sso', name: 'SSO', type: 'switch', status: 'active' });
    const customer = await world.customer();
    const pricePlan = await world.price();
    const subscription = await world.subscribe(customer, pricePlan);
    const { id } = await world.ok('POST', `/subscriptions/${subscription.id}/entitlements`, { feature: 'sso' });
    expect(await world.ok('PUT', `/customers/${customer}/suspend`)).toMatchObject({ status: 'STATUS_SUSPENDED' });
    await world.ok('PUT', `/customers/${customer}/suspend`);
    const refused = await world.tenant.call('POST', '/subscriptions', { customer, items: [{ pricePlan }] });
    expect(refused.body).toMatchObject({ status: 422, reason: 'customer_suspended' });
    const statusOf = async () => (await world.ok('GET', `/customers/${customer}/entitlements`)).data[0].status;
    expect(await statusOf()).toBe('disabled');
    await world.advance('2026-01-02T09:00:00.000Z');
    expect(await world.lines()).toHaveLength(1);
    await world.ok('PUT', `/customers/${customer}/unsuspend`);
    expect(await statusOf()).toBe('active');
    expect(await billing.noticeTypes(id)).toHaveLength(3);
    await world.ok('PUT', `/customers/${customer}/archive`, { runningSubscriptions: 'cancel_immediate' });
    for (const action of ['suspend', 'unsuspend'])
      expect((await world.tenant.call('PUT', `/customers/${customer}/${action}`)).body).toMatchObject({
        status: 422,
        reason: 'invalid_status_transition',
      });
    expect((await other.call('PUT', `/customers/${customer}/suspend`)).status).toBe(404);
  });
});
