import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { Billing } from './support/billing.js';
import { expectInvariants, World } from './support/world.js';

let billing: Billing;
beforeAll(async () => {
  billing = await Billing.start();
});
afterEach(expectInvariants);
afterAll(async () => billing?.stop());

describe('the daily run', () => {
  it('a year anchored on 31 January in Berlin is twelve batches that tile it', async () => {
    const world = await World.at(billing, '2025-01-15T09:00:00.000Z');
    const subscription = await world.subscribe(await world.customer(), await world.price(), {
      billingStart: '2025-01-31T09:00:00.000Z',
    });
    expect(subscription).toMatchObject({ status: 'active', items: [{ status: 'pending' }] });
    await world.advance('2026-01-30T22:00:00.000Z');
    expect(await world.lines()).toEqual([
      '2025-01-31: regular 2025-01-31..2025-02-28 1000',
      '2025-02-28: regular 2025-02-28..2025-03-31 1000',
      '2025-03-31: regular 2025-03-31..2025-04-30 1000',
      '2025-04-30: regular 2025-04-30..2025-05-31 1000',
      '2025-05-31: regular 2025-05-31..2025-06-30 1000',
      '2025-06-30: regular 2025-06-30..2025-07-31 1000',
      '2025-07-31: regular 2025-07-31..2025-08-31 1000',
      '2025-08-31: regular 2025-08-31..2025-09-30 1000',
      '2025-09-30: regular 2025-09-30..2025-10-31 1000',
      '2025-10-31: regular 2025-10-31..2025-11-30 1000',
      '2025-11-30: regular 2025-11-30..2025-12-31 1000',
      '2025-12-31: regular 2025-12-31..2026-01-31 1000',
    ]);
    for (const batch of await world.batches()) await world.settle([batch]);
    const now = await world.ok('GET', `/subscriptions/${subscription.id}`);
    expect(now).toMatchObject({
      nextBillingDate: '2026-01-30T23:00:00.000Z',
      lastBillingAt: '2025-12-31T02:00:00.000Z',
      items: [{ status: 'active' }],
    });
    expect(await billing.noticeTypes(subscription.id)).toEqual([
      'subscription.created',
      'subscription.activated',
      ...Array(12).fill('subscription.billed'),
    ]);
  });
});

describe('consolidation', () => {
  it('all lines of a customer that fall due on one day are one invoice; another method or address splits', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const customer = await world.customer();
    const price = await world.price();
    await world.ok('POST', `/customers/${customer}/addresses`, {
      type: 'TYPE_INVOICE',
      street: 'Kai',
      houseNumber: '1',
      zip: '20457',
      city: 'Hamburg',
    });
    const { body: addresses } = await world.tenant.call('GET', `/customers/${customer}/addresses`);
    const other = addresses.data.find((a: { type: string }) => a.type === 'TYPE_DEFAULT');
    const usual = addresses.data.find((a: { type: string }) => a.type === 'TYPE_INVOICE');
    await world.subscribe(customer, price);
    await world.subscribe(customer, await world.price({ price: { amount: 500 } }), {
      name: 'Second',
      invoiceAddress: usual.id,
    });
    await world.subscribe(customer, price, { invoiceAddress: other.id });
    await world.subscribe(customer, price, { billingStart: '2026-03-02T09:00:00.000Z' });
    await world.advance('2026-03-10T00:00:00.000Z');
    const batches = await world.batches();
    expect(batches.map((b) => [b.billingDay, b.lines.length, b.invoiceAddressId])).toEqual([
      ['2026-03-01', 1, other.id],
      ['2026-03-01', 2, null],
      ['2026-03-02', 1, null],
    ]);
    expect(new Set(batches.map((b) => b.batchId)).size).toBe(3);
  });

  it('a payment method that was removed leaves its place to the default', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const [customer, price, id] = [await world.customer(), await world.price(), newUuid()];
    const method = {
      id,
      customerId: customer,
      gatewayName: 'testing',
      status: 'active',
      default: false,
      enabled: true,
      representation: { id },
    };
    await billing.test.giveCopy('payment_method', world.tenant.id, id, method);
    const subscription = await world.subscribe(customer, price, { paymentMethod: id });
    expect(subscription).toMatchObject({ paymentMethod: { id }, defaultPaymentMethod: false });
    await world.subscribe(customer, price);
    const { database, replicas } = billing.test.service.kit;
    await database.tenant(world.tenant.id, (tx) => replicas.apply(tx, 'payment_method', id, 2, null, true));
    expect(await world.ok('GET', `/subscriptions/${subscription.id}`)).toMatchObject({
      paymentMethod: null,
      defaultPaymentMethod: true,
    });
    await world.advance('2026-03-10T00:00:00.000Z');
    expect((await world.batches()).map((batch) => [batch.lines.length, batch.paymentMethodId])).toEqual([[2, null]]);
  });

  it('what becomes due later that day waits for the next run', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    await world.subscribe(await world.customer(), await world.price());
    await world.advance('2026-03-02T01:59:59.999Z');
    expect(await world.lines()).toEqual([]);
    await world.advance('2026-03-02T02:00:00.000Z');
    expect(await world.lines()).toEqual(['2026-03-01: regular 2026-03-01..2026-04-01 1000']);
  });

  it('missed days are an invoice each, in order', async () => {
    const world = await World.at(billing, '2026-04-15T09:00:00.000Z');
    await world.subscribe(await world.customer(), await world.price(), { billingStart: '2026-01-15T09:00:00.000Z' });
    await world.advance('2026-04-16T09:00:00.000Z');
    expect((await world.batches()).map((b) => b.billingDay)).toEqual([
      '2026-01-15',
      '2026-02-15',
      '2026-03-15',
      '2026-04-15',
    ]);
  });
});

