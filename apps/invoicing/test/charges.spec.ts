import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChargeLine, type ChargesDue, chargesDueV1, type EventEnvelope } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { ApplyEvents, silentLogger } from '@kontor/messaging';
import { eventually } from '@kontor/testing';
import { eur, seller, type Tenant, World } from './support/world.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read answers freely
type Json = any;

describe('charges become documents', () => {
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

  const settled = async (batchId: string): Promise<Json> => {
    const rows = await world.test.peek<{ payload: string }>(
      `SELECT payload FROM outbox WHERE type = 'invoicing.charges.settled.v1' AND aggregate_id = $1`,
      [batchId],
    );
    expect(rows).toHaveLength(1);
    return JSON.parse(rows[0]!.payload);
  };
  const answersTo = async (batches: readonly ChargesDue[]): Promise<number> => {
    const ids = batches.map(({ batchId }) => batchId);
    return (await world.test.peek('SELECT 1 FROM charge_batch WHERE batch_id = ANY($1::uuid[])', [ids])).length;
  };
  const ofCustomer = async (id: string): Promise<Json[]> =>
    (await tenant.ok('GET', `/invoices?customer=${id}&order[creationDate]=asc`)).data;
  const unpaid = (id: string): Promise<Json> =>
    eventually(async () => {
      const invoice = await tenant.ok('GET', `/invoices/${id}`);
      return invoice.status === 'STATUS_UNPAID' && invoice;
    }, 'UNPAID');

  it('a batch becomes a finalized invoice with its subscription, period, run and answer', async () => {
    const { id } = await tenant.customer();
    const batch = tenant.batch(id);
    await tenant.charge([batch]);
    const { invoiceId, blockedReason, runId } = await settled(batch.batchId);
    expect([blockedReason, runId]).toEqual([null, batch.runId]);
    const invoice = await unpaid(invoiceId);
    expect(invoice).toMatchObject({
      sourceType: 'subscription',
      netAmount: eur(3000),
      taxAmount: eur(570),
      grossAmount: eur(3570),
      serviceDateFrom: '2026-02-27T23:00:00.000Z',
      serviceDateTo: '2026-03-30T21:59:59.999Z',
    });
    expect(invoice.positions[0]).toMatchObject({
      name: 'Team',
      quantity: '3',
      group: null,
      product: { name: 'Team' },
      subscriptionItem: { name: 'Team' },
      taxGroup: { type: 'standard' },
    });
    expect((await tenant.ok('GET', `/invoices?subscription=${batch.lines[0]!.subscriptionId}`)).data).toHaveLength(1);
    expect(await tenant.ok('GET', `/invoices/${invoiceId}/billing-run`)).toMatchObject({
      id: batch.runId,
      billingDay: '2026-02-28',
      batches: [{ id: batch.batchId }],
    });
    expect((await tenant.notices(invoiceId)).map((n) => `${n.type} ${n.status}`)).toEqual([
      'invoice.created STATUS_DRAFT',
      'invoice.finalized STATUS_UNPAID',
    ]);
  });

  it('the same event twice, in one batch or in two, is one document', async () => {
    const { id } = await tenant.customer();
    const batch = tenant.batch(id);
    const envelope: EventEnvelope<ChargesDue> = {
      eventId: newUuid(),
      type: chargesDueV1.type,
      topic: chargesDueV1.topic,
      tenantId: tenant.id,
      aggregateId: batch.batchId,
      aggregateSeq: 1,
      effectiveAt: '2026-02-28T02:00:00.000Z',
      headers: {},
      payload: batch,
    };
    const { database, messaging } = world.test.service.kit;
    const apply = new ApplyEvents(
      {
        serviceName: 'invoicing',
        tenant: (t, work, o) => database.tenant(t, work, o),
        system: (work) => database.system(work),
        statement: (sql, params) => database.statement(sql, params),
        connect: () => Promise.reject(new Error('not here')),
      },
      messaging.strategy.handlers(),
      silentLogger,
    );
    await apply.execute([envelope, envelope]);
    await apply.execute([envelope]);
    await apply.execute([{ ...envelope, eventId: newUuid() }]);
    expect(await ofCustomer(id)).toHaveLength(1);
    await settled(batch.batchId);
    expect(await world.test.peek('SELECT 1 FROM parked')).toEqual([]);
  });

  it('batches of one due day become one document with a headline per subscription, split by grouping key, immediate ones alone', async () => {
    const { id } = await tenant.customer();
    await tenant.settings({ positionGroupNameTemplate: '{{ subscription.name }} ({{ subscription.number }})' });
    const same = [tenant.batch(id), tenant.batch(id, [{ subscriptionName: 'Extra', subscriptionNumber: 'S-2' }])];
    await tenant.charge([
      ...same,
      tenant.batch(id, [{}], { groupingKey: 'other' }),
      tenant.batch(id, [{}], { immediate: true }),
    ]);
    const invoices = await ofCustomer(id);
    expect(invoices.map((invoice) => invoice.positions.length).sort()).toEqual([1, 1, 2]);
    const joined = invoices.find((invoice) => invoice.positions.length === 2);
    expect(joined.positions.map((position: Json) => position.group)).toMatchObject([
      { name: 'Team (S-10001)', ranking: 1 },
      { name: 'Extra (S-2)', ranking: 2 },
    ]);
    await tenant.settings({});
  });

  it('a headline that is too long ends with a whole character, and its document has a file', async () => {
    const { id } = await tenant.customer();
    await tenant.settings({ positionGroupNameTemplate: '{{ subscription.name }}' });
    const named = (subscriptionName: string) => tenant.batch(id, [{ subscriptionName, subscriptionNumber: newUuid() }]);
    await tenant.charge([named(`${'x'.repeat(254)}😀`), named('Extra')]);
    const [invoice] = await ofCustomer(id);
    expect(invoice.positions[0].group.name).toBe('x'.repeat(254));
    expect((await tenant.send('GET', `/invoices/${invoice.id}/pdf`)).status).toBe(200);
    await tenant.settings({});
  });

  /** The parts of one invoice, with so many lines each. */
  const partsOf = (customerId: string, lines: Partial<ChargeLine>[][]): ChargesDue[] => {
    const batches = lines.map((some) => tenant.batch(customerId, some));
    const of = batches[0]!.batchId;
    return batches.map((batch, index) => ({ ...batch, part: { of, number: index + 1, count: lines.length } }));
  };

  it('lines that come in several events, in any order and some of them twice, are one document when all are there', async () => {
    const { id } = await tenant.customer();
    const another = await tenant.customer();
    const [first, second, third] = partsOf(id, [[{ name: 'A' }, { name: 'B' }], [{ name: 'C' }], [{ name: 'D' }]]) as [
      ChargesDue,
      ChargesDue,
      ChargesDue,
    ];
    await tenant.charge([third, tenant.batch(another.id)]);
    expect((await ofCustomer(another.id))[0].number).not.toBeNull();
    await tenant.charge([first, third]);
    // Of half an invoice nobody sees anything, and nothing is answered.
    expect(await ofCustomer(id)).toEqual([]);
    expect(await answersTo([first, second, third])).toBe(0);
    // Another billing of the day does not wait for the parts, nor they for it.
    await tenant.charge([tenant.batch(id, [{}], { groupingKey: 'other' }), first, second]);
    const invoices = await ofCustomer(id);
    expect(invoices.map(({ positions }) => positions.map(({ name }: Json) => name as string)).sort()).toEqual([
      ['A', 'B', 'C', 'D'],
      ['Team'],
    ]);
    const large = invoices.find(({ positions }) => positions.length === 4);
    expect(large.number).not.toBeNull();
    for (const { batchId } of [first, second, third])
      expect(await settled(batchId)).toMatchObject({ invoiceId: large.id, blockedReason: null });
    await unpaid(large.id);
    expect((await tenant.notices(large.id)).map(({ type }) => type).filter((type) => type !== 'invoice.paid')).toEqual([
      'invoice.created',
      'invoice.finalized',
    ]);
    await tenant.charge([second]);
    await tenant.charge([third, first]);
    expect(await ofCustomer(id)).toHaveLength(2);
    expect(await world.test.peek('SELECT 1 FROM charge_part')).toEqual([]);
  });

  it('parts that come at the same moment are one document', async () => {
    const { id } = await tenant.customer();
    const parts = partsOf(
      id,
      Array.from({ length: 6 }, () => [{}, {}]),
    );
    await Promise.all(parts.map((part) => tenant.charge([part])));
    expect((await ofCustomer(id)).map(({ positions }) => positions.length)).toEqual([12]);
    expect(await answersTo(parts)).toBe(6);
    expect(await world.test.peek('SELECT 1 FROM charge_part')).toEqual([]);
  });

  it('parts of nothing become nothing', async () => {
    const { id } = await tenant.customer();
    const free = { netAmount: eur(0), unitPrice: eur(0) };
    const parts = partsOf(id, [[free], [free]]);
    for (const part of parts) await tenant.charge([part]);
    expect(await ofCustomer(id)).toEqual([]);
    for (const { batchId } of parts) expect(await settled(batchId)).toMatchObject({ invoiceId: null });
  });

  it('with manual approval drafts stay open and take further lines of their day, until they are finalized', async () => {
    const { id } = await tenant.customer({ settings: { manualApproval: true } });
    await tenant.charge([tenant.batch(id)]);
    await tenant.charge([tenant.batch(id), tenant.batch(id, [{}], { billingDay: '2026-03-01' })]);
    const drafts = await ofCustomer(id);
    expect(drafts.map((invoice) => [invoice.status, invoice.positions.length])).toEqual([
      ['STATUS_DRAFT', 2],
      ['STATUS_DRAFT', 1],
    ]);
    expect((await tenant.notices(drafts[0].id)).map((n) => n.type)).toEqual([
      'invoice.created',
      'invoice.requires_approval',
      'invoice.updated',
      'invoice.requires_approval',
    ]);
    await tenant.ok('POST', `/invoices/${drafts[0].id}/finalize`);
    await tenant.charge([tenant.batch(id)]);
    expect((await ofCustomer(id)).map((invoice) => invoice.positions.length)).toEqual([2, 1, 1]);
  });

  it('credits that outweigh the rest become a credit note; a total of zero becomes nothing', async () => {
    const credited = (await tenant.customer()).id;
    const credit = { kind: 'credit' as const, quantity: '-1', netAmount: eur(-5000), unitPrice: eur(5000) };
    await tenant.charge([tenant.batch(credited, [{}, credit])]);
    expect(await ofCustomer(credited)).toMatchObject([
      {
        type: 'TYPE_CREDIT',
        netAmount: eur(-2000),
        grossAmount: eur(-2380),
        number: expect.stringMatching(/^GS-/) as unknown,
      },
    ]);
    const zero = (await tenant.customer()).id;
    const batch = tenant.batch(zero, [{ netAmount: eur(0), unitPrice: eur(0) }]);
    await tenant.charge([batch]);
    expect(await ofCustomer(zero)).toEqual([]);
    expect(await settled(batch.batchId)).toMatchObject({ invoiceId: null, blockedReason: null });
    await tenant.settings({ createZeroInvoices: true });
    await tenant.charge([tenant.batch(zero, [{ netAmount: eur(0), unitPrice: eur(0) }])]);
    expect(await ofCustomer(zero)).toMatchObject([{ status: 'STATUS_PAID', paymentIntent: null }]);
    await tenant.settings({});
  });

  it('bad ones stay behind with their reason and never stop the others', async () => {
    const [good, homeless, foreign] = [
      (await tenant.customer()).id,
      (await tenant.customer({ addresses: [] })).id,
      (await tenant.customer()).id,
    ];
    const xpf = (amount: number) => ({ amount, currencyCode: 'XPF' });
    const batches = [
      tenant.batch(good),
      tenant.batch(homeless),
      tenant.batch(foreign, [{ netAmount: xpf(100), unitPrice: xpf(100) }]),
    ];
    await tenant.charge(batches);
    expect((await settled(batches[0]!.batchId)).blockedReason).toBeNull();
    expect(await settled(batches[1]!.batchId)).toMatchObject({
      blockedReason: 'invoice_address_incomplete',
      invoiceId: expect.any(String) as unknown,
    });
    expect(await settled(batches[2]!.batchId)).toMatchObject({ blockedReason: 'exchange_rate_missing' });
    expect(await ofCustomer(homeless)).toMatchObject([{ status: 'STATUS_DRAFT', grossAmount: eur(3570) }]);

    // The cause goes away: the draft is finalized without being rated again, and billing is not answered twice.
    await tenant.ok('PUT', '/exchange-rates', { rates: [{ date: '2026-02-20', currencyCode: 'XPF', rate: '119.33' }] });
    const id = (await ofCustomer(foreign))[0].id;
    const invoice = await unpaid(id);
    expect(invoice).toMatchObject({
      netAmount: eur(84),
      applicatedExchangeRates: [{ sourceCurrencyCode: 'XPF', exchangeRateDate: '2026-02-20T00:00:00.000Z' }],
    });
    await settled(batches[2]!.batchId);
    await tenant.settings({ seller: { ...seller, company: null } });
    const blocked = tenant.batch(good, [{}], { billingDay: '2026-03-02' });
    await tenant.charge([blocked]);
    expect(await settled(blocked.batchId)).toMatchObject({ blockedReason: 'seller_data_incomplete' });
    await tenant.settings({});
  });

  it('a customer copy that is older than the charges rely on is fetched from its owner', async () => {
    const { id } = await tenant.customer();
    await tenant.charge([tenant.batch(id, [{}], { customerVersion: 1_000_000 })]);
    expect(await ofCustomer(id)).toHaveLength(1);
  });

  it('500 batches in one transaction are exact and gapless', async () => {
    const fresh = await world.tenant();
    const customers = await Promise.all(Array.from({ length: 100 }, () => fresh.customer()));
    const batches = Array.from({ length: 500 }, (_, i) =>
      fresh.batch(customers[i % 100]!.id, [{}, {}, {}], { billingDay: `2026-02-0${1 + Math.floor(i / 100)}` }),
    );
    await fresh.charge(batches);
    const rows = await world.test.peek<{ n: number; numbers: number; last: string; gross: string }>(
      `SELECT count(*)::int AS n, count(DISTINCT number)::int AS numbers, max(number) AS last,
              sum(gross_minor)::text AS gross
       FROM invoice WHERE tenant_id = $1`,
      [fresh.id],
    );
    expect(rows).toEqual([{ n: 500, numbers: 500, last: 'RE-2026-00500', gross: String(500 * 10710) }]);
  });
});
