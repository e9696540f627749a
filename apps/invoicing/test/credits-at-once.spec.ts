import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, lockWaiters, whileHeld } from '@kontor/testing';
import { eur, type Tenant, World } from './support/world.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read answers freely
type Json = any;

describe('credits of one charge at the same time', () => {
  let world: World;
  let tenant: Tenant;

  beforeAll(async () => {
    world = await World.start();
    tenant = await world.tenant();
  });
  afterAll(async () => {
    await world.expectInvariants();
    await world.stop();
  });

  const of = async (id: string, type: string): Promise<Json[]> =>
    eventually(async () => {
      const { data } = await tenant.ok('GET', `/invoices?customer=${id}&type=${type}&order[creationDate]=asc`);
      return data.every((invoice: Json) => invoice.status !== 'STATUS_FINALIZING') && data;
    }, type);
  const lineOf = (minor: number): object => ({ netAmount: eur(minor), unitPrice: eur(minor), quantity: '1' });
  const creditOf = (originalChargeId: string, minor: number): object => ({
    kind: 'credit',
    quantity: '-1',
    netAmount: eur(-minor),
    unitPrice: eur(minor),
    originalChargeId,
  });
  /** Whoever takes a number waits; the series of cancellations is there. */
  async function whileNumbersAreHeld<T>(work: () => Promise<T>): Promise<T> {
    const other = await tenant.customer();
    await tenant.charge([tenant.batch(other.id, [lineOf(100)])]);
    const [invoice] = await of(other.id, 'TYPE_INVOICE');
    await tenant.ok('POST', `/invoices/${invoice.id}/cancel`);
    const held = { sql: 'SELECT 1 FROM number_series WHERE tenant_id = $1 FOR UPDATE', params: [tenant.id] };
    return whileHeld(world.test.db, held, work);
  }

  it('a charge that a credit note has brought is not credited while that credit note is cancelled', async () => {
    const customer = await tenant.customer();
    const first = tenant.batch(customer.id, [lineOf(12000)]);
    await tenant.charge([first]);
    const smaller = tenant.batch(customer.id, [creditOf(first.lines[0]!.chargeId, 11257), lineOf(1335)], {
      immediate: true,
    });
    await tenant.charge([smaller]);
    const [note] = await of(customer.id, 'TYPE_CREDIT');
    expect(note.netAmount).toEqual(eur(-9922));

    const { cancelled, credited } = await whileNumbersAreHeld(async () => {
      const cancelled = tenant.ok('POST', `/invoices/${note.id}/cancel`);
      await lockWaiters(world.test, 1);
      const unused = creditOf(smaller.lines[1]!.chargeId, 1335);
      const credited = tenant.charge([tenant.batch(customer.id, [unused], { immediate: true })]);
      await lockWaiters(world.test, 2);
      return { cancelled, credited };
    });
    expect((await cancelled).netAmount).toEqual(eur(9922));
    await credited;
    // The cancellation has taken the smaller price back: nothing of it is left to credit.
    expect((await of(customer.id, 'TYPE_CREDIT')).map(({ id }) => id)).toEqual([note.id]);
  });

  it('a credit of such a charge is not cancelled while another one is made of it', async () => {
    const customer = await tenant.customer();
    const first = tenant.batch(customer.id, [lineOf(12000)]);
    await tenant.charge([first]);
    const smaller = tenant.batch(customer.id, [creditOf(first.lines[0]!.chargeId, 11257), lineOf(1335)], {
      immediate: true,
    });
    await tenant.charge([smaller]);
    const unused = (minor: number): object => creditOf(smaller.lines[1]!.chargeId, minor);
    await tenant.charge([tenant.batch(customer.id, [unused(335)], { immediate: true })]);
    const [, part] = await of(customer.id, 'TYPE_CREDIT');

    const { cancelled, credited } = await whileNumbersAreHeld(async () => {
      const cancelled = tenant.ok('POST', `/invoices/${part.id}/cancel`);
      await lockWaiters(world.test, 1);
      const credited = tenant.charge([tenant.batch(customer.id, [unused(1335)], { immediate: true })]);
      await lockWaiters(world.test, 2);
      return { cancelled, credited };
    });
    await Promise.all([cancelled, credited]);
    const [, , last] = await of(customer.id, 'TYPE_CREDIT');
    expect(last.netAmount).toEqual(eur(-1335));
  });
});
