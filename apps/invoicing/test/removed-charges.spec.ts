import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChargesDue } from '@kontor/contracts';
import { lockWaiters, servicePrincipal, whileHeld } from '@kontor/testing';
import { eur, reasonOf, type Tenant, World } from './support/world.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read answers freely
type Json = any;

describe('charges that are taken off their draft', () => {
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

  const lineOf = (minor: number): object => ({ netAmount: eur(minor), unitPrice: eur(minor), quantity: '1' });
  const creditOf = (originalChargeId: string, minor: number): object => ({
    kind: 'credit',
    quantity: '-1',
    netAmount: eur(-minor),
    unitPrice: eur(minor),
    originalChargeId,
  });
  const documentsOf = async (id: string): Promise<Json[]> =>
    (await tenant.ok('GET', `/invoices?customer=${id}&order[creationDate]=asc`)).data;

  /** A draft with two charges, and one of its own with a credit of the first and whatever else. */
  async function drafted(...more: object[]): Promise<{ customer: Json; batch: ChargesDue; draft: Json; credit: Json }> {
    const customer = await tenant.customer({ settings: { manualApproval: true } });
    const batch = tenant.batch(customer.id, [lineOf(12000), lineOf(5000)]);
    await tenant.charge([batch]);
    const unused = creditOf(batch.lines[0]!.chargeId, 6000);
    await tenant.charge([tenant.batch(customer.id, [unused, ...more], { immediate: true })]);
    const [draft, credit] = await documentsOf(customer.id);
    expect(credit).toMatchObject({ status: 'STATUS_DRAFT', type: more.length > 0 ? 'TYPE_INVOICE' : 'TYPE_CREDIT' });
    return { customer, batch, draft, credit };
  }

  const WAYS = [
    ['with its draft', (draft: Json) => tenant.send('DELETE', `/invoices/${draft.id}`)],
    ['with its line', (draft: Json) => tenant.send('DELETE', `/invoice-position-items/${draft.positions[0].id}`)],
    [
      'by other lines',
      (draft: Json) => tenant.send('PUT', `/invoices/${draft.id}`, { customer: draft.customer.id, positions: [] }),
    ],
  ] as const;

  it.each(WAYS)('%s take the draft of their credit with them', async (_way, remove) => {
    const { draft, credit } = await drafted();
    expect((await remove(draft)).status).toBeLessThan(300);
    expect((await tenant.send('GET', `/invoices/${credit.id}`)).status).toBe(404);
    expect((await tenant.notices(credit.id)).map(({ type }) => type)).toContain('invoice.removed');
  });

  it.each(WAYS)('%s take the line off that credits them, and leave the others', async (_way, remove) => {
    const { draft, credit } = await drafted(lineOf(9000));
    expect((await remove(draft)).status).toBeLessThan(300);
    const left = await tenant.ok('GET', `/invoices/${credit.id}`);
    expect(left.positions.map((position: Json) => position.netAmount)).toEqual([eur(9000)]);
    expect(left.netAmount).toEqual(eur(9000));
    await tenant.ok('POST', `/invoices/${credit.id}/finalize`);
  });

  it('take a credit along that is on the same draft', async () => {
    const customer = await tenant.customer({ settings: { manualApproval: true } });
    const batch = tenant.batch(customer.id, [lineOf(12000), lineOf(5000)]);
    await tenant.charge([batch, tenant.batch(customer.id, [creditOf(batch.lines[0]!.chargeId, 6000)])]);
    const [draft] = await documentsOf(customer.id);
    const line = draft.positions.find(({ netAmount }: Json) => netAmount.amount === 12000);
    await tenant.ok('DELETE', `/invoice-position-items/${line.id}`);
    const [left] = await documentsOf(customer.id);
    expect(left.positions.map((position: Json) => position.netAmount)).toEqual([eur(5000)]);
  });

  it.each(WAYS)('%s are refused while a document that stands credits them', async (_way, remove) => {
    const { draft, credit } = await drafted();
    await tenant.ok('POST', `/invoices/${credit.id}/finalize`);
    expect(reasonOf(await remove(draft))).toBe('422 charge_credited');
    expect((await tenant.ok('GET', `/invoices/${draft.id}`)).positions).toHaveLength(2);
    await tenant.ok('POST', `/invoices/${credit.id}/cancel`);
    expect((await remove(draft)).status).toBeLessThan(300);
  });

  it('bill no less while a document that stands credits them, and may be named otherwise', async () => {
    const { draft, credit } = await drafted();
    await tenant.ok('POST', `/invoices/${credit.id}/finalize`);
    const [{ id, netAmount: unitPrice }] = draft.positions;
    const replace = (body: object): Promise<Json> =>
      tenant.send('PUT', `/invoice-position-items/${id}`, { name: 'Hosting', quantity: '1', unitPrice, ...body });
    expect(reasonOf(await replace({ unitPrice: eur(100) }))).toBe('422 charge_credited');
    expect((await replace({ name: 'Hosting of the shop' })).status).toBe(200);
    expect((await tenant.ok('POST', `/invoices/${draft.id}/finalize`)).netAmount).toEqual(eur(17000));
  });

  it('bill no less in the moment in which their credit is finalized', async () => {
    const { draft, credit } = await drafted();
    const [{ id, netAmount: unitPrice }] = draft.positions;
    const held = { sql: 'SELECT 1 FROM invoice WHERE id = $1 FOR UPDATE', params: [credit.id] };
    const [finalized, replaced] = await whileHeld(world.test.db, held, async () => {
      const finalized = tenant.send('POST', `/invoices/${credit.id}/finalize`);
      await lockWaiters(world.test, 1);
      const less = { name: 'Hosting', quantity: '1', unitPrice: { ...unitPrice, amount: 100 } };
      const replaced = tenant.send('PUT', `/invoice-position-items/${id}`, less);
      await lockWaiters(world.test, 2);
      return [finalized, replaced];
    });
    expect((await finalized!).status).toBe(201);
    expect(reasonOf(await replaced!)).toBe('422 charge_credited');
  });

  it('in the moment in which their credit is drafted have none', async () => {
    const customer = await tenant.customer({ settings: { manualApproval: true } });
    const batch = tenant.batch(customer.id, [lineOf(12000)]);
    await tenant.charge([batch]);
    const [draft] = await documentsOf(customer.id);
    // What is about to commit: the draft is locked, its charges are noted.
    const held = { sql: 'SELECT 1 FROM invoice WHERE id = $1 FOR UPDATE', params: [draft.id] };
    const works = await whileHeld(world.test.db, held, async () => {
      const removed = tenant.ok('DELETE', `/invoices/${draft.id}`);
      await lockWaiters(world.test, 1);
      const unused = creditOf(batch.lines[0]!.chargeId, 6000);
      const credited = tenant.charge([tenant.batch(customer.id, [unused], { immediate: true })]);
      await lockWaiters(world.test, 2);
      return [removed, credited];
    });
    await Promise.all(works);
    expect(await documentsOf(customer.id)).toEqual([]);
  });

  it('are shown to billing, whose previews credit nothing of them', async () => {
    const { batch, draft } = await drafted();
    await tenant.ok('DELETE', `/invoices/${draft.id}`);
    const chargeIds = batch.lines.map(({ chargeId }) => chargeId);
    const billing = world.test.as(servicePrincipal(tenant.id, 'billing'));
    const { body } = await billing('POST', '/internal/billed-taxes', { chargeIds });
    const { lines, removed } = body as { lines: unknown[]; removed: string[] };
    expect([lines, removed.sort()]).toEqual([[], chargeIds.sort()]);
  });
});
