import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChangeIntentMethod } from '../src/intents/change-intent-method.js';
import { OpenIntents } from '../src/intents/open-intents.js';
import { eventually } from '@kontor/testing';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
});
afterAll(() => world.stop());

const statusIs = (invoiceId: string, status: string) =>
  eventually(async () => (await tenant.intent(invoiceId)).status === status, status);
const refundsOf = async (customerId: string): Promise<Json[]> =>
  (await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=refund`)).data;

/** As invoicing publishes a finalized refund document. */
async function refund(
  customerId: string,
  invoiceId: string,
  gross: number,
  method: string | null = null,
  times = 1,
): Promise<string[]> {
  const now = new Date();
  const events = Array.from({ length: times }, () => {
    const event = tenant.event({ customerId, gross: -gross, type: 'TYPE_REFUND', method }, now);
    return { ...event, payload: { ...event.payload, referencedInvoiceId: invoiceId } };
  });
  await world.database.tenant(tenant.id, (tx) => world.service.get(OpenIntents).execute(tx, events as never), { now });
  return events.map((event) => event.payload.invoiceId);
}
async function paidBy(gateway: string, gross: number) {
  const customerId = await tenant.customer();
  const method = await tenant.method(customerId, gateway);
  const [invoiceId] = await tenant.finalize({ customerId, gross });
  if (gateway === 'bank_transfer') await tenant.record(invoiceId!, method.id);
  await statusIs(invoiceId!, 'succeeded');
  return { customerId, method, invoiceId: invoiceId! };
}

describe('a refund document', () => {
  it('goes back at the gateway that took the money', async () => {
    const { customerId, invoiceId, method } = await paidBy('testing', 5000);
    const [id] = await refund(customerId, invoiceId, 2000);
    await statusIs(id!, 'succeeded');
    expect(await tenant.intent(id!)).toMatchObject({ amount: { amount: -2000 }, openAmount: { amount: 0 } });
    const [payment] = (await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=payment`)).data;
    expect(await refundsOf(customerId)).toMatchObject([
      {
        status: 'succeeded',
        amount: { amount: 2000 },
        refundedTransactionId: payment.id,
        paymentMethod: { id: method.id },
        intents: [{ amount: { amount: 2000 } }],
      },
    ]);
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await tenant.broken()).toEqual([]);
  });

  it('never refunds more than a payment brought, also with several at once', async () => {
    const { customerId, invoiceId } = await paidBy('testing', 5000);
    await Promise.all([refund(customerId, invoiceId, 3000, null, 2), refund(customerId, invoiceId, 3000)]);
    await eventually(async () => (await refundsOf(customerId)).every((refund) => refund.status === 'succeeded'));
    expect((await refundsOf(customerId)).reduce((sum, refund) => sum + refund.amount.amount, 0)).toBe(5000);
    expect(await tenant.broken()).toEqual([]);
  });

  it('that the gateway refuses has failed; another method can be named for it', async () => {
    const { customerId, invoiceId } = await paidBy('fake_provider', 5026);
    const [id] = await refund(customerId, invoiceId, 2013);
    await statusIs(id!, 'failed');
    expect(await tenant.intent(id!)).toMatchObject({ failReason: 'refund_declined', openAmount: { amount: -2013 } });
    const wallet = await tenant.method(customerId, 'wallet', { isDefault: false });
    await world.database.tenant(tenant.id, (tx) => world.service.get(ChangeIntentMethod).execute(tx, id!, wallet.id));
    expect(await tenant.intent(id!)).toMatchObject({ status: 'succeeded', paymentMethodId: wallet.id });
    expect(await tenant.balance(customerId)).toBe(2013);
    expect(await tenant.broken()).toEqual([]);
  });

  it('that bounces after it had gone out is owed again', async () => {
    const { customerId, invoiceId } = await paidBy('testing', 5000);
    const [id] = await refund(customerId, invoiceId, 5000);
    await statusIs(id!, 'succeeded');
    const [sent] = await refundsOf(customerId);
    const bounced = { outcome: { status: 'declined', reason: 'lost_or_stolen_card' } };
    await tenant.ok('POST', `/internal/payments/collections/${sent.id}/outcome`, bounced);
    expect((await tenant.ok('POST', `/internal/payments/collections/${sent.id}/outcome`, bounced)).changed).toBe(false);
    expect(await tenant.intent(id!)).toMatchObject({ status: 'failed', openAmount: { amount: -5000 } });
    expect(await tenant.broken()).toEqual([]);
  });

  it('of money that came by bank is paid out to the account that is known, by the next file', async () => {
    const { customerId, invoiceId } = await paidBy('bank_transfer', 5000);
    const sepa = await tenant.method(customerId, 'sepa_debit', {
      isDefault: false,
      sepaMandate: { iban: 'DE02120300000000202051', accountHolder: 'Ada' },
    });
    const [id] = await refund(customerId, invoiceId, 5000, sepa.id);
    await statusIs(id!, 'processing');
    expect(
      await tenant.rows(`SELECT amount_minor FROM sepa_order WHERE customer_id = $1 AND kind = 'transfer'`, [
        customerId,
      ]),
    ).toEqual([{ amount_minor: 5000n }]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('without a known way waits for its pay-out to be reported', async () => {
    const { customerId, invoiceId, method } = await paidBy('bank_transfer', 5000);
    const [id] = await refund(customerId, invoiceId, 5000);
    expect((await tenant.intent(id!)).status).toBe('open');
    expect((await tenant.record(id!, method.id)).status).toBe(200);
    expect((await tenant.intent(id!)).status).toBe('succeeded');
    expect(await tenant.broken()).toEqual([]);
  });

  const refunded = async (gross: number) => {
    const { customerId, invoiceId } = await paidBy('testing', 5000);
    const mandate = { iban: 'DE02120300000000202051', accountHolder: 'Ada' };
    await tenant.method(customerId, 'sepa_debit', { isDefault: false, sepaMandate: mandate });
    const bank = await tenant.method(customerId, 'bank_transfer', { isDefault: false });
    const [payment] = (await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=payment`)).data;
    const [id] = await refund(customerId, invoiceId, gross, bank.id);
    const orders = async () =>
      (await tenant.rows<{ status: string }>(`SELECT status FROM sepa_order WHERE customer_id = $1`, [customerId])).map(
        (row) => row.status,
      );
    const goBack = () => tenant.call('POST', `/payment/transactions/${payment.id}/return`, { reason: 'chargeback' });
    return { customerId, invoiceId, refundId: id!, orders, goBack };
  };

  it.each([
    [5000, 0],
    [2000, 3000],
  ])('over %d of money that goes back before its pay-out does not go out: %d are open', async (gross, open) => {
    const { customerId, invoiceId, refundId, orders, goBack } = await refunded(gross);
    expect(await orders()).toEqual(['waiting']);
    expect((await goBack()).status).toBe(201);
    expect(await orders()).toEqual(['cancelled']);
    expect(await refundsOf(customerId)).toMatchObject([{ status: 'failed', failReason: 'payment_returned' }]);
    expect((await tenant.intent(invoiceId)).openAmount.amount).toBe(open);
    expect(await tenant.intent(refundId)).toMatchObject({
      status: 'succeeded',
      openAmount: { amount: 0 },
    });
    expect(await tenant.broken()).toEqual([]);
  });

  it('that is in a file already goes out; the customer owes the invoice again', async () => {
    await tenant.settings({
      seller: { company: 'X', bankAccount: { iban: 'DE02120300000000202051' } },
    });
    const { invoiceId, refundId, orders, goBack } = await refunded(5000);
    expect((await tenant.call('POST', '/sepa-xml-payments/export', {})).status).toBe(201);
    expect((await goBack()).status).toBe(201);
    expect(await orders()).toEqual(['exported']);
    expect((await tenant.intent(invoiceId)).openAmount.amount).toBe(5000);
    expect(await tenant.intent(refundId)).toMatchObject({
      status: 'processing',
      openAmount: { amount: -5000 },
    });
    expect(await tenant.broken()).toEqual([]);
  });

  it.each([
    ['bounces', 5000, 0],
    ['bounces', 2000, 3000],
    ['went back', 5000, 0],
    ['went back', 2000, 3000],
  ])(
    'whose money %s first, of %d, owes nothing when the other happens, too: %d are open',
    async (first, gross, open) => {
      await tenant.settings({ seller: { company: 'X', bankAccount: { iban: 'DE02120300000000202051' } } });
      const { customerId, invoiceId, refundId, goBack } = await refunded(gross);
      await tenant.ok('POST', '/sepa-xml-payments/export', {});
      const [sent] = await refundsOf(customerId);
      const bounce = () =>
        tenant.ok('POST', `/internal/payments/collections/${sent.id}/outcome`, {
          outcome: { status: 'declined', reason: 'account_closed' },
        });
      for (const happens of first === 'bounces' ? [bounce, goBack] : [goBack, bounce]) await happens();
      expect((await tenant.intent(invoiceId)).openAmount.amount).toBe(open);
      expect(await tenant.intent(refundId)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
      expect(await tenant.broken()).toEqual([]);
    },
  );

  it.each([
    [5000, 0],
    [2000, 3000],
  ])(
    'that bounces after it had gone out, of %d, owes nothing when its payment went back before: %d are open',
    async (gross, open) => {
      const { customerId, invoiceId } = await paidBy('testing', 5000);
      const [id] = await refund(customerId, invoiceId, gross);
      await statusIs(id!, 'succeeded');
      const [sent] = await refundsOf(customerId);
      const [payment] = (await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=payment`)).data;
      await tenant.ok('POST', `/payment/transactions/${payment.id}/return`, { reason: 'recalled' });
      expect((await tenant.intent(invoiceId)).openAmount.amount).toBe(5000);
      await tenant.ok('POST', `/internal/payments/collections/${sent.id}/outcome`, {
        outcome: { status: 'declined', reason: 'lost_or_stolen_card' },
      });
      expect((await tenant.intent(invoiceId)).openAmount.amount).toBe(open);
      expect(await tenant.intent(id!)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
      expect(await tenant.broken()).toEqual([]);
    },
  );

  it('that bounces while its payment stands is owed, and no more than that', async () => {
    await tenant.settings({ seller: { company: 'X', bankAccount: { iban: 'DE02120300000000202051' } } });
    const { customerId, invoiceId, refundId } = await refunded(2000);
    await tenant.ok('POST', '/sepa-xml-payments/export', {});
    const [sent] = await refundsOf(customerId);
    await tenant.ok('POST', `/internal/payments/collections/${sent.id}/outcome`, {
      outcome: { status: 'declined', reason: 'account_closed' },
    });
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await tenant.intent(refundId)).toMatchObject({ status: 'failed', openAmount: { amount: -2000 } });
    expect(await tenant.broken()).toEqual([]);
  });

  it('whose pay-out was not reported yet owes nothing when its payment goes back', async () => {
    const { customerId, invoiceId } = await paidBy('bank_transfer', 5000);
    const [id] = await refund(customerId, invoiceId, 5000);
    const [payment] = (await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=payment`)).data;
    await tenant.ok('POST', `/payment/transactions/${payment.id}/return`, { reason: 'recalled' });
    for (const document of [invoiceId, id!])
      expect(await tenant.intent(document)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await tenant.broken()).toEqual([]);
  });

  it('and the export at once: it is in the file or stopped, never both', async () => {
    const cases = await Promise.all(Array.from({ length: 6 }, () => refunded(5000)));
    await Promise.all(
      cases.map((testCase, i) => (i === 2 ? tenant.call('POST', '/sepa-xml-payments/export', {}) : testCase.goBack())),
    );
    await cases[2]!.goBack();
    for (const { invoiceId, orders } of cases) {
      const [status] = await orders();
      expect(['exported', 'cancelled']).toContain(status);
      expect((await tenant.intent(invoiceId)).openAmount.amount).toBe(status === 'exported' ? 5000 : 0);
    }
    expect(await tenant.broken()).toEqual([]);
  });

  const ACCOUNT = { iban: 'DE02120300000000202051', accountHolder: 'Ada' };
  /** 100.00 of an invoice of 119.00 are paid by credit; the rest by `gateway`, or credit, too. */
  const paidByCredit = async (gateway: 'testing' | 'bank_transfer' | null, tooMuch: number | null = null) => {
    await tenant.settings({ applyCreditAutomatically: true, creditOverpayments: tooMuch === null });
    const customerId = await tenant.customer();
    const method = gateway && (await tenant.method(customerId, gateway));
    if (tooMuch === null) await tenant.method(customerId, 'sepa_debit', { isDefault: false, sepaMandate: ACCOUNT });
    const gift = { customerId, amount: gateway ? 100 : 119, currencyCode: 'EUR', description: 'gift' };
    await tenant.ok('POST', '/api/wallet/adjustments', { ...gift, promotional: true });
    const [invoiceId] = await tenant.finalize({ customerId, gross: 11900 });
    if (gateway === 'bank_transfer')
      await tenant.record(invoiceId!, method!.id, { amount: { amount: 1900 + (tooMuch ?? 0), currencyCode: 'EUR' } });
    await statusIs(invoiceId!, 'succeeded');
    return { customerId, invoiceId: invoiceId! };
  };
  const waitingForBank = async (lowered: boolean) => {
    await tenant.settings({ applyCreditAutomatically: true });
    const customerId = await tenant.customer();
    const method = await tenant.method(customerId, 'bank_transfer');
    const [id] = await tenant.finalize({ customerId, gross: 11900 });
    if (lowered) await tenant.creditNote(customerId, id!, 4760);
    await tenant.record(id!, method.id);
    return { customerId, invoiceId: id! };
  };
  const out = async (customerId: string): Promise<number[]> =>
    (await refundsOf(customerId)).map(({ amount }) => amount.amount);

  it.each([
    ['testing', 11900, [1900], 10000],
    ['testing', 6000, [1900], 4100],
    ['bank_transfer', 11900, [1900], 10000],
    ['bank_transfer', 1500, [1500], 0],
    [null, 11900, [], 11900],
  ] as const)('of what %s and credit paid, %d, sends no credit out as money', async (gateway, gross, money, credit) => {
    const { customerId, invoiceId } = await paidByCredit(gateway);
    const [id] = await refund(customerId, invoiceId, gross);
    await eventually(async () => (await tenant.balance(customerId)) === credit, 'credit is back');
    expect(await out(customerId)).toEqual(money);
    if (gateway !== 'bank_transfer') await statusIs(id!, 'succeeded');
    expect(await tenant.broken()).toEqual([]);
  });

  it('that follows others returns what each of them has left of money and of credit', async () => {
    const { customerId, invoiceId } = await paidByCredit('bank_transfer');
    await refund(customerId, invoiceId, 1500, null, 2);
    await refund(customerId, invoiceId, 8900);
    await eventually(async () => (await tenant.balance(customerId)) === 10000, 'credit is back');
    expect((await out(customerId)).sort()).toEqual([1500, 400].sort());
    expect(await tenant.broken()).toEqual([]);
  });

  it.each([
    ['of which the first waits for its pay-out', 0],
    ['while what was paid too much waits for its', 3100],
  ])('%s leaves no credit to be paid out as money', async (_what, tooMuch) => {
    const { customerId, invoiceId } = await paidByCredit('bank_transfer', tooMuch);
    const [first] = await refund(customerId, invoiceId, 1500);
    await refund(customerId, invoiceId, 10400);
    await eventually(async () => (await tenant.balance(customerId)) === 10000, 'credit is back');
    expect((await tenant.intent(first!)).openAmount.amount).toBe(-1500);
    expect((await tenant.intent(invoiceId)).openAmount.amount).toBe(0 - tooMuch);
    expect(await tenant.broken()).toEqual([]);
  });

  it.each([
    ['what credit paid is credit again', 10000],
    ['other credit is there', 3000],
    ['a credit note had lowered it', 0],
  ])('that waits for its pay-out owes nothing when its payment goes back, and %s', async (what, credit) => {
    const { customerId, invoiceId } =
      credit === 10000 ? await paidByCredit('bank_transfer', 0) : await waitingForBank(credit === 0);
    const [id] = await refund(customerId, invoiceId, credit === 0 ? 7140 : 11900);
    if (what.startsWith('other'))
      await tenant.ok('POST', '/api/wallet/adjustments', {
        customerId,
        amount: 30,
        currencyCode: 'EUR',
        description: 'x',
      });
    const [payment] = (await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=payment`)).data;
    await tenant.ok('POST', `/payment/transactions/${payment.id}/return`, { reason: 'recalled' });
    for (const document of [invoiceId, id!])
      expect(await tenant.intent(document)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await tenant.balance(customerId)).toBe(credit);
    expect(await tenant.broken()).toEqual([]);
  });

  it('that names a bank account goes there, what credit paid, too', async () => {
    const { customerId, invoiceId } = await paidByCredit(null);
    const bank = await tenant.method(customerId, 'bank_transfer', { isDefault: false });
    await refund(customerId, invoiceId, 11900, bank.id);
    expect(await out(customerId)).toEqual([11900]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('can become credit', async () => {
    const { customerId, invoiceId } = await paidBy('testing', 5000);
    const wallet = await tenant.method(customerId, 'wallet', { isDefault: false });
    const [id] = await refund(customerId, invoiceId, 5000, wallet.id);
    await statusIs(id!, 'succeeded');
    expect(await tenant.balance(customerId)).toBe(5000);
    expect(await refundsOf(customerId)).toEqual([]);
    expect(await tenant.broken()).toEqual([]);
  });
});
