import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { whileAnswersGetLost } from '@kontor/testing';
import { Billing } from './support/billing.js';
import { expectInvariants, World } from './support/world.js';

let billing: Billing;
beforeAll(async () => {
  billing = await Billing.start();
});
afterEach(expectInvariants);
afterAll(async () => billing?.stop());

describe('a request whose process ended before it had answered', () => {
  /** What it is answered, and what a repeat with its Idempotency-Key is answered after the crash. */
  const repeated = ({ tenant }: World, path: string, body: object) =>
    whileAnswersGetLost(billing.test.peek, async () => {
      const send = () => tenant.call('POST', path, body, { 'idempotency-key': `crash ${path}` });
      return [await send(), await send()] as const;
    });

  it('is answered to a repeat with its Idempotency-Key as it would have been', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const customer = await world.customer();
    const price = await world.price({ price: { amount: 1000 } });
    const { items } = await world.ok('POST', '/subscriptions', {
      customer,
      items: [{ pricePlan: price }],
      activate: true,
    });
    const email = `${newUuid()}@elbe.example`;
    const added = await world.ok('POST', `/customers/${customer}/emails`, { email: `second-${email}` });
    for (const [path, body] of [
      [`/customers/${customer}/contact-persons`, { lastName: 'Petersen' }],
      [`/customers/${customer}/emails`, { email }],
      [`/customer-emails/${added.id}/default`, {}],
      [`/subscription-items/${items[0].id}/change?preview=true`, { quantity: '2' }],
    ] as const) {
      const [first, again] = await repeated(world, path, body);
      expect([first.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([201, 'true', first.body]);
    }
    expect((await world.ok('GET', `/customers/${customer}/contact-persons`)).data).toHaveLength(1);
  });
});
