import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { eventually } from '@kontor/testing';
import { eur, reasonOf, type Tenant, World } from './support/world.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read answers freely
type Json = any;

describe('credits in the currency that their customer has by now', () => {
  let world: World;
  let tenant: Tenant;
  const method = newUuid();

  beforeAll(async () => {
    world = await World.start();
    tenant = await world.tenant();
  });
  afterAll(async () => {
    await world.expectInvariants();
    await world.stop();
  });

  const of = async (customer: string, type: string): Promise<Json> =>
    eventually(async () => {
      const [found] = (await tenant.ok('GET', `/invoices?customer=${customer}&type=${type}`)).data;
      return found && found.status !== 'STATUS_FINALIZING' && found;
    }, type);
  const creditOf = (originalChargeId: string) => ({
    kind: 'credit' as const,
    quantity: '-1',
    netAmount: eur(-6000),
    unitPrice: eur(6000),
    originalChargeId,
  });
  /** 71.40 of an invoice over 119.00 EUR are credited. */
  async function credited(currencyCode: string, rate: string): Promise<{ invoice: Json; note: Json }> {
    await tenant.ok('PUT', '/exchange-rates', { rates: [{ date: '2020-01-02', currencyCode, rate }] });
    const { id } = await tenant.customer();
    const batch = tenant.batch(id, [{ netAmount: eur(10000), unitPrice: eur(10000), quantity: '1' }]);
    await tenant.charge([batch]);
    const invoice = await of(id, 'TYPE_INVOICE');
    await tenant.customer({ id, currencyCode });
    await tenant.charge([tenant.batch(id, [creditOf(batch.lines[0]!.chargeId)], { currencyCode })]);
    return { invoice, note: await of(id, 'TYPE_CREDIT') };
  }

  it.each([
    ['JPY', '160', 11424],
    ['KWD', '0.332', 23705],
    ['USD', '1.08', 7711],
  ])('count against refunds, converted: %s', async (currencyCode, rate, gross) => {
    const { invoice, note } = await credited(currencyCode, rate);
    expect(note).toMatchObject({
      grossAmount: { amount: -gross, currencyCode },
      referencedInvoice: { id: invoice.id },
    });
    const path = `/invoices/${invoice.id}`;
    await tenant.ok('POST', `${path}/payments`, { paymentMethod: method, description: 'Überweisung' });
    expect((await tenant.send('POST', `${path}/refund`, { amount: eur(4761) })).status).toBe(422);
    const refund = await tenant.ok('POST', `${path}/refund`, {});
    expect(refund.grossAmount).toEqual(eur(-4760));
    await world.payments.report(refund.id, { openAmount: eur(0), status: 'succeeded', paidAt: '2026-03-02T08:00:00Z' });
    expect((await tenant.ok('GET', path)).status).toBe('STATUS_REFUNDED');
  });

  it('are cancelled before the invoice is, of which they would be left', async () => {
    const { invoice, note } = await credited('JPY', '160');
    const cancel = (id: string) => tenant.send('POST', `/invoices/${id}/cancel`, { reason: 'incorrect', comment: 'x' });
    expect(reasonOf(await cancel(invoice.id))).toBe('422 charge_credited');
    expect((await cancel(note.id)).status).toBe(201);
    expect(await cancel(invoice.id)).toMatchObject({ status: 201, body: { grossAmount: eur(-11900) } });
  });

  it('give nothing of what was refunded already', async () => {
    await tenant.ok('PUT', '/exchange-rates', { rates: [{ date: '2020-01-02', currencyCode: 'USD', rate: '1.08' }] });
    const { id } = await tenant.customer();
    const batch = tenant.batch(id, [{ netAmount: eur(10000), unitPrice: eur(10000), quantity: '1' }]);
    await tenant.charge([batch]);
    const { id: invoiceId } = await of(id, 'TYPE_INVOICE');
    const path = `/invoices/${invoiceId}`;
    await tenant.ok('POST', `${path}/payments`, { paymentMethod: method, description: 'Überweisung' });
    await tenant.ok('POST', `${path}/refund`, {});
    await tenant.customer({ id, currencyCode: 'USD' });
    await tenant.charge([tenant.batch(id, [creditOf(batch.lines[0]!.chargeId)], { currencyCode: 'USD' })]);
    expect((await tenant.ok('GET', `/invoices?customer=${id}&type=TYPE_CREDIT`)).data).toEqual([]);
    const { data } = await tenant.ok('GET', `${path}/timeline`);
    expect(data.flatMap(({ metadata }: Json) => metadata?.limitedCredits ?? [])).toMatchObject([
      { wantedAmount: { amount: 6480, currencyCode: 'USD' }, creditedAmount: { amount: 0, currencyCode: 'USD' } },
    ]);
  });
});
