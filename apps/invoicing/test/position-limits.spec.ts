import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { position, reasonOf, type Tenant, World } from './support/world.js';

const positions = (count: number, children = 0): object[] =>
  Array.from({ length: count }, () =>
    position(children ? { children: Array.from({ length: children }, () => position()) } : {}),
  );

describe('positions that requests bring', () => {
  let world: World;
  let tenant: Tenant;
  let customer: string;

  beforeAll(async () => {
    world = await World.start();
    tenant = await world.tenant();
    customer = (await tenant.customer()).id;
  });
  afterAll(() => world.stop());

  it('are 1,000 a document, children included', async () => {
    const refused = await tenant.send('POST', '/invoices', { customer, positions: positions(501, 1) });
    expect(reasonOf(refused)).toBe('422 too_many_positions');
    expect((await tenant.send('POST', '/invoices', { customer, positions: positions(500, 1) })).status).toBe(201);
  });

  it('are 1,000 over all requests; what is there can be changed and made less', async () => {
    const draft = await tenant.draft(customer, ...positions(998));
    const add = (body: object): ReturnType<Tenant['send']> =>
      tenant.send('POST', `/invoices/${draft.id}/positions`, body);
    expect(reasonOf(await add(position({ children: positions(2) })))).toBe('422 too_many_positions');
    const { body: added } = await add(position({ children: positions(1) }));
    expect(reasonOf(await add(position()))).toBe('422 too_many_positions');
    const place = `/invoice-position-items/${added.id}`;
    expect(reasonOf(await tenant.send('PUT', place, position({ children: positions(2) })))).toBe(
      '422 too_many_positions',
    );
    expect((await tenant.send('PUT', place, position({ children: positions(1) }))).status).toBe(200);
    expect((await tenant.send('POST', `/invoices/${draft.id}/duplicate`)).status).toBe(201);
  });

  it('have amounts that can be shown, each by itself', async () => {
    const amount = Number.MAX_SAFE_INTEGER;
    const opposite = ['1', '-1'].map((quantity) => position({ quantity, unitPrice: { amount, currencyCode: 'EUR' } }));
    const answer = await tenant.send('POST', '/invoices', { customer, positions: opposite });
    expect(reasonOf(answer)).toBe('422 validation_failed');
  });

  it('are as many as a run bills, and not multiplied by hand then', async () => {
    const billed = (await tenant.customer()).id;
    await tenant.charge([
      tenant.batch(
        billed,
        Array.from({ length: 1002 }, () => ({})),
      ),
    ]);
    const [invoice] = (await tenant.ok('GET', `/invoices?customer=${billed}`)).data;
    expect(invoice.positions).toHaveLength(1002);
    expect(reasonOf(await tenant.send('POST', `/invoices/${invoice.id}/duplicate`))).toBe('422 too_many_positions');
  });
});