describe('a run by request', () => {
  it('bills at once, and is completed when every batch is answered', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const price = await world.price();
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await world.subscribe(await world.customer(), price)).id);
    const { status, body: run } = await world.tenant.call('POST', '/billing-runs', {});
    expect([status, run.status, run.date]).toEqual([202, 'running', '2026-03-01']);
    await world.idle();
    expect(await world.ok('GET', `/billing-runs/${run.id}`)).toMatchObject({
      status: 'running',
      due: 3,
      billed: 3,
      failed: 0,
      failures: [],
      invoiceIds: [],
    });
    const [first, ...rest] = await world.batches();
    await world.settle([first!], { blockedReason: 'invoice_address_incomplete' });
    await world.settle(rest);
    const done = await eventually(async () => {
      const json = await world.ok('GET', `/billing-runs/${run.id}`);
      return json.status === 'completed' ? json : undefined;
    });
    const blocked = first!.lines[0]!.subscriptionId;
    expect(done).toMatchObject({
      due: 3,
      billed: 2,
      failed: 1,
      failures: [{ subscriptionId: blocked, reason: 'invoice_address_incomplete' }],
    });
    expect(done.invoiceIds).toHaveLength(3);
    await world.settle([first!]);
    await eventually(async () => ((await world.ok('GET', `/billing-runs/${run.id}`)).failed === 0 ? true : undefined));
    expect((await world.ok('GET', '/billing-runs')).meta.pagination.totalItems).toBe(1);
  });

  it('refuses days that have not come', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    expect(await world.tenant.call('POST', '/billing-runs', { date: '2026-03-02' })).toMatchObject({
      status: 422,
      body: { reason: 'validation_failed' },
    });
    expect(await world.tenant.call('POST', '/billing-runs', { date: 'soon' })).toMatchObject({ status: 422 });
    expect(await world.tenant.call('GET', '/billing-runs/nonsense')).toMatchObject({ status: 404 });
  });

  it('sixteen at once, with the daily runs in between, bill each period exactly once', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const price = await world.price();
    for (let n = 0; n < 12; n++)
      await world.subscribe(await world.customer(), price, { billingStart: '2026-01-31T09:00:00.000Z' });
    const runs = await Promise.all(Array.from({ length: 16 }, () => world.ok('POST', '/billing-runs', {})));
    const { dueRunner } = billing.test.service.kit;
    await Promise.all(
      Array.from({ length: 16 }, () => dueRunner.runDue(world.tenant.id, new Date('2026-03-01T09:00:00.000Z'))),
    );
    await world.idle();
    const batches = await world.batches();
    expect(batches).toHaveLength(24);
    const periods = batches.flatMap((b) => b.lines.map((l) => `${l.subscriptionId} ${l.serviceFrom}`));
    expect(new Set(periods).size).toBe(24);
    await world.settle(batches);
    const all = await eventually(async () => {
      const json = await Promise.all(runs.map((run) => world.ok('GET', `/billing-runs/${run.id}`)));
      return json.every((run) => run.status === 'completed') ? json : undefined;
    });
    expect(all.reduce((sum, run) => sum + run.due, 0)).toBe(12);
  });

  it('a run whose process dies half-way goes on: nothing is stored of what was not committed', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    await world.subscribe(await world.customer(), await world.price());
    const { database, dueRunner } = billing.test.service.kit;
    const until = new Date('2026-03-02T02:00:00.000Z');
    // A claim that never ended: its lease runs out.
    await world.setClock(until.toISOString());
    await database.pool.query(
      `UPDATE due_work SET token = nextval('due_work_token'), lease_until = now() - INTERVAL '1 second'
       WHERE tenant_id = $1`,
      [world.tenant.id],
    );
    await dueRunner.runDue(world.tenant.id, until);
    await world.idle();
    expect(await world.lines()).toHaveLength(1);
  });

  it('one failing subscription never stops the others', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const customer = await world.customer();
    const price = await world.price();
    const bad = await world.subscribe(customer, await world.price({ price: { amount: Number.MAX_SAFE_INTEGER } }), {});
    await world.ok('PATCH', `/subscription-items/${bad.items[0].id}`, { quantity: '1000' });
    const good = await world.subscribe(customer, price);
    await world.advance('2026-03-02T09:00:00.000Z');
    expect((await world.batches()).flatMap((b) => b.lines.map((l) => l.subscriptionId))).toEqual([good.id]);
    const [run] = (await world.ok('GET', '/billing-runs')).data;
    expect(run).toMatchObject({ due: 2, billed: 1, failed: 1, failures: [{ subscriptionId: bad.id }] });
  });
});

