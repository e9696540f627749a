import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { yearOf } from '@kontor/kernel';
import { eventually } from '@kontor/testing';
import { takeNumbers } from '../src/finalization/take-numbers.js';
import { FinalizeInvoice } from '../src/finalization/finalize-invoice.js';
import { settingsFor } from '../src/domain/invoices/settings.js';
import { type Tenant, World } from './support/world.js';

describe('numbers', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(async () => {
    await world.expectInvariants();
    await world.stop();
  });

  const numbersOf = async (tenant: Tenant): Promise<string[]> =>
    (
      await world.test.peek<{ number: string }>(
        'SELECT number FROM invoice WHERE tenant_id = $1 AND number IS NOT NULL ORDER BY number',
        [tenant.id],
      )
    ).map((row) => row.number);
  const gapless = (count: number): string[] =>
    Array.from({ length: count }, (_, i) => `RE-2026-${String(i + 1).padStart(5, '0')}`);

  it('have no gap and no duplicate while finalizations run at once and one in ten is killed in its transaction', async () => {
    const tenant = await world.tenant();
    const customerId = (await tenant.customer()).id;
    const drafts = await Promise.all(Array.from({ length: 60 }, () => tenant.draft(customerId)));
    const { database } = world.test.service.kit;
    const finalize = world.test.service.get(FinalizeInvoice) as unknown as {
      finalize(tx: object, id: string, dueAt: null): Promise<unknown>;
    };
    let killed = 0;
    await Promise.all(
      drafts.map(async (draft, index) => {
        if (index % 10 !== 3) return tenant.ok('POST', `/invoices/${draft.id}/finalize`);
        const dying = database.tenant(tenant.id, async (tx) => {
          await finalize.finalize(tx, draft.id, null);
          // As if the process or the server died between taking the number and the commit.
          await tx.query('SELECT pg_terminate_backend(pg_backend_pid())');
        });
        await dying.catch(() => killed++);
      }),
    );
    expect(killed).toBe(6);
    expect(await numbersOf(tenant)).toEqual(gapless(54));
    for (const [index, draft] of drafts.entries())
      if (index % 10 === 3) await tenant.ok('POST', `/invoices/${draft.id}/finalize`);
    expect(await numbersOf(tenant)).toEqual(gapless(60));
  });

  it('that another document has are said to be taken, until the format is another one', async () => {
    const tenant = await world.tenant();
    const customer = (await tenant.customer()).id;
    const numbered = (TYPE_INVOICE: string) =>
      tenant.settings({ numberFormats: { ...settingsFor(null, null).numberFormats, TYPE_INVOICE } });
    await numbered('X{year}-{seq}');
    const days = { finalizationDate: '2026-01-15T10:00:00.000Z', dueDate: '2026-02-15T10:00:00.000Z' };
    const positions = [{ name: 'Consulting', unitPrice: { amount: 100, currencyCode: 'EUR' } }];
    await tenant.ok('POST', '/invoices/import', { customer, number: 'RE-2026-00001', ...days, positions });
    await numbered('RE-{year}-{seq:5}');
    const draft = await tenant.draft(customer);
    const refused = await tenant.send('POST', `/invoices/${draft.id}/finalize`);
    expect(refused).toMatchObject({ status: 422, body: { reason: 'number_taken' } });
    // Those of a run wait as drafts, and are finalized when the format is another one.
    const billed = (await tenant.customer()).id;
    await tenant.charge([tenant.batch(billed)]);
    const documents = async () => (await tenant.ok('GET', `/invoices?customer=${billed}`)).data;
    expect(await documents()).toMatchObject([{ status: 'STATUS_DRAFT', number: null }]);
    await numbered('R{year}-{seq}');
    const first = await tenant.ok('POST', `/invoices/${draft.id}/finalize`);
    const second = await eventually(async () => (await documents())[0].number, 'the draft is finalized');
    expect([first.number, second].sort()).toEqual(['R2026-1', 'R2026-2']);
  });

  it('stay so when runs and people finalize at once and runs are rolled back', async () => {
    const tenant = await world.tenant();
    const customers = await Promise.all(Array.from({ length: 20 }, () => tenant.customer()));
    const batches = customers.map((customer) => tenant.batch(customer.id));
    const { database } = world.test.service.kit;
    const drafts = await Promise.all(customers.slice(0, 10).map((customer) => tenant.draft(customer.id)));
    const failing = database.tenant(tenant.id, async (tx) => {
      await takeNumbers(tx, ['TYPE_INVOICE', 'TYPE_CREDIT', 'TYPE_INVOICE'], {
        formats: settingsFor(null, null).numberFormats,
        year: yearOf('2026-03-02'),
      });
      throw new Error('the run breaks');
    });
    await Promise.all([
      failing.catch(() => undefined),
      tenant.charge(batches.slice(0, 10)),
      ...drafts.map((draft) => tenant.ok('POST', `/invoices/${draft.id}/finalize`)),
      tenant.charge(batches.slice(10)),
    ]);
    expect(await numbersOf(tenant)).toEqual(gapless(30));
  });

  it('restart each year of the tenant and have a series per type and format', async () => {
    const tenant = await world.tenant();
    const customerId = (await tenant.customer()).id;
    const take = async (at: string): Promise<string> => {
      const { id } = await tenant.draft(customerId);
      const before = world.test.clock.now();
      world.test.clock.set(at);
      const { number } = await tenant.ok('POST', `/invoices/${id}/finalize`);
      world.test.clock.set(before);
      return number as string;
    };
    expect(await take('2026-12-31T22:59:59.000Z')).toBe('RE-2026-00001');
    // Midnight in Berlin is earlier than in London: this is next year's first.
    expect(await take('2026-12-31T23:00:01.000Z')).toBe('RE-2027-00001');
    expect(await take('2026-12-31T22:59:59.500Z')).toBe('RE-2026-00002');
    await tenant.settings({ numberFormats: { TYPE_INVOICE: 'INV/{year}/{seq}' } });
    expect(await take('2026-12-31T12:00:00.000Z')).toBe('INV/2026/1');
  });
});
