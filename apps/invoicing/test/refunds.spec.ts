import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { eur, reasonOf, type Tenant, World } from './support/world.js';

describe('refunds of an invoice', () => {
  let world: World;
  let tenant: Tenant;
  let customerId: string;
  const method = newUuid();

  beforeAll(async () => {
    world = await World.start();
    tenant = await world.tenant();
    customerId = (await tenant.customer()).id;
  });
  afterAll(async () => {
    await world.expectInvariants();
    await world.stop();
  });

  const paid = async (): Promise<string> => {
    const { id } = await tenant.draft(customerId);
    await tenant.ok('POST', `/invoices/${id}/finalize`);
    await tenant.ok('POST', `/invoices/${id}/payments`, { paymentMethod: method, description: 'Überweisung' });
    return id;
  };
  const gone = (id: string): Promise<void> =>
    world.payments.report(id, { openAmount: eur(0), status: 'succeeded', paidAt: new Date().toISOString() });

  it('is a document with number, file, tax and a negative intent; the invoice is refunded when it is paid out', async () => {
    const id = await paid();
    const refund = await tenant.ok('POST', `/invoices/${id}/refund`, { reason: 'Doppelt bezahlt' });
    expect(refund).toMatchObject({
      type: 'TYPE_REFUND',
      status: 'STATUS_UNPAID',
      referencedInvoice: { id },
      netAmount: eur(-10000),
      taxAmount: eur(-1900),
      grossAmount: eur(-11900),
      unpaidAmount: eur(-11900),
      paymentIntent: { status: 'open', amount: eur(-11900) },
    });
    expect(refund.number).toMatch(/^ER-/);
    expect(refund.file.fileName).toContain('ER-');
    expect(refund.positions).toMatchObject([
      { type: 'invoice', description: 'Doppelt bezahlt', grossAmount: eur(-11900) },
    ]);
    expect((await tenant.ok('GET', `/invoices/${id}`)).status).toBe('STATUS_PAID');
    await gone(refund.id);
    expect((await tenant.ok('GET', `/invoices/${refund.id}`)).status).toBe('STATUS_PAID');
    expect((await tenant.ok('GET', `/invoices/${id}`)).status).toBe('STATUS_REFUNDED');
    expect((await tenant.notices(id)).map((n) => n.type).at(-1)).toBe('invoice.refunded');
    await world.payments.report(refund.id, { openAmount: eur(-11900), status: 'failed', paidAt: null });
    expect((await tenant.ok('GET', `/invoices/${id}`)).status).toBe('STATUS_PAID');
  });

  it('a refunded invoice whose payment goes back, too, is open again, and is paid like any other', async () => {
    const id = await paid();
    await gone((await tenant.ok('POST', `/invoices/${id}/refund`, {})).id);
    expect((await tenant.ok('GET', `/invoices/${id}`)).status).toBe('STATUS_REFUNDED');
    await world.payments.report(id, { openAmount: eur(11900), status: 'open', paidAt: null });
    expect(await tenant.ok('GET', `/invoices/${id}`)).toMatchObject({
      status: 'STATUS_UNPAID',
      unpaidAmount: eur(11900),
      payDate: null,
    });
    expect((await tenant.notices(id)).map((n) => n.type).at(-1)).toBe('invoice.unpaid');
    const payment = await tenant.ok('POST', `/invoices/${id}/payments`, { paymentMethod: method, description: 'Doch' });
    expect(payment).toMatchObject({ status: 'STATUS_PAID', unpaidAmount: eur(0) });
    const again = await tenant.send('POST', `/invoices/${id}/refund`, {});
    expect(again).toMatchObject({ status: 422, body: { violations: [{ code: 'amount_too_large' }] } });
  });

  it('parts together never exceed what was paid, also when they are asked for at once', async () => {
    const id = await paid();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => tenant.send('POST', `/invoices/${id}/refund`, { amount: 50 })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 201, 422, 422, 422]);
    const last = await tenant.ok('POST', `/invoices/${id}/refund`, { amount: { amount: 1900, currencyCode: 'EUR' } });
    expect(last).toMatchObject({ grossAmount: eur(-1900), netAmount: eur(-1597), taxAmount: eur(-303) });
    for (const answer of [...answers.filter((a) => a.status === 201).map((a) => a.body), last]) await gone(answer.id);
    expect((await tenant.ok('GET', `/invoices/${id}`)).status).toBe('STATUS_REFUNDED');
  });

  it('refuses what cannot be refunded', async () => {
    const { id } = await tenant.draft(customerId);
    const refund = (invoiceId: string, body: object) => tenant.send('POST', `/invoices/${invoiceId}/refund`, body);
    expect(await refund(id, {})).toMatchObject({ status: 422, body: { reason: 'invalid_status_transition' } });
    await tenant.ok('POST', `/invoices/${id}/finalize`);
    expect(await refund(id, {})).toMatchObject({
      status: 422,
      body: { violations: [{ propertyPath: 'amount', code: 'amount_too_large' }] },
    });
    await tenant.ok('POST', `/invoices/${id}/payments`, { paymentMethod: method, description: 'Teil', amount: 10 });
    for (const amount of [0, -1, 10.001, 10.01, { amount: 1001, currencyCode: 'EUR' }])
      expect(await refund(id, { amount })).toMatchObject({ status: 422, body: { reason: 'validation_failed' } });
    expect(reasonOf(await refund(id, { amount: { amount: 100, currencyCode: 'USD' } }))).toBe('422 currency_mismatch');
    expect(await refund(id, { amount: 'x' })).toMatchObject({ status: 400, body: { reason: 'invalid_request' } });
    expect(await refund(id, { amount: 5, paymentMethod: newUuid() })).toMatchObject({
      status: 422,
      body: { reason: 'unknown_reference' },
    });
    expect((await refund(newUuid(), {})).status).toBe(404);
    expect((await refund(id, { amount: 5 })).status).toBe(201);
  });
});
