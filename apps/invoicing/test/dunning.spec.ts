import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { RunDunning } from '../src/dunning/run-dunning.js';
import { eur, reasonOf, type Tenant, World } from './support/world.js';

const DAY_MS = 86_400_000;

describe('dunning', () => {
  let world: World;
  let tenant: Tenant;
  let customerId: string;
  /** The last instant at which the invoices can be paid in time. */
  let dueAt: number;
  const method = newUuid();

  beforeAll(async () => {
    world = await World.start();
  });
  beforeEach(async () => {
    tenant = await world.tenant();
    customerId = (await tenant.customer()).id;
  });
  afterAll(async () => {
    await world.expectInvariants();
    await world.stop();
  });

  const rule = (level: number, change: object = {}) =>
    tenant.ok('POST', '/dunning/overdue-rules', { level, daysOverdue: 5, ...change });
  const unpaid = async (customer = customerId): Promise<string> => {
    const { id } = await tenant.draft(customer);
    const { dueDate } = await tenant.ok('POST', `/invoices/${id}/finalize`);
    dueAt = Date.parse(dueDate);
    return id;
  };
  const overdue = (days: number): Date => new Date(dueAt + days * DAY_MS);
  const run = (now: Date): Promise<number> =>
    (world.test.service.get(RunDunning) as RunDunning).execute(tenant.id, { now });
  const documents = async (invoiceId: string) =>
    (await tenant.ok('GET', `/dunning/documents?invoice=${invoiceId}&order[level]=asc`)).data;
  const closed = async (id: string): Promise<number> =>
    (
      await world.test.peek(`SELECT 1 FROM outbox WHERE type = 'invoicing.invoice.closed.v1' AND aggregate_id = $1`, [
        id,
      ])
    ).length;
  const notices = async (id: string): Promise<string[]> => {
    const rows = await world.test.peek<{ payload: string }>(
      `SELECT payload FROM outbox WHERE type = 'invoicing.invoice.changed.v1' AND aggregate_id = $1 ORDER BY aggregate_seq`,
      [id],
    );
    return rows.flatMap((row) =>
      (JSON.parse(row.payload) as { notices: { type: string }[] }).notices.map(({ type }) => type),
    );
  };

  it('comes level by level: the first counts from the due date, the next from the document before', async () => {
    await rule(1);
    await rule(2, { daysOverdue: 7, feeAmount: eur(500), attachOriginalInvoice: true });
    const id = await unpaid();
    expect(await run(overdue(4))).toBe(0);
    expect(await run(overdue(5))).toBe(1);
    expect(await run(overdue(5))).toBe(0);
    expect(await tenant.ok('GET', `/invoices/${id}`)).toMatchObject({
      status: 'STATUS_UNPAID',
      dunningLevel: 1,
      dunningStatus: 'reminder',
      lastReminderDate: expect.any(String),
    });
    expect(await run(overdue(11))).toBe(0);
    expect(await run(overdue(12))).toBe(1);
    expect(await run(overdue(300))).toBe(0);
    const [reminder, letter] = await documents(id);
    expect(reminder).toMatchObject({ level: 1, type: 'reminder', dunningFee: eur(0), claimAmount: eur(11900) });
    expect(letter).toMatchObject({
      level: 2,
      type: 'dunning',
      status: 'open',
      title: 'Mahnung',
      invoice: { id },
      dunningFee: eur(500),
      claimAmount: eur(12400),
      media: { mimeType: 'application/pdf' },
    });
    expect(letter.introduction).toContain('124,00 €');
    expect(await tenant.ok('GET', `/invoices/${letter.id}`)).toMatchObject({
      type: 'TYPE_DUNNING',
      grossAmount: eur(500),
      taxAmount: eur(0),
      referencedInvoice: { id },
      positions: [{ type: 'dunning_fee', grossAmount: eur(500) }],
    });
    expect((await tenant.ok('GET', '/invoices?dunningStatus=dunning&type=TYPE_INVOICE')).data).toMatchObject([{ id }]);
    expect(await notices(letter.id)).toEqual(['dunning_document.created']);
    expect((await notices(id)).filter((type) => type === 'invoice.dunning.applied')).toHaveLength(2);
  });

  it('claims what is open with all fees that are open', async () => {
    await rule(1, { type: 'dunning', feeAmount: eur(250) });
    await rule(2, { feeAmount: eur(500) });
    const id = await unpaid();
    await run(overdue(5));
    await tenant.ok('POST', `/invoices/${id}/payments`, { paymentMethod: method, description: 'Teil', amount: 30 });
    await run(overdue(10));
    const [, second] = await documents(id);
    expect(second).toMatchObject({
      title: '2. Mahnung',
      openAmount: eur(8900),
      dunningFee: eur(500),
      claimAmount: eur(9650),
    });
  });

  it('ends when the invoice and the fees are paid', async () => {
    await rule(1);
    await rule(2, { feeAmount: eur(500) });
    const id = await unpaid();
    await run(overdue(5));
    await run(overdue(10));
    const [reminder, letter] = await documents(id);
    await tenant.ok('POST', `/invoices/${id}/payments`, { paymentMethod: method, description: 'Alles' });
    expect(await tenant.ok('GET', `/invoices/${id}`)).toMatchObject({ dunningLevel: 0, dunningStatus: 'none' });
    expect(await documents(id)).toMatchObject([{ status: 'paid' }, { status: 'open' }]);
    await world.payments.report(letter.id, {
      openAmount: eur(0),
      status: 'succeeded',
      paidAt: new Date().toISOString(),
    });
    expect(await documents(id)).toMatchObject([{ status: 'paid' }, { status: 'paid' }]);
    expect((await notices(letter.id)).at(-1)).toBe('dunning_document.paid');
    expect((await notices(reminder.id)).at(-1)).toBe('dunning_document.paid');
    expect(await run(overdue(100))).toBe(0);
  });

  it('rests while money is under way or has come; when that goes back, all is claimed and levels begin anew', async () => {
    await rule(1, { type: 'dunning', feeAmount: eur(500) });
    await rule(2, { type: 'dunning' });
    const id = await unpaid();
    await run(overdue(5));
    await run(overdue(10));
    const [first] = await documents(id);
    await world.payments.report(id, { status: 'processing' });
    expect(await run(overdue(20))).toBe(0);
    const paid = { openAmount: eur(0), status: 'succeeded', paidAt: overdue(20).toISOString() } as const;
    await world.payments.report(id, paid);
    await world.payments.report(first.id, paid);
    expect(await documents(id)).toMatchObject([{ status: 'paid' }, { status: 'paid' }]);
    expect(await run(overdue(100))).toBe(0);
    await world.payments.report(id, { openAmount: eur(11900), status: 'open', paidAt: null });
    await world.payments.report(first.id, { openAmount: eur(500), status: 'open', paidAt: null });
    expect(await tenant.ok('GET', `/invoices/${id}`)).toMatchObject({
      status: 'STATUS_UNPAID',
      unpaidAmount: eur(11900),
      dunningLevel: 0,
      dunningStatus: 'none',
    });
    expect((await notices(id)).at(-1)).toBe('invoice.unpaid');
    // Counted from the last letter, not from the due date.
    expect(await run(overdue(12))).toBe(0);
    expect(await run(overdue(16))).toBe(1);
    expect((await documents(id)).filter(({ status }: { status: string }) => status === 'open')).toMatchObject([
      { level: 1, openAmount: eur(11900), dunningFee: eur(500), claimAmount: eur(12900) },
    ]);
  });

  it('goes on while a payment waits for its payer, and rests once a gateway collects', async () => {
    await rule(1);
    await rule(2, { type: 'dunning' });
    const id = await unpaid();
    await world.payments.report(id, { status: 'processing', waitsForPayer: true });
    expect(await run(overdue(5))).toBe(1);
    await world.payments.report(id, { status: 'processing', waitsForPayer: false });
    expect(await run(overdue(50))).toBe(0);
    await world.payments.report(id, { status: 'processing', waitsForPayer: true });
    expect(await run(overdue(50))).toBe(1);
  });

  it('claims less after a credit, and nothing once credit has settled the invoice', async () => {
    await rule(1);
    await rule(2);
    const id = await unpaid();
    const credit = (amount?: number) =>
      tenant.ok('POST', `/invoices/${id}/credit`, { positions: amount && [{ id: position, amount }] });
    const position = (await tenant.ok('GET', `/invoices/${id}`)).positions[0].id;
    await credit(40);
    await world.payments.report(id, { openAmount: eur(7140) });
    await run(overdue(5));
    await credit();
    await world.payments.report(id, { openAmount: eur(0), status: 'succeeded', paidAt: overdue(6).toISOString() });
    expect(await documents(id)).toMatchObject([{ status: 'paid', openAmount: eur(7140), claimAmount: eur(7140) }]);
    expect(await tenant.ok('GET', `/invoices/${id}`)).toMatchObject({ dunningLevel: 0, dunningStatus: 'none' });
    expect(await run(overdue(100))).toBe(0);
  });

  it('two runs at once issue one document', async () => {
    await rule(1);
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push(await unpaid());
    const issued = await Promise.all([run(overdue(6)), run(overdue(6)), run(overdue(6))]);
    expect(issued.reduce((sum, n) => sum + n, 0)).toBe(3);
    for (const id of ids) expect(await documents(id)).toHaveLength(1);
  });

  it('runs over several pages at once issue one document for each invoice', async () => {
    const count = 510;
    await rule(1);
    const customers = [];
    for (let i = 0; i < count; i++) customers.push(await tenant.customer());
    await tenant.charge(customers.map(({ id }) => tenant.batch(id)));
    let latest: { n: number; at: Date } | undefined;
    while (latest?.n !== count)
      [latest] = await world.test.peek<{ n: number; at: Date }>(
        `SELECT count(*)::int AS n, max(due_at) AS at FROM invoice WHERE tenant_id = $1 AND status = 'STATUS_UNPAID'`,
        [tenant.id],
      );
    dueAt = latest.at.getTime();
    const issued = await Promise.all([run(overdue(6)), run(overdue(6))]);
    expect(issued[0]! + issued[1]!).toBe(count);
    const [documented] = await world.test.peek(
      `SELECT count(*)::int AS documents, count(DISTINCT d.invoice_id)::int AS invoices,
         count(DISTINCT i.number)::int AS numbers, max(right(i.number, 5)) AS last
       FROM dunning_document d JOIN invoice i USING (tenant_id, id) WHERE d.tenant_id = $1`,
      [tenant.id],
    );
    expect(documented).toEqual({ documents: count, invoices: count, numbers: count, last: '00510' });
    expect(await run(overdue(6))).toBe(0);
  });

  it('leaves out a claim that is beyond the range of amounts, and reminds of all others', async () => {
    await rule(1, { type: 'dunning', feeAmount: eur(2_000_000_000_000_000) });
    const unitPrice = eur(7_000_000_000_000_000);
    const large = await tenant.draft(customerId, { name: 'Large', unitPrice });
    await tenant.ok('POST', `/invoices/${large.id}/finalize`);
    const other = await unpaid();
    expect(await run(overdue(6))).toBe(1);
    expect(await documents(large.id)).toEqual([]);
    expect(await documents(other)).toMatchObject([{ claimAmount: eur(2_000_000_000_011_900) }]);
  });

  it('pauses for an invoice and for a customer', async () => {
    await rule(1);
    const id = await unpaid();
    expect(await tenant.ok('PUT', `/invoices/${id}/dunning`, { dunningDisabled: true })).toMatchObject({
      dunningDisabled: true,
    });
    const quiet = await tenant.customer({ settings: { dunningEnabled: false } });
    const other = await unpaid(quiet.id);
    expect(await run(overdue(20))).toBe(0);
    await tenant.ok('PUT', `/invoices/${id}/dunning`, { dunningDisabled: false });
    await tenant.customer({ ...quiet, settings: {} });
    expect(await run(overdue(20))).toBe(2);
    expect(await documents(other)).toHaveLength(1);
    expect(await notices(id)).toEqual(expect.arrayContaining(['invoice.dunning.disabled', 'invoice.dunning.enabled']));
  });

  it('is of no customer that was anonymized, though a payment goes back after that', async () => {
    await rule(1);
    const forgotten = await tenant.customer({ anonymizedAt: '2026-01-01T00:00:00.000Z' });
    const id = await unpaid(forgotten.id);
    expect(await run(overdue(20))).toBe(0);
    expect(await documents(id)).toEqual([]);
  });

  it('takes a document back with its fee, once', async () => {
    await rule(1);
    await rule(2, { feeAmount: eur(500) });
    const id = await unpaid();
    await run(overdue(5));
    await run(overdue(10));
    const [, letter] = await documents(id);
    const cancel = () => tenant.send('PUT', `/dunning/documents/${letter.id}/cancel`);
    const answer = await cancel();
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: 'cancelled' });
    expect(reasonOf(await cancel())).toBe('422 invalid_status_transition');
    expect(await tenant.ok('GET', `/invoices/${id}`)).toMatchObject({ dunningLevel: 1, dunningStatus: 'reminder' });
    expect(await tenant.ok('GET', `/invoices/${letter.id}`)).toMatchObject({
      status: 'STATUS_CANCELLED',
      unpaidAmount: eur(0),
    });
    expect((await notices(letter.id)).at(-1)).toBe('dunning_document.canceled');
    await tenant.ok('POST', `/invoices/${id}/cancel`, {});
    expect(await documents(id)).toMatchObject([{ status: 'cancelled' }, { status: 'cancelled' }]);
  });

  it('counts levels of before the invoice was paid no more when a document is taken back', async () => {
    await rule(1);
    await rule(2);
    await rule(3, { feeAmount: eur(500) });
    const id = await unpaid();
    for (const days of [5, 10, 15]) await run(overdue(days));
    // Without the fee, so that its letter stays open.
    await world.payments.report(id, { openAmount: eur(0), status: 'succeeded', paidAt: new Date().toISOString() });
    await world.payments.report(id, { openAmount: eur(11900), status: 'open', paidAt: null });
    await run(overdue(20));
    await run(overdue(25));
    const level = async (): Promise<number> => (await tenant.ok('GET', `/invoices/${id}`)).dunningLevel;
    expect(await level()).toBe(2);
    const { data } = await tenant.ok('GET', `/dunning/documents?invoice=${id}&order[documentDate]=desc`);
    const [second, first] = data;
    await tenant.ok('PUT', `/dunning/documents/${first.id}/cancel`);
    expect(await level()).toBe(2);
    await tenant.ok('PUT', `/dunning/documents/${second.id}/cancel`);
    expect(await level()).toBe(0);
  });

  it('takes a document back whose fee was paid, when that payment has gone back: by hand, or with its invoice', async () => {
    await rule(1, { type: 'dunning', feeAmount: eur(500) });
    for (const way of ['by hand', 'with its invoice'] as const) {
      const id = await unpaid();
      await run(overdue(5));
      const [letter] = await documents(id);
      const paid = { openAmount: eur(0), status: 'succeeded', paidAt: new Date().toISOString() } as const;
      await world.payments.report(id, paid);
      await world.payments.report(letter.id, paid);
      const cancel = () => tenant.send('PUT', `/dunning/documents/${letter.id}/cancel`);
      expect(reasonOf(await cancel())).toBe('422 invalid_status_transition');
      await world.payments.report(id, { openAmount: eur(11900), status: 'open', paidAt: null });
      await world.payments.report(letter.id, { openAmount: eur(500), status: 'open', paidAt: null });
      if (way === 'by hand') expect((await cancel()).status).toBe(200);
      else await tenant.ok('PUT', `/invoices/${id}/close`, {});
      expect(await documents(id)).toMatchObject([{ status: 'cancelled' }]);
      expect(await tenant.ok('GET', `/invoices/${letter.id}`)).toMatchObject({
        status: 'STATUS_CANCELLED',
        unpaidAmount: eur(0),
      });
      expect(await closed(letter.id)).toBe(1);
    }
  });

  it('reports the end of a document whose fee is paid: it is not owed when that goes back', async () => {
    await rule(1, { type: 'dunning', feeAmount: eur(500) });
    const id = await unpaid();
    await run(overdue(5));
    const [letter] = await documents(id);
    await world.payments.report(letter.id, {
      openAmount: eur(0),
      status: 'succeeded',
      paidAt: new Date().toISOString(),
    });
    expect(await documents(id)).toMatchObject([{ status: 'open' }]);
    await tenant.ok('POST', `/invoices/${id}/cancel`, {});
    expect(await documents(id)).toMatchObject([{ status: 'cancelled' }]);
    expect(await closed(letter.id)).toBe(1);
  });

  it('claims statutory interest and the lump sum from businesses', async () => {
    await tenant.settings({ dunningInterest: { enabled: true }, dunningLumpSum: true });
    const business = await tenant.customer({ companyName: 'Backhaus Elbe GmbH' });
    await rule(1, { type: 'dunning', daysOverdue: 73 });
    const id = await unpaid(business.id);
    await run(overdue(73));
    const [letter] = await documents(id);
    expect(letter).toMatchObject({ lumpSumAmount: eur(4000), dunningFee: eur(0) });
    // 119.00 at 1.27 + 9 points, for 73 days as the run's zone and the customer's count them.
    expect(letter.interestAmount.amount).toBeGreaterThanOrEqual(241);
    expect(letter.interestAmount.amount).toBeLessThanOrEqual(248);
    expect(letter.claimAmount.amount).toBe(11900 + 4000 + letter.interestAmount.amount);
  });

  it('claims no interest for the days on which it was paid, before its payment went back', async () => {
    await tenant.settings({ dunningInterest: { enabled: true } });
    const business = await tenant.customer({ companyName: 'Backhaus Elbe GmbH' });
    await rule(1, { type: 'dunning' });
    const id = await unpaid(business.id);
    const paid = { openAmount: eur(0), status: 'succeeded', paidAt: overdue(2).toISOString() } as const;
    await world.payments.report(id, paid, undefined, overdue(2));
    await world.payments.report(id, { openAmount: eur(11900), status: 'open', paidAt: null }, undefined, overdue(60));
    await run(overdue(70));
    const [letter] = await documents(id);
    const { positions } = await tenant.ok('GET', `/invoices/${letter.id}`);
    expect(positions).toHaveLength(2);
    // 119.00 for two days, and for ten.
    expect(letter.interestAmount.amount).toBeGreaterThanOrEqual(36);
    expect(letter.interestAmount.amount).toBeLessThanOrEqual(46);
  });

  it('refuses equal levels and unknown values', async () => {
    const first = await rule(1);
    const second = await rule(2);
    const post = (body: object) => tenant.send('POST', '/dunning/overdue-rules', body);
    expect(reasonOf(await post({ level: 1, daysOverdue: 3 }))).toBe('422 already_exists');
    const raised = await tenant.send('PUT', `/dunning/overdue-rules/${second.id}`, { level: 1, daysOverdue: 3 });
    expect(reasonOf(raised)).toBe('422 already_exists');
    expect(reasonOf(await post({ level: 0, daysOverdue: 3 }))).toBe('422 validation_failed');
    expect(reasonOf(await post({ level: 3 }))).toBe('400 invalid_request');
    expect(reasonOf(await post({ level: 3, daysOverdue: 3, feeAmount: eur(-1) }))).toBe('422 validation_failed');
    expect((await tenant.send('DELETE', `/dunning/overdue-rules/${first.id}`)).status).toBe(204);
    expect((await tenant.ok('GET', '/dunning/overdue-rules')).data).toMatchObject([{ level: 2 }]);
    const atOnce = await Promise.all([post({ level: 9, daysOverdue: 3 }), post({ level: 9, daysOverdue: 3 })]);
    expect(atOnce.map(({ status }) => status).sort()).toEqual([201, 422]);
  });
});
