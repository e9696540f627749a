import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { eur, position, reasonOf, type Tenant, World } from './support/world.js';

describe('invoices of another system', () => {
  let world: World;
  let tenant: Tenant;
  let customerId: string;

  beforeAll(async () => {
    world = await World.start();
    tenant = await world.tenant();
    customerId = (await tenant.customer()).id;
  });
  afterAll(async () => {
    await world.expectInvariants();
    await world.stop();
  });

  const body = (number: string, change: object = {}) => ({
    customer: customerId,
    number,
    finalizationDate: '2020-08-15T10:00:00.000Z',
    dueDate: '2020-08-29T21:59:59.999Z',
    positions: [position()],
    ...change,
  });
  const finalizing = async (id: string): Promise<Record<string, unknown>[]> => {
    const rows = await world.test.peek<{ payload: string }>(
      `SELECT payload FROM outbox WHERE type = 'invoicing.invoice.finalizing.v1' AND aggregate_id = $1`,
      [id],
    );
    return rows.map((row) => JSON.parse(row.payload) as Record<string, unknown>);
  };

  it('keep number, day and the tax of that day; open ones are owed like any other', async () => {
    const invoice = await tenant.ok('POST', '/invoices/import', body('ALT/2020-17', { grossAmount: eur(11600) }));
    expect(invoice).toMatchObject({
      number: 'ALT/2020-17',
      status: 'STATUS_UNPAID',
      type: 'TYPE_INVOICE',
      finalizationDate: '2020-08-15T10:00:00.000Z',
      dueDate: '2020-08-29T21:59:59.999Z',
      taxAmount: eur(1600),
      unpaidAmount: eur(11600),
      positions: [{ tax: { rate: '16' } }],
    });
    expect((await tenant.notices(invoice.id)).map(({ type }) => type).sort()).toEqual([
      'invoice.finalized',
      'invoice.imported',
    ]);
    expect(await finalizing(invoice.id)).toMatchObject([{ imported: true, number: 'ALT/2020-17' }]);
    const { status, body: pdf } = await tenant.send('GET', `/invoices/${invoice.id}/pdf`);
    expect([status, String(pdf).slice(0, 5)]).toEqual([200, '%PDF-']);
    expect((await tenant.ok('POST', `/invoices/${invoice.id}/cancel`)).number).toMatch(/^ST-/);
    const { id } = await tenant.draft(customerId);
    expect((await tenant.ok('POST', `/invoices/${id}/finalize`)).number).toMatch(/^RE-\d{4}-00001$/);
  });

  it('paid ones have no intent', async () => {
    const paid = await tenant.ok('POST', '/invoices/import', body('A-1', { payDate: '2020-08-20T10:00:00.000Z' }));
    expect(paid).toMatchObject({
      status: 'STATUS_PAID',
      payDate: '2020-08-20T10:00:00.000Z',
      unpaidAmount: eur(0),
      paymentIntent: null,
    });
    expect(await finalizing(paid.id)).toEqual([]);
    expect((await tenant.ok('POST', `/invoices/${paid.id}/credit`)).grossAmount).toEqual(eur(-11600));
  });

  it('refuses what it cannot take over, and changes nothing', async () => {
    const cases: [object, string][] = [
      [body('RE-2026-00007'), '422 number_of_own_series'],
      [body('ST-1999-1'), '422 number_of_own_series'],
      [body('re-2026-00007'), '422 number_of_own_series'],
      [body('A-1'), '422 already_exists'],
      [body('A-2', { grossAmount: eur(11900) }), '422 total_differs'],
      [body('A-2', { finalizationDate: '2199-01-01T00:00:00.000Z' }), '422 validation_failed'],
      [body('A-2', { payDate: '2199-01-01T00:00:00.000Z' }), '422 validation_failed'],
      [body('A-2', { customer: newUuid() }), '422 unknown_reference'],
      [body('A-2', { positions: [] }), '422 validation_failed'],
      [body('A-2', { positions: [position({ quantity: '-1' })] }), '422 validation_failed'],
      [body(' A-2'), '422 validation_failed'],
      [body('A-2', { status: 'STATUS_NEW' }), '400 unknown_field'],
      [{ ...body('A-2'), number: undefined }, '400 invalid_request'],
    ];
    for (const [request, expected] of cases)
      expect([request, reasonOf(await tenant.send('POST', '/invoices/import', request))]).toEqual([request, expected]);
    expect((await tenant.invoices('&number=A-2')).data).toEqual([]);
  });

  it('come once, also when sixteen bring the same number at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => tenant.send('POST', '/invoices/import', body('B-1'))),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(new Set(answers.filter((answer) => answer.status !== 201).map(reasonOf))).toEqual(
      new Set(['422 already_exists']),
    );
  });
});