/** In arrears, 28.00 a month: used from 1 February, paused on the 25th, resumed on 5 March; its intervals begin anew on the 20th. */
async function resumedBeforeItsAnchor(billMissedPeriods: boolean): Promise<{ world: World; id: string }> {
  const world = await World.at(billing, '2026-02-01T09:00:00.000Z');
  const arrears = await world.price({ price: { amount: 2800 }, payInAdvance: false });
  const { id } = await world.subscribe(await world.customer(), arrears);
  await world.advance('2026-02-25T09:00:00.000Z');
  await world.ok('PUT', `/subscriptions/${id}/pause`);
  await world.advance('2026-03-05T09:00:00.000Z');
  const next = { nextBillingDate: '2026-03-20T12:00:00.000Z', billMissedPeriods };
  await world.ok('PUT', `/subscriptions/${id}/resume`, next);
  return { world, id };
}

describe('ends and changes', () => {
  it('an immediate cancellation gives the unused rest back; arrears are billed to the day', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const customer = await world.customer();
    const advance = await world.subscribe(customer, await world.price({ price: { amount: 3100 } }));
    const arrears = await world.subscribe(
      customer,
      await world.price({ price: { amount: 3100 }, payInAdvance: false }),
    );
    await world.advance('2026-03-11T09:00:00.000Z');
    for (const { id } of [advance, arrears]) {
      const cancelled = await world.ok('PUT', `/subscriptions/${id}/cancel`, { cancellationDateType: 'immediate' });
      expect(cancelled).toMatchObject({
        status: 'cancelled',
        isCancellationPending: false,
        items: [{ status: 'terminated' }],
      });
    }
    await world.advance('2026-06-01T00:00:00.000Z');
    expect(await world.lines()).toEqual([
      '2026-03-01: regular 2026-03-01..2026-04-01 3100',
      '2026-03-11: credit 2026-03-11..2026-04-01 -2100',
      '2026-03-11: regular 2026-03-01..2026-03-11 1000',
    ]);
    const batch = (await world.batches()).at(-1)!;
    expect(batch.lines.find((l) => l.kind === 'credit')).toMatchObject({
      quantity: '-1',
      unitPrice: { amount: 2100 },
      description: 'Gutschrift für nicht genutzte Zeit: 21 von 31 Tagen',
    });
  });

  it('a cancellation in the future is pending, revocable, and ends billing on its day', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const { id } = await world.subscribe(await world.customer(), await world.price());
    await world.advance('2026-03-05T09:00:00.000Z');
    const pending = await world.ok('PUT', `/subscriptions/${id}/cancel`, { cancellationDateType: 'next_possible' });
    expect(pending).toMatchObject({
      status: 'active',
      isCancellationPending: true,
      cancellationDate: '2026-03-31T22:00:00.000Z',
      items: [{ status: 'cancelled' }],
    });
    expect(await world.ok('PUT', `/subscriptions/${id}/revoke-cancellation`)).toMatchObject({
      isCancellationPending: false,
      cancellationDate: null,
      items: [{ status: 'active' }],
    });
    await world.ok('PUT', `/subscriptions/${id}/cancel`, { cancellationDateType: 'next_possible' });
    await world.advance('2026-06-01T00:00:00.000Z');
    expect(await world.ok('GET', `/subscriptions/${id}`)).toMatchObject({
      status: 'cancelled',
      isCancellationPending: false,
      items: [{ status: 'terminated' }],
      nextBillingDate: null,
    });
    expect(await world.lines()).toHaveLength(1);
  });

  it('an immediate change is previewed, then billed in the request: the rest of the old back, the rest of the new', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const subscription = await world.subscribe(await world.customer(), await world.price({ price: { amount: 3100 } }));
    const itemId = subscription.items[0].id;
    await world.advance('2026-03-11T09:00:00.000Z');
    const pro = await world.price({ price: { amount: 6200 } });
    const change = { pricePlan: pro, quantity: '2', timing: 'immediate' };
    const preview = await world.ok('POST', `/subscription-items/${itemId}/change?preview=true`, change);
    expect(preview).toMatchObject({
      timing: 'immediately',
      effectiveOn: '2026-03-11',
      invoice: { netAmount: { amount: 6300 }, grossAmount: { amount: 7497 } },
    });
    const document = await (await fetch(`${billing.test.service.url}/internal/openapi`)).json();
    expect(document.paths['/subscription-items/{id}/change'].post.parameters).toContainEqual(
      expect.objectContaining({ in: 'query', name: 'preview', schema: expect.objectContaining({ type: 'boolean' }) }),
    );
    expect((await world.tenant.call('POST', `/subscription-items/${itemId}/change?preview=maybe`, change)).status).toBe(
      400,
    );
    expect(await world.lines()).toHaveLength(1);
    const item = await world.ok('POST', `/subscription-items/${itemId}/change`, change);
    expect(item).toMatchObject({ id: itemId, quantity: '2', pricePlan: { id: pro } });
    expect((await world.lines()).slice(1)).toEqual([
      '2026-03-11: credit 2026-03-11..2026-04-01 -2100',
      '2026-03-11: regular 2026-03-11..2026-04-01 8400',
    ]);
    expect((await world.batches()).at(-1)).toMatchObject({ immediate: true, runId: null });
    // The same day again: what was just billed is credited as a whole.
    await world.ok('POST', `/subscription-items/${itemId}/change`, { ...change, quantity: '1' });
    expect((await world.lines()).slice(3)).toEqual([
      '2026-03-11: credit 2026-03-11..2026-04-01 -8400',
      '2026-03-11: regular 2026-03-11..2026-04-01 4200',
    ]);
    await world.advance('2026-04-02T09:00:00.000Z');
    expect((await world.lines()).slice(5)).toEqual(['2026-04-01: regular 2026-04-01..2026-05-01 6200']);
  });

  it('a change at the end of the period waits for it', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const subscription = await world.subscribe(await world.customer(), await world.price());
    await world.advance('2026-03-11T09:00:00.000Z');
    const pro = await world.price({ price: { amount: 2500 } });
    const change = { pricePlan: pro, timing: 'end_of_period' };
    const preview = await world.ok(
      'POST',
      `/subscription-items/${subscription.items[0].id}/change?preview=true`,
      change,
    );
    expect(preview).toMatchObject({ effectiveOn: '2026-04-01', invoice: { netAmount: { amount: 2500 } } });
    await world.ok('POST', `/subscription-items/${subscription.items[0].id}/change`, change);
    await world.advance('2026-04-02T09:00:00.000Z');
    expect((await world.lines()).slice(1)).toEqual(['2026-04-01: regular 2026-04-01..2026-05-01 2500']);
  });

  it('paused time is not billed, and what was paid for it is credited', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const { id } = await world.subscribe(await world.customer(), await world.price({ price: { amount: 3100 } }));
    await world.advance('2026-03-11T09:00:00.000Z');
    await world.ok('PUT', `/subscriptions/${id}/pause`);
    await world.advance('2026-05-16T09:00:00.000Z');
    expect(await world.lines()).toHaveLength(1);
    await world.ok('PUT', `/subscriptions/${id}/resume`, {});
    await world.advance('2026-06-02T09:00:00.000Z');
    expect((await world.lines()).slice(1)).toEqual([
      '2026-05-16: credit 2026-03-11..2026-04-01 -2100',
      '2026-05-16: regular 2026-05-16..2026-06-01 1600',
      '2026-06-01: regular 2026-06-01..2026-07-01 3100',
    ]);
  });

  it('paused time is credited with a new anchor too, and nothing is billed before it', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const { id } = await world.subscribe(await world.customer(), await world.price({ price: { amount: 3100 } }));
    await world.advance('2026-03-11T09:00:00.000Z');
    await world.ok('PUT', `/subscriptions/${id}/pause`);
    await world.advance('2026-03-20T09:00:00.000Z');
    const resumed = await world.ok('PUT', `/subscriptions/${id}/resume`, {
      nextBillingDate: '2026-03-25T00:00:00+01:00',
    });
    expect(resumed).toMatchObject({ status: 'active', nextBillingDate: '2026-03-24T23:00:00.000Z' });
    await world.advance('2026-04-26T09:00:00.000Z');
    expect((await world.lines()).slice(1)).toEqual([
      '2026-03-25: credit 2026-03-11..2026-04-01 -2100',
      '2026-03-25: regular 2026-03-25..2026-04-25 3100',
      '2026-04-25: regular 2026-04-25..2026-05-25 3100',
    ]);
  });

  it.each([
    ['a cancellation at once', 'cancel', { cancellationDateType: 'immediate' }],
    [
      'a later cancellation',
      'cancel',
      { cancellationDateType: 'custom', cancellationDate: '2026-04-10T12:00:00.000Z' },
    ],
    ['a termination with credit', 'terminate', { credit: 'pro_rata' }],
  ])('%s between a resume and its next billing date credits what had been paid', async (_name, action, body) => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const monthly = await world.price({ price: { amount: 3100 } });
    const yearly = await world.price({ price: { amount: 36_500 }, billingInterval: '1Y' });
    const items = [{ pricePlan: monthly }, { pricePlan: yearly }];
    const { id } = await world.subscribe(await world.customer(), monthly, { items });
    await world.advance('2026-03-11T09:00:00.000Z');
    await world.ok('PUT', `/subscriptions/${id}/pause`);
    await world.advance('2026-03-20T09:00:00.000Z');
    await world.ok('PUT', `/subscriptions/${id}/resume`, { nextBillingDate: '2028-01-01T12:00:00.000Z' });
    await world.advance('2026-04-10T09:00:00.000Z');
    await world.ok('PUT', `/subscriptions/${id}/${action}`, body);
    await world.advance('2026-04-11T09:00:00.000Z');
    expect((await world.lines()).slice(2)).toEqual([
      '2026-04-10: credit 2026-03-11..2026-04-01 -2100',
      '2026-04-10: credit 2026-03-11..2027-03-01 -35500',
    ]);
  });

  it.each([
    [
      'not billed',
      false,
      ['2026-02-25: regular 2026-02-01..2026-02-25 2400', '2026-04-20: regular 2026-03-20..2026-04-20 2800'],
    ],
    [
      'billed',
      true,
      [
        '2026-03-01: regular 2026-02-01..2026-03-01 2800',
        '2026-03-20: regular 2026-03-01..2026-03-20 1716',
        '2026-04-20: regular 2026-03-20..2026-04-20 2800',
      ],
    ],
  ])(
    'a new anchor leaves what was used before it its intervals, with a pause that is %s',
    async (_name, all, lines) => {
      const { world } = await resumedBeforeItsAnchor(all);
      await world.advance('2026-04-21T09:00:00.000Z');
      expect(await world.lines()).toEqual(lines);
    },
  );

  it.each([false, true])(
    'a billing group takes the place of a new anchor that lies ahead (missed periods: %s)',
    async (all) => {
      const { world, id } = await resumedBeforeItsAnchor(all);
      const group = await world.ok('POST', '/billing-groups', { name: 'Monatsanfang', type: 'start_of_month' });
      await world.ok('PUT', `/subscriptions/${id}/billing-group`, { billingGroup: group.id });
      await world.advance('2026-05-02T09:00:00.000Z');
      expect((await world.lines()).slice(1)).toEqual([
        `2026-04-01: regular ${all ? '2026-03-01..2026-04-01 2800' : '2026-03-20..2026-04-01 1084'}`,
        '2026-05-01: regular 2026-04-01..2026-05-01 2800',
      ]);
    },
  );

  it('a trial moves the start; revoking it bills in the request', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const price = await world.price();
    const kept = await world.subscribe(await world.customer(), price, { trialDays: 14 });
    const revoked = await world.subscribe(await world.customer(), price, { trialDays: 14 });
    expect(kept).toMatchObject({ trialEndsOn: '2026-03-14T23:00:00.000Z' });
    await world.advance('2026-03-05T09:00:00.000Z');
    await world.ok('PUT', `/subscriptions/${revoked.id}/revoke-trial`);
    expect(await world.lines()).toEqual(['2026-03-05: regular 2026-03-05..2026-04-05 1000']);
    await world.advance('2026-03-16T09:00:00.000Z');
    expect((await world.lines()).slice(1)).toEqual(['2026-03-15: regular 2026-03-15..2026-04-15 1000']);
    expect(await billing.noticeTypes(kept.id)).toContain('subscription.trial_expired');
  });

  it('a billing group aligns the intervals, the first one is prorated', async () => {
    const world = await World.at(billing, '2026-03-11T09:00:00.000Z');
    const group = await world.ok('POST', '/billing-groups', { name: 'Monatsanfang', type: 'start_of_month' });
    await world.subscribe(await world.customer(), await world.price({ price: { amount: 3100 } }), {
      billingGroup: group.id,
    });
    await world.advance('2026-04-02T09:00:00.000Z');
    expect(await world.lines()).toEqual([
      '2026-03-11: regular 2026-03-11..2026-04-01 2100',
      '2026-04-01: regular 2026-04-01..2026-05-01 3100',
    ]);
  });

  it('billImmediately is an invoice of its own', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const draft = await world.ok('POST', '/subscriptions', {
      customer: await world.customer(),
      items: [{ pricePlan: await world.price() }],
    });
    const active = await world.ok('PUT', `/subscriptions/${draft.id}/activate`, { billImmediately: true });
    expect(active).toMatchObject({
      status: 'active',
      items: [{ status: 'active', billing: { lastBilledTo: '2026-03-31T22:00:00.000Z' } }],
    });
    expect(await world.batches()).toMatchObject([{ immediate: true, billingDay: '2026-03-01' }]);
    await world.advance('2026-03-03T09:00:00.000Z');
    expect(await world.batches()).toHaveLength(1);
  });
});

