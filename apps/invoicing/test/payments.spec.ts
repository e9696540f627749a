import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { eventually } from '@kontor/testing';
import { eur, reasonOf, type Tenant, World } from './support/world.js';

describe('payments on an invoice', () => {
  let world: World;
  let tenant: Tenant;
  let customerId: string;
  const method = newUuid();
  const payment = (change: object = {}): object => ({ paymentMethod: method, description: 'Überweisung', ...change });

  beforeAll(async () => {
    world = await World.start();
    tenant = await world.tenant();
    customerId = (await tenant.customer()).id;
  });
  afterAll(async () => {
    await world.expectInvariants();
    await world.stop();
  });
  beforeEach(() => {
    world.payments.mode = 'answers';
  });

  const invoice = async (): Promise<string> => {
    const { id } = await tenant.draft(customerId);
    await tenant.ok('POST', `/invoices/${id}/finalize`);
    return id;
  };

  it('a payment in full shows PAID in its own answer, and the later event changes nothing', async () => {
    const id = await invoice();
    const paid = await tenant.ok('POST', `/invoices/${id}/payments`, payment());
    expect(paid).toMatchObject({
      status: 'STATUS_PAID',
      unpaidAmount: eur(0),
      paymentIntent: { status: 'succeeded', openAmount: eur(0) },
    });
    expect(paid.payDate).not.toBeNull();
    await world.payments.report(id, {}, 2);
    expect((await tenant.notices(id)).map((n) => n.type)).toEqual([
      'invoice.created',
      'invoice.finalized',
      'invoice.paid',
    ]);
  });

  it('a part leaves it UNPAID with the rest; an excess is shown negative', async () => {
    const id = await invoice();
    expect(await tenant.ok('POST', `/invoices/${id}/payments`, payment({ amount: 19.5 }))).toMatchObject({
      status: 'STATUS_UNPAID',
      unpaidAmount: eur(9950),
    });
    expect(
      await tenant.ok(
        'POST',
        `/invoices/${id}/payments`,
        payment({ amount: 100, currencyCode: 'EUR', feeAmount: 0.35 }),
      ),
    ).toMatchObject({ status: 'STATUS_PAID', unpaidAmount: eur(-50) });
    expect(world.payments.recorded.size).toBeGreaterThan(1);
  });

  it('a returned payment makes it UNPAID again; an older event is ignored', async () => {
    const id = await invoice();
    await tenant.ok('POST', `/invoices/${id}/payments`, payment());
    await world.payments.report(id, { openAmount: eur(10000), status: 'open', paidAt: null });
    expect(await tenant.ok('GET', `/invoices/${id}`)).toMatchObject({
      status: 'STATUS_UNPAID',
      unpaidAmount: eur(10000),
      payDate: null,
    });
    await world.payments.report(id, { openAmount: eur(0), status: 'succeeded' }, 2);
    expect(await tenant.ok('GET', `/invoices/${id}`)).toMatchObject({ status: 'STATUS_UNPAID' });
    expect((await tenant.notices(id)).map((n) => n.type)).toEqual([
      'invoice.created',
      'invoice.finalized',
      'invoice.paid',
      'invoice.unpaid',
    ]);
  });

  it('credit that settles it at once still shows UNPAID first', async () => {
    world.payments.opensIntents = false;
    const { id } = await tenant.draft(customerId);
    const finalizing = tenant.send('POST', `/invoices/${id}/finalize`);
    const follow = world.payments;
    await eventually(
      () =>
        world.test
          .peek(`SELECT 1 FROM outbox WHERE type = 'invoicing.invoice.finalizing.v1' AND aggregate_id = $1`, [id])
          .then((rows) => rows.length > 0),
      'finalizing',
    );
    follow.intents.set(id, {
      tenantId: tenant.id,
      version: 0,
      state: {
        id: newUuid(),
        invoiceId: id,
        topUpId: null,
        customerId,
        amount: eur(11900),
        openAmount: eur(0),
        creditAppliedAmount: eur(11900),
        status: 'succeeded',
        paymentMethodId: null,
        paidAt: '2026-03-02T09:00:00.000Z',
        failReason: null,
      },
    });
    await follow.report(id);
    expect((await finalizing).body).toMatchObject({ status: 'STATUS_PAID', unpaidAmount: eur(0) });
    expect(await tenant.notices(id)).toEqual([
      { type: 'invoice.created', status: 'STATUS_DRAFT' },
      { type: 'invoice.finalized', status: 'STATUS_UNPAID' },
      { type: 'invoice.paid', status: 'STATUS_PAID' },
    ]);
    await world.test.peek('SELECT 1');
    world.payments.opensIntents = true;
  });

  test.each<[string, object, string]>([
    ['no description', { description: undefined }, '400 invalid_request'],
    ['amount as text', { amount: '5' }, '400 invalid_request'],
    ['unknown field', { colour: 'red' }, '400 unknown_field'],
    ['method no uuid', { paymentMethod: 'x' }, '422 validation_failed'],
    ['too many decimals', { amount: 1.005 }, '422 validation_failed'],
    ['zero', { amount: 0 }, '422 validation_failed'],
    ['negative', { amount: -5 }, '422 validation_failed'],
    ['another currency', { amount: 5, currencyCode: 'USD' }, '422 currency_mismatch'],
    ['another currency without amount', { currencyCode: 'USD' }, '422 currency_mismatch'],
    ['a date in the future', { paymentDate: '2026-03-03T00:00:00.000Z' }, '422 validation_failed'],
    ['negative fee', { feeAmount: -1 }, '422 validation_failed'],
    ['an amount that is read as another', { amount: 90071992547409.01 }, '422 validation_failed'],
    ['an amount beyond the safe range', { amount: 90071992547409.92 }, '422 validation_failed'],
    ['a fee beyond the safe range', { feeAmount: 90071992547409.92 }, '422 validation_failed'],
  ])('is refused: %s', async (_name, change, expected) => {
    const id = await invoice();
    expect(reasonOf(await tenant.send('POST', `/invoices/${id}/payments`, payment(change)))).toBe(expected);
    expect(await world.test.peek('SELECT 1 FROM payment_operation WHERE invoice_id = $1', [id])).toEqual([]);
  });

  it('is refused on drafts and paid documents', async () => {
    const draft = (await tenant.draft(customerId)).id;
    expect(reasonOf(await tenant.send('POST', `/invoices/${draft}/payments`, payment()))).toBe(
      '422 invoice_not_unpaid',
    );
    expect(reasonOf(await tenant.send('POST', `/invoices/${newUuid()}/payments`, payment()))).toBe('404 not_found');
  });

  it("payments' own refusal is passed on and ends the operation", async () => {
    const id = await invoice();
    world.payments.mode = 'refuses';
    expect(reasonOf(await tenant.send('POST', `/invoices/${id}/payments`, payment()))).toBe('422 unknown_reference');
    world.payments.mode = 'answers';
    expect((await tenant.send('POST', `/invoices/${id}/payments`, payment())).status).toBe(201);
  });

  it('payments not reachable: 503, nothing recorded, and it can be sent again', async () => {
    const id = await invoice();
    const { directory } = world.test.service.kit;
    directory.set('payments', 'http://127.0.0.1:9');
    expect(reasonOf(await tenant.send('POST', `/invoices/${id}/payments`, payment()))).toBe('503 payments_unavailable');
    directory.set('payments', world.payments.url);
    expect((await tenant.send('POST', `/invoices/${id}/payments`, payment())).status).toBe(201);
  });

  it('no answer: 503, further payments 409, until the sweeper has found out; one payment in the end', async () => {
    const id = await invoice();
    world.payments.mode = 'records-without-answering';
    const before = world.payments.recorded.size;
    expect(reasonOf(await tenant.send('POST', `/invoices/${id}/payments`, payment({ amount: 50 })))).toBe(
      '503 payment_outcome_unknown',
    );
    expect(reasonOf(await tenant.send('POST', `/invoices/${id}/payments`, payment()))).toBe('409 payment_in_progress');
    // It would give up what has perhaps been paid.
    expect(reasonOf(await tenant.send('PUT', `/invoices/${id}/close`, {}))).toBe('409 payment_in_progress');
    world.payments.mode = 'answers';
    const resolved = await eventually(async () => {
      const now = await tenant.ok('GET', `/invoices/${id}`);
      return now.unpaidAmount.amount === 6900 && now;
    }, 'the sweeper');
    expect(resolved.status).toBe('STATUS_UNPAID');
    expect(world.payments.recorded.size).toBe(before + 1);
    expect((await tenant.send('POST', `/invoices/${id}/payments`, payment())).status).toBe(201);
  });

  it('a repeat of a payment of unknown outcome under its key is the same payment, once the outcome is known', async () => {
    const id = await invoice();
    world.payments.mode = 'records-without-answering';
    const before = world.payments.recorded.size;
    const send = () =>
      tenant.send('POST', `/invoices/${id}/payments`, payment({ amount: 50 }), { 'idempotency-key': `unknown-${id}` });
    expect(reasonOf(await send())).toBe('503 payment_outcome_unknown');
    expect(reasonOf(await send())).toBe('409 payment_in_progress');
    world.payments.mode = 'answers';
    const answer = await eventually(async () => {
      const again = await send();
      return again.status === 201 && again;
    }, 'the outcome');
    expect(answer.headers.get('idempotent-replayed')).toBe('true');
    expect(answer.body).toMatchObject({ unpaidAmount: eur(6900) });
    expect(world.payments.recorded.size).toBe(before + 1);
  });

  it('so is one whose event comes before its outcome is looked up: its invoice is paid by then', async () => {
    const id = await invoice();
    world.payments.mode = 'records-without-answering';
    const send = () =>
      tenant.send('POST', `/invoices/${id}/payments`, payment(), { 'idempotency-key': `unknown-${id}` });
    expect(reasonOf(await send())).toBe('503 payment_outcome_unknown');
    await world.payments.report(id, { openAmount: eur(0), status: 'succeeded' }, 2);
    expect(await tenant.ok('GET', `/invoices/${id}`)).toMatchObject({ status: 'STATUS_PAID' });
    expect(reasonOf(await send())).toBe('409 payment_in_progress');
    world.payments.mode = 'answers';
    const answer = await eventually(async () => {
      const again = await send();
      return again.status === 201 && again;
    }, 'the outcome');
    expect(answer.headers.get('idempotent-replayed')).toBe('true');
    expect(answer.body).toMatchObject({ status: 'STATUS_PAID', unpaidAmount: eur(0) });
  });

  it('an Idempotency-Key gives one payment and one answer', async () => {
    const id = await invoice();
    const before = world.payments.recorded.size;
    const send = () =>
      tenant.send('POST', `/invoices/${id}/payments`, payment({ amount: 1 }), { 'idempotency-key': `key-${id}` });
    const first = await send();
    const again = await send();
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(world.payments.recorded.size).toBe(before + 1);
  });
});
