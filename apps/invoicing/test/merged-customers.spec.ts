import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { recordMerge } from '@kontor/persistence';
import { CustomerMover } from '@kontor/service-kit';
import { eventually, lockWaiters, whileHeld } from '@kontor/testing';
import { eur, type Tenant, World } from './support/world.js';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
});
afterAll(() => world.stop());

it('takes the credit note along that is made for the customer at the same moment', async () => {
  const [target, source] = [await tenant.customer(), await tenant.customer()];
  const batch = tenant.batch(source.id, [{ netAmount: eur(10000), unitPrice: eur(10000), quantity: '1' }], {
    immediate: true,
  });
  await tenant.charge([batch]);
  const invoice = await eventually(async () => {
    const { data } = await tenant.ok('GET', `/invoices?customer=${source.id}`);
    return data[0]?.status === 'STATUS_UNPAID' && data[0];
  }, 'the invoice is issued');
  const merge = (): Promise<unknown> =>
    world.test.service.kit.database.tenant(tenant.id, async (tx) => {
      const request = { mergeId: newUuid(), sourceCustomerId: source.id, targetCustomerId: target.id };
      return (world.test.service.get(CustomerMover as never) as CustomerMover).moveInTurn(
        tx,
        await recordMerge(tx, request),
      );
    });
  // The series of credit notes is there, and whoever takes a number waits.
  await tenant.ok('POST', `/invoices/${invoice.id}/credit`, { reason: 'other', positions: [part(invoice, 100)] });
  const held = { sql: 'SELECT 1 FROM number_series WHERE tenant_id = $1 FOR UPDATE', params: [tenant.id] };
  const [credited, moved] = await whileHeld(world.test.db, held, async () => {
    const note = tenant.ok('POST', `/invoices/${invoice.id}/credit`, {
      reason: 'other',
      positions: [part(invoice, 200)],
    });
    await lockWaiters(world.test.db, 1);
    const merged = merge();
    await lockWaiters(world.test.db, 2);
    return [note, merged];
  });
  await Promise.all([credited, moved]);
  const { data } = await tenant.ok('GET', `/invoices?customer=${target.id}`);
  expect(data).toHaveLength(3);
  expect((await tenant.ok('GET', `/invoices?customer=${source.id}`)).data).toEqual([]);
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read answers freely
const part = (invoice: any, minor: number): object => ({ id: invoice.positions[0].id, amount: eur(minor) });