describe('archiving a customer with running subscriptions', () => {
  const archive = (world: World, customer: string, runningSubscriptions?: string) =>
    world.tenant.call('PUT', `/customers/${customer}/archive`, runningSubscriptions ? { runningSubscriptions } : {});

  it('is refused, with the choices named, and changes nothing', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const customer = await world.customer();
    const { id } = await world.subscribe(customer, await world.price());
    for (const choice of [undefined, 'refuse']) {
      expect(await archive(world, customer, choice)).toMatchObject({
        status: 422,
        body: {
          reason: 'customer_in_use',
          detail: expect.stringMatching(/cancel_next_possible.*cancel_immediate/),
          violations: [{ propertyPath: 'runningSubscriptions' }],
        },
      });
    }
    expect(await archive(world, customer, 'keep')).toMatchObject({
      status: 422,
      body: { reason: 'validation_failed' },
    });
    expect(await world.ok('GET', `/customers/${customer}`)).toMatchObject({ status: 'STATUS_ACTIVE' });
    expect(await world.ok('GET', `/subscriptions/${id}`)).toMatchObject({ status: 'active', cancelledAt: null });
  });

  it('cancel_immediate ends them all, and the next run credits what is unused', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const customer = await world.customer();
    const price = await world.price();
    const first = await world.subscribe(customer, price);
    const second = await world.subscribe(customer, price);
    await world.ok('PUT', `/subscriptions/${second.id}/pause`);
    await world.advance('2026-03-11T09:00:00.000Z');
    expect(await archive(world, customer, 'cancel_immediate')).toMatchObject({
      status: 200,
      body: { status: 'STATUS_ARCHIVED' },
    });
    for (const { id } of [first, second])
      expect(await world.ok('GET', `/subscriptions/${id}`)).toMatchObject({ status: 'cancelled' });
    await world.advance('2026-05-01T09:00:00.000Z');
    expect(await world.lines()).toEqual([
      '2026-03-01: regular 2026-03-01..2026-04-01 1000',
      '2026-03-11: credit 2026-03-11..2026-04-01 -677',
    ]);
  });

  it('cancel_next_possible bills until the contract ends; nothing is revoked or activated before it is unarchived', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const customer = await world.customer();
    const price = await world.price();
    const period = { contractPeriodCount: 1, contractPeriod: '3M', cancellationPeriod: '1D' };
    const { id } = await world.subscribe(customer, price, { period });
    const draft = await world.subscribe(customer, price, { activate: false });
    await world.advance('2026-03-05T09:00:00.000Z');
    expect((await archive(world, customer, 'cancel_next_possible')).status).toBe(200);
    const revoke = () => world.tenant.call('PUT', `/subscriptions/${id}/revoke-cancellation`);
    const activate = () => world.tenant.call('PUT', `/subscriptions/${draft.id}/activate`, {});
    for (const refused of [revoke, activate])
      expect(await refused()).toMatchObject({ status: 422, body: { reason: 'customer_archived' } });
    await world.advance('2026-05-15T09:00:00.000Z');
    expect(await world.lines()).toHaveLength(3);
    await world.ok('PUT', `/customers/${customer}/unarchive`);
    expect((await revoke()).status).toBe(200);
    expect((await activate()).status).toBe(200);
  });
});

