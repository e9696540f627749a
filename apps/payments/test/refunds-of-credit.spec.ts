import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kontor/testing';
import { OpenIntents } from '../src/intents/open-intents.js';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
  await tenant.settings({
    applyCreditAutomatically: true,
    creditOverpayments: true,
    seller: { company: 'X', bankAccount: { iban: 'DE02120300000000202051' } },
  });
});
afterAll(() => world.stop());

const ACCOUNT = { iban: 'DE02120300000000202051', accountHolder: 'Ada' };
const transactionsOf = async (customerId: string, type: string): Promise<Json[]> =>
  (await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=${type}`)).data;

async function refund(customerId: string, invoiceId: string, gross: number, method: string | null): Promise<string> {
  const now = new Date();
  const event = tenant.event({ customerId, gross: -gross, type: 'TYPE_REFUND', method }, now);
  Object.assign(event.payload, { referencedInvoiceId: invoiceId });
  await world.database.tenant(tenant.id, (tx) => world.service.get(OpenIntents).execute(tx, [event] as never), { now });
  return event.payload.invoiceId;
}

/** 50.00 of an invoice are paid by credit, of which money is the origin, and are to go to a bank account. */
async function refundedCredit(origin: string, gross: number, mandate: boolean) {
  const customerId = await tenant.customer();
  const bank = await tenant.method(customerId, 'bank_transfer', { isDefault: false });
  if (mandate) await tenant.method(customerId, 'sepa_debit', { isDefault: false, sepaMandate: ACCOUNT });
  if (origin === 'top-up') {
    const { id } = await tenant.method(customerId, 'testing', { isDefault: false });
    const topUp = { customerId, amount: 50, currencyCode: 'EUR', paymentMethodId: id };
    await tenant.ok('POST', '/api/wallet/top-up', topUp);
  } else {
    const [paid] = await tenant.finalize({ customerId, gross: 1000, method: bank.id });
    await tenant.record(paid!, bank.id, { amount: { amount: 6000, currencyCode: 'EUR' } });
  }
  await eventually(async () => (await tenant.balance(customerId)) === 5000, 'credit is there');
  const [invoiceId] = await tenant.finalize({ customerId, gross: 5000 });
  expect(await tenant.intent(invoiceId!)).toMatchObject({ status: 'succeeded' });
  const refundId = await refund(customerId, invoiceId!, gross, bank.id);
  const [payment] = await transactionsOf(customerId, 'payment');
  const goBack = () => tenant.ok('POST', `/payment/transactions/${payment.id}/return`, { reason: 'chargeback' });
  return { customerId, invoiceId: invoiceId!, refundId, goBack };
}

describe('a refund of what credit paid, whose money goes back', () => {
  it.each([
    ['top-up', 5000, 0],
    ['top-up', 2000, 3000],
    ['overpayment', 5000, 0],
    ['overpayment', 2000, 3000],
  ])('by %s, over %d, is not transferred: %d are open', async (origin, gross, open) => {
    const { customerId, invoiceId, refundId, goBack } = await refundedCredit(origin, gross, true);
    expect(await transactionsOf(customerId, 'refund')).toMatchObject([{ status: 'pending' }]);
    await goBack();
    expect(await transactionsOf(customerId, 'refund')).toMatchObject([
      { status: 'failed', failReason: 'payment_returned' },
    ]);
    expect((await tenant.intent(invoiceId)).openAmount.amount).toBe(open);
    expect(await tenant.intent(refundId)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await tenant.balance(customerId)).toBe(0);
    expect(await tenant.broken()).toEqual([]);
  });

  it.each([
    ['top-up', 5000, 0],
    ['overpayment', 2000, 3000],
  ])('by %s, over %d, owes nothing that was not paid out yet: %d are open', async (origin, gross, open) => {
    const { invoiceId, refundId, goBack } = await refundedCredit(origin, gross, false);
    expect(await tenant.intent(refundId)).toMatchObject({ status: 'open', openAmount: { amount: -gross } });
    await goBack();
    expect((await tenant.intent(invoiceId)).openAmount.amount).toBe(open);
    expect(await tenant.intent(refundId)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await tenant.broken()).toEqual([]);
  });

  it('owes nothing either when its transfer was in a file and comes back', async () => {
    const { customerId, invoiceId, refundId, goBack } = await refundedCredit('top-up', 2000, true);
    await tenant.ok('POST', '/sepa-xml-payments/export', {});
    await goBack();
    expect((await tenant.intent(invoiceId)).openAmount.amount).toBe(5000);
    const [sent] = await transactionsOf(customerId, 'refund');
    const outcome = { status: 'declined', reason: 'account_closed' };
    await tenant.ok('POST', `/internal/payments/collections/${sent.id}/outcome`, { outcome });
    expect((await tenant.intent(invoiceId)).openAmount.amount).toBe(3000);
    expect(await tenant.intent(refundId)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('a refund of what money paid of an invoice that credit has paid, too', () => {
  /** 100.00 are a gift, 19.00 came by bank; those are refunded, and come from nowhere then. */
  const refundedMoney = async (mandate: boolean) => {
    const customerId = await tenant.customer();
    const bank = await tenant.method(customerId, 'bank_transfer');
    if (mandate) await tenant.method(customerId, 'sepa_debit', { isDefault: false, sepaMandate: ACCOUNT });
    const gift = { customerId, amount: 100, currencyCode: 'EUR', description: 'gift', promotional: true };
    await tenant.ok('POST', '/api/wallet/adjustments', gift);
    const [invoiceId] = await tenant.finalize({ customerId, gross: 11900 });
    await tenant.record(invoiceId!, bank.id);
    const refundId = await refund(customerId, invoiceId!, 1900, null);
    const [payment] = await transactionsOf(customerId, 'payment');
    await tenant.ok('POST', `/payment/transactions/${payment.id}/return`, { reason: 'recalled' });
    return { customerId, invoiceId: invoiceId!, refundId };
  };

  it.each([true, false])('sends no credit out when that money goes back (known account: %s)', async (mandate) => {
    const { customerId, invoiceId, refundId } = await refundedMoney(mandate);
    expect((await transactionsOf(customerId, 'refund')).filter(({ status }) => status !== 'failed')).toEqual([]);
    for (const document of [invoiceId, refundId])
      expect(await tenant.intent(document)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('a refund of an invoice that a credit note had lowered', () => {
  /** 59.50 of the invoice are met by the credit note of another one, and 59.50 came by bank; all of it is refunded. */
  const lowered = async () => {
    const customerId = await tenant.customer();
    const bank = await tenant.method(customerId, 'bank_transfer');
    await tenant.method(customerId, 'sepa_debit', { isDefault: false, sepaMandate: ACCOUNT });
    const [credited, invoiceId] = await tenant.finalize({ customerId, gross: 11900 }, { customerId, gross: 11900 });
    await tenant.record(credited!, bank.id);
    const noteId = await tenant.creditNote(customerId, credited!, 5950);
    await tenant.record(invoiceId!, bank.id);
    const refundId = await refund(customerId, invoiceId!, 11900, null);
    expect(await transactionsOf(customerId, 'refund')).toMatchObject([
      { status: 'pending', amount: { amount: 11900 } },
    ]);
    return { customerId, credited: credited!, noteId, invoiceId: invoiceId!, refundId };
  };

  it.each(['the note', 'its invoice'])('does not go out for more than was paid once %s is cancelled', async (what) => {
    const { customerId, credited, noteId, invoiceId, refundId } = await lowered();
    const [of, gross] = what === 'the note' ? [noteId, -5950] : [credited, 5950];
    await tenant.creditNote(customerId, of, gross, { type: 'TYPE_CANCEL', disposition: 'none' });
    const [order] = await tenant.rows('SELECT status FROM sepa_order WHERE customer_id = $1', [customerId]);
    expect((await tenant.intent(invoiceId)).openAmount.amount).toBe(0);
    const stops = what === 'the note';
    expect(order).toEqual({ status: stops ? 'cancelled' : 'waiting' });
    expect((await tenant.intent(refundId)).openAmount.amount).toBe(stops ? -5950 : -11900);
    expect(await transactionsOf(customerId, 'refund')).toMatchObject([
      stops ? { status: 'failed', failReason: 'credit_cancelled' } : { status: 'pending' },
    ]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('stops each refund once where two notes are cancelled together', async () => {
    const customerId = await tenant.customer();
    const bank = await tenant.method(customerId, 'bank_transfer');
    await tenant.method(customerId, 'sepa_debit', { isDefault: false, sepaMandate: ACCOUNT });
    const [credited, invoiceId] = await tenant.finalize({ customerId, gross: 11900 }, { customerId, gross: 11900 });
    await tenant.record(credited!, bank.id);
    const notes = [
      await tenant.creditNote(customerId, credited!, 2000),
      await tenant.creditNote(customerId, credited!, 2000),
    ];
    await tenant.record(invoiceId!, bank.id);
    const older = await refund(customerId, invoiceId!, 9900, null);
    const newer = await refund(customerId, invoiceId!, 2000, null);

    const now = new Date();
    const cancellations = notes.map((noteId) => {
      const event = tenant.event({ customerId, gross: 2000, type: 'TYPE_CANCEL' }, now);
      return { ...event, payload: { ...event.payload, referencedInvoiceId: noteId, disposition: 'none' } };
    });
    await world.database.tenant(tenant.id, (tx) => world.service.get(OpenIntents).execute(tx, cancellations as never), {
      now,
    });
    expect(await transactionsOf(customerId, 'refund')).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
    expect((await tenant.intent(invoiceId!)).openAmount.amount).toBe(0);
    expect((await tenant.intent(newer)).openAmount.amount).toBe(0);
    expect((await tenant.intent(older)).openAmount.amount).toBe(-7900);
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('a refund at the gateway that had taken more than pays the invoice', () => {
  /** 40.00 of the invoice are paid by promotional credit, 79.00 by a payment of `paid`. */
  const paidTwoWays = async (paid: number) => {
    const customerId = await tenant.customer();
    const { id: method } = await tenant.method(customerId, 'testing', { isDefault: false });
    await tenant.ok('POST', '/api/wallet/adjustments', {
      ...{ customerId, amount: 40, currencyCode: 'EUR', description: 'gift', promotional: true },
    });
    const [invoiceId] = await tenant.finalize({ customerId, gross: 11900 });
    await tenant.record(invoiceId!, method, { amount: { amount: paid, currencyCode: 'EUR' } });
    return { customerId, invoiceId: invoiceId! };
  };

  const creditOf = (customerId: string): Promise<Json[]> =>
    tenant.rows(
      `SELECT l.promotional, sum(l.remaining_minor)::int4 AS minor FROM wallet_lot l
       JOIN wallet w ON w.tenant_id = l.tenant_id AND w.id = l.wallet_id
       WHERE w.customer_id = $1 AND l.remaining_minor > 0 GROUP BY 1 ORDER BY 1`,
      [customerId],
    );

  it.each([
    ['was overpaid', 11900, 0, 7900, 4000],
    ['became credit by a note', 7900, 3000, 4900, 3000],
  ])('makes no money of credit: what %s stays credit', async (_, paid, noted, money, plain) => {
    const { customerId, invoiceId } = await paidTwoWays(paid);
    if (noted > 0) await tenant.creditNote(customerId, invoiceId, noted, { disposition: 'wallet' });
    await refund(customerId, invoiceId, 11900 - noted, null);
    await eventually(
      async () => (await transactionsOf(customerId, 'refund')).every(({ status }) => status === 'succeeded'),
      'the refund is made',
    );
    expect(await transactionsOf(customerId, 'refund')).toMatchObject([{ amount: { amount: money } }]);
    expect(await creditOf(customerId)).toEqual([
      { promotional: false, minor: plain },
      { promotional: true, minor: 4000 },
    ]);
    expect(await tenant.broken()).toEqual([]);
  });
});