describe('looking ahead and back', () => {
  it('a preview explains the next invoice and changes nothing', async () => {
    const world = await World.at(billing, '2026-03-11T09:00:00.000Z');
    const tiers = [
      { upTo: '10', unitPrice: { amount: 1000 } },
      { upTo: '50', unitPrice: { amount: 800 } },
      { upTo: null, unitPrice: { amount: 600 } },
    ];
    const price = await world.price({ type: 'tiered', price: null, tiers });
    const draft = await world.ok('POST', '/subscriptions', {
      customer: await world.customer(),
      items: [{ pricePlan: price, quantity: '60' }],
    });
    const before = await billing.counts();
    const { status, body: preview } = await world.tenant.call('POST', `/subscriptions/${draft.id}/preview-invoice`);
    expect(status).toBe(201);
    expect(preview).toMatchObject({
      netAmount: { amount: 48000 },
      taxAmount: { amount: 9120 },
      grossAmount: { amount: 57120 },
      billingDate: '2026-03-10T23:00:00.000Z',
    });
    expect(preview.positions).toMatchObject([
      {
        quantity: '1',
        unitPrice: { amount: 48000 },
        description: '10 × 10,00 + 40 × 8,00 + 10 × 6,00 EUR',
        serviceDateTo: '2026-04-10T21:59:59.999Z',
        explanation: { priceType: 'tiered', slices: [{ quantity: '10' }, { quantity: '40' }, { quantity: '10' }] },
      },
    ]);
    expect(await billing.counts()).toEqual(before);
    expect(await world.ok('GET', `/subscriptions/${draft.id}`)).toMatchObject({
      status: 'draft',
      items: [{ status: 'pending' }],
    });
  });

  it('the timeline has what happened, what was billed and what comes', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const { id } = await world.subscribe(await world.customer(), await world.price());
    await world.advance('2026-03-05T09:00:00.000Z');
    const { data } = await world.ok('GET', `/subscriptions/${id}/timeline`);
    expect(data.map((entry: { type: string; upcoming: boolean }) => [entry.type, entry.upcoming])).toEqual([
      ['created', false],
      ['activated', false],
      ['billed', false],
      ['billing', true],
    ]);
    expect(data[2]).toMatchObject({ netAmount: { amount: 1000, currencyCode: 'EUR' }, explanation: { days: null } });
  });
});

async function eventually<T>(probe: () => Promise<T | undefined>): Promise<T> {
  for (let n = 0; n < 250; n++) {
    const value = await probe();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('it did not come true');
}
