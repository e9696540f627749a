import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dayOf, newUuid } from '@kontor/kernel';
import { recordMerge } from '@kontor/persistence';
import { CustomerMover } from '@kontor/service-kit';
import { eventually } from '@kontor/testing';
import { CloseIntents } from '../src/corrections/close-intents.js';
import { OpenIntents } from '../src/intents/open-intents.js';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant({ settings: { creditOverpayments: true, applyCreditAutomatically: false } });
});
afterAll(() => world.stop());

const at19 = (gross: number) => ({
  tax: Math.round((gross * 19) / 119),
  taxes: [
    {
      category: 'S',
      rate: '19',
      netAmount: { amount: gross - Math.round((gross * 19) / 119), currencyCode: 'EUR' },
      taxAmount: { amount: Math.round((gross * 19) / 119), currencyCode: 'EUR' },
    },
  ],
});

interface Correction {
  type: 'TYPE_CANCEL' | 'TYPE_CREDIT';
  gross: number;
  disposition?: string | null;
  automatic?: boolean;
}

/** As invoicing publishes them, all in one batch. Gives the documents' ids. */
async function correct(
  of: Tenant,
  customerId: string,
  invoiceId: string,
  ...documents: Correction[]
): Promise<string[]> {
  const now = new Date();
  const events = documents.map(({ type, gross, disposition = null, automatic = false }) => {
    const { tax, taxes } = at19(-gross);
    const event = of.event({ customerId, gross: -gross, type, tax }, now);
    return { ...event, payload: { ...event.payload, taxes, referencedInvoiceId: invoiceId, disposition, automatic } };
  });
  await world.database.tenant(of.id, (tx) => world.service.get(OpenIntents).execute(tx, events as never), { now });
  return events.map((event) => event.payload.invoiceId);
}

async function invoiceOf(of: Tenant, customerId: string, gross: number): Promise<string> {
  const now = new Date();
  const { tax, taxes } = at19(gross);
  const event = of.event({ customerId, gross, tax }, now);
  const events = [{ ...event, payload: { ...event.payload, taxes } }];
  await world.database.tenant(of.id, (tx) => world.service.get(OpenIntents).execute(tx, events as never), { now });
  return event.payload.invoiceId;
}

const open = async (of: Tenant, invoiceId: string): Promise<number> => (await of.intent(invoiceId)).openAmount.amount;
const wholeLedger = async (of: Tenant): Promise<Record<string, number>> => {
  const { data } = await of.ok('GET', '/ledger/accounts?limit=100');
  return Object.fromEntries(
    data.map((account: Json) => [account.code, account.balance?.amount ?? account.postedBalance?.amount]),
  );
};

describe('a cancellation', () => {
  it('that claims something, because what the invoice had credited is owed again, ends the invoice all the same', async () => {
    const isolated = await world.tenant();
    const customerId = await isolated.customer();
    const transfer = await isolated.method(customerId);
    const other = await invoiceOf(isolated, customerId, 6000);
    const invoiceId = await invoiceOf(isolated, customerId, 11900);
    await isolated.record(invoiceId, transfer.id, { amount: { amount: 1900, currencyCode: 'EUR' } });
    // A credit note of it lowers the older invoice.
    await correct(isolated, customerId, invoiceId, { type: 'TYPE_CREDIT', gross: 8000, automatic: true });
    expect([await open(isolated, other), await open(isolated, invoiceId)]).toEqual([0, 8000]);
    const [id] = await correct(isolated, customerId, invoiceId, { type: 'TYPE_CANCEL', gross: -30_000 });
    expect(await isolated.intent(invoiceId)).toMatchObject({ status: 'cancelled', openAmount: { amount: 0 } });
    expect(await open(isolated, other)).toBe(6000);
    expect(await open(isolated, id!)).toBe(30_000 + 8000 - 6000);
    expect(await wholeLedger(isolated)).toMatchObject({ receivable: 6000 + 32_000, bank: 1900 });
    // Nobody pays it any more, and credit that comes pays the document.
    const gift = { customerId, amount: 400, currencyCode: 'EUR', description: 'Kulanz' };
    await isolated.settings({ applyCreditAutomatically: true });
    await isolated.ok('POST', '/api/wallet/adjustments', gift);
    expect([await open(isolated, invoiceId), await open(isolated, other), await open(isolated, id!)]).toEqual([
      0, 0, 0,
    ]);
  });

  it('of an unpaid invoice leaves nothing open, in the ledger and in DATEV', async () => {
    const isolated = await world.tenant();
    const customerId = await isolated.customer();
    const invoiceId = await invoiceOf(isolated, customerId, 11900);
    const [id] = await correct(isolated, customerId, invoiceId, { type: 'TYPE_CANCEL', gross: 11900 });
    expect(await isolated.intent(invoiceId)).toMatchObject({ status: 'cancelled', openAmount: { amount: 0 } });
    expect(await isolated.intent(id!)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    const sums = await isolated.rows<{ code: string; sum: bigint }>(
      `SELECT a.code, sum(b.posted_debit_amount - b.posted_credit_amount)::bigint AS sum FROM ledger_account a
       JOIN ledger_balance b ON b.account_id = a.id GROUP BY a.code`,
    );
    expect(sums.every(({ sum }) => sum === 0n)).toBe(true);
    expect(await isolated.broken()).toEqual([]);
    expect(Object.keys(await wholeLedger(isolated))).toContain('revenue');
  });

  it('returns credit to a lot that has ended meanwhile, which ends once more', async () => {
    const isolated = await world.tenant({ settings: { creditExpiryDays: 1, applyCreditAutomatically: true } });
    const customerId = await isolated.customer();
    const gift = { customerId, amount: 50, currencyCode: 'EUR', description: 'Kulanz' };
    await isolated.ok('POST', '/api/wallet/adjustments', gift);
    const invoiceId = await invoiceOf(isolated, customerId, 4000);
    const ended = `now() - interval '1 second'`;
    await world.test.peek(`UPDATE wallet_lot SET expires_at = ${ended} WHERE tenant_id = '${isolated.id}'`);
    await world.test.peek(
      `UPDATE due_work SET due_at = ${ended}, poll_at = ${ended}
       WHERE kind = 'payments.expire_credit' AND tenant_id = '${isolated.id}'`,
    );
    await eventually(async () => (await isolated.balance(customerId)) === 0, 'the first expiry');
    await correct(isolated, customerId, invoiceId, { type: 'TYPE_CANCEL', gross: 4000 });
    await eventually(async () => (await isolated.balance(customerId)) === 0, 'the second expiry');
    const { items } = await isolated.ok('GET', `/api/wallet/transactions?customerId=${customerId}`);
    expect(items.map((line: Json) => line.amount.amount).reverse()).toEqual([5000, -4000, -1000, 4000, -4000]);
    expect(await isolated.broken()).toEqual([]);
  });

  it('gives used credit back to its lots, and money to the wallet with its origin', async () => {
    const customerId = await tenant.customer({ applyCreditAutomatically: true });
    const bank = await tenant.method(customerId);
    await tenant.ok('POST', '/api/wallet/adjustments', {
      customerId,
      amount: 40,
      currencyCode: 'EUR',
      description: 'Kulanz',
    });
    const invoiceId = await invoiceOf(tenant, customerId, 11900);
    expect(await open(tenant, invoiceId)).toBe(7900);
    await tenant.record(invoiceId, bank.id, { amount: { amount: 5000, currencyCode: 'EUR' } });
    const [id] = await correct(tenant, customerId, invoiceId, { type: 'TYPE_CANCEL', gross: 11900 });
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'cancelled', openAmount: { amount: 0 } });
    expect(await open(tenant, id!)).toBe(0);
    expect(await tenant.balance(customerId)).toBe(9000);
    const { items } = await tenant.ok('GET', `/api/wallet/transactions?customerId=${customerId}`);
    expect(items.find((line: Json) => line.type === 'credit_note')).toMatchObject({
      amount: { amount: 5000 },
      gateway: 'bank_transfer',
      originalPaymentMethod: { id: bank.id },
    });
    expect(await tenant.broken()).toEqual([]);
  });

  it('gives used credit back, which pays what else is open', async () => {
    const isolated = await world.tenant({ settings: { applyCreditAutomatically: true } });
    const customerId = await isolated.customer();
    const gift = { customerId, amount: 50, currencyCode: 'EUR', description: 'Kulanz' };
    await isolated.ok('POST', '/api/wallet/adjustments', gift);
    const invoiceId = await invoiceOf(isolated, customerId, 5000);
    const other = await invoiceOf(isolated, customerId, 7000);
    expect(await open(isolated, other)).toBe(7000);
    await correct(isolated, customerId, invoiceId, { type: 'TYPE_CANCEL', gross: 5000 });
    expect(await open(isolated, other)).toBe(2000);
    expect(await isolated.balance(customerId)).toBe(0);
    expect(await isolated.broken()).toEqual([]);
  });

  it('sends money back at the gateway where that is asked for', async () => {
    const customerId = await tenant.customer();
    await tenant.method(customerId, 'testing');
    const [invoiceId] = await tenant.finalize({ customerId, gross: 5000 });
    await eventually(async () => (await tenant.intent(invoiceId!)).status === 'succeeded');
    const [id] = await correct(tenant, customerId, invoiceId!, {
      type: 'TYPE_CANCEL',
      gross: 5000,
      disposition: 'refund',
    });
    await eventually(async () => (await tenant.intent(id!)).status === 'succeeded');
    const { data } = await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=refund`);
    expect(data).toMatchObject([{ status: 'succeeded', amount: { amount: 5000 } }]);
    expect(await tenant.balance(customerId)).toBe(0);
    expect(await tenant.broken()).toEqual([]);
  });

  it('without a wallet, or with none, leaves paid money owed to the customer', async () => {
    const plain = await world.tenant({ features: [] });
    for (const [of, disposition] of [
      [plain, null],
      [tenant, 'none'],
    ] as const) {
      const customerId = await of.customer();
      const bank = await of.method(customerId);
      const invoiceId = await invoiceOf(of, customerId, 11900);
      await of.record(invoiceId, bank.id, { amount: { amount: 15000, currencyCode: 'EUR' } });
      const [id] = await correct(of, customerId, invoiceId, { type: 'TYPE_CANCEL', gross: 11900, disposition });
      expect(await open(of, invoiceId)).toBe(0);
      // The excess of a tenant without wallets was on the invoice; with one it had become credit.
      expect(await open(of, id!)).toBe(of === plain ? -15000 : -11900);
      expect(await of.broken()).toEqual([]);
    }
  });

  it('after a credit note takes the rest; both together are the invoice', async () => {
    const customerId = await tenant.customer();
    const invoiceId = await invoiceOf(tenant, customerId, 11900);
    const [note, rest] = await correct(
      tenant,
      customerId,
      invoiceId,
      { type: 'TYPE_CREDIT', gross: 1900, disposition: 'none' },
      { type: 'TYPE_CANCEL', gross: 10000 },
    );
    for (const id of [invoiceId, note!, rest!]) expect(await open(tenant, id)).toBe(0);
    expect(await tenant.broken()).toEqual([]);
  });

  it('stops a collection that waits for the payer, and takes money that comes all the same as the customer’s', async () => {
    const customerId = await tenant.customer();
    await tenant.method(customerId, 'fake_provider');
    const [invoiceId] = await tenant.finalize({ customerId, gross: 5017 });
    await eventually(async () => {
      const { data } = await tenant.ok('GET', `/payment/transactions?customer=${customerId}`);
      return data[0]?.status === 'action_required';
    });
    const [payment] = (await tenant.ok('GET', `/payment/transactions?customer=${customerId}`)).data;
    const [id] = await correct(tenant, customerId, invoiceId!, { type: 'TYPE_CANCEL', gross: 5017 });
    expect((await tenant.ok('GET', `/payment/transactions/${payment.id}`)).status).toBe('failed');
    expect(await open(tenant, id!)).toBe(0);
    await tenant.call('POST', `/internal/payments/collections/${payment.id}/outcome`, {
      outcome: { status: 'succeeded', reference: 'late' },
    });
    expect(await tenant.intent(invoiceId!)).toMatchObject({ status: 'cancelled', openAmount: { amount: 0 } });
    expect(await tenant.balance(customerId)).toBe(5017);
    expect(await tenant.broken()).toEqual([]);
  });

  it('when a payment of a cancelled invoice goes back, its credit goes with it and nothing is owed', async () => {
    const customerId = await tenant.customer();
    await tenant.method(customerId, 'testing');
    const [invoiceId] = await tenant.finalize({ customerId, gross: 5000 });
    await eventually(async () => (await tenant.intent(invoiceId!)).status === 'succeeded');
    const [payment] = (await tenant.ok('GET', `/payment/transactions?customer=${customerId}`)).data;
    const [note, cancellation] = await correct(
      tenant,
      customerId,
      invoiceId!,
      { type: 'TYPE_CREDIT', gross: 1000, disposition: 'wallet' },
      { type: 'TYPE_CANCEL', gross: 4000 },
    );
    expect(await tenant.balance(customerId)).toBe(5000);
    await tenant.ok('POST', `/payment/transactions/${payment.id}/return`, { reason: 'chargeback' });
    expect(await tenant.balance(customerId)).toBe(0);
    for (const id of [invoiceId!, note!, cancellation!]) expect(await open(tenant, id)).toBe(0);
    expect(await tenant.broken()).toEqual([]);
  });

  it.each(['wallet', null] as const)(
    'leaves nothing open of an invoice that credit had paid when the money behind that goes back: its notes (%s) go with it',
    async (disposition) => {
      const isolated = await world.tenant({ settings: { creditOverpayments: true, applyCreditAutomatically: true } });
      const customerId = await isolated.customer();
      const bank = await isolated.method(customerId);
      const overpaid = await invoiceOf(isolated, customerId, 11900);
      const { body } = await isolated.record(overpaid, bank.id, { amount: { amount: 16900, currencyCode: 'EUR' } });
      const paidByCredit = await invoiceOf(isolated, customerId, 5000);
      const other = disposition === null ? [await invoiceOf(isolated, customerId, 3000)] : [];
      const cancelled = [
        ...(await correct(isolated, customerId, paidByCredit, { type: 'TYPE_CREDIT', gross: 2000, disposition })),
        ...(await correct(isolated, customerId, paidByCredit, { type: 'TYPE_CANCEL', gross: 3000 })),
      ];
      const later = [...other, await invoiceOf(isolated, customerId, 4000)];
      await isolated.ok('POST', `/payment/transactions/${(body as Json).transactionId}/return`, { reason: 'recalled' });
      for (const id of [paidByCredit, ...cancelled]) expect([id, await open(isolated, id)]).toEqual([id, 0]);
      expect(await open(isolated, overpaid)).toBe(11900);
      expect(await Promise.all(later.map((id) => open(isolated, id)))).toEqual(
        disposition === null ? [3000, 4000] : [4000],
      );
      expect(await isolated.balance(customerId)).toBe(0);
      expect(await isolated.broken()).toEqual([]);
    },
  );

  it('and a recorded payment at the same time: whichever is first, the customer keeps the money', async () => {
    for (let round = 0; round < 4; round += 1) {
      const customerId = await tenant.customer();
      const bank = await tenant.method(customerId);
      const invoiceId = await invoiceOf(tenant, customerId, 11900);
      const [recorded] = await Promise.all([
        tenant.record(invoiceId, bank.id),
        correct(tenant, customerId, invoiceId, { type: 'TYPE_CANCEL', gross: 11900 }),
      ]);
      expect([200, 422]).toContain(recorded.status);
      expect(await tenant.balance(customerId)).toBe(recorded.status === 200 ? 11900 : 0);
      expect(await open(tenant, invoiceId)).toBe(0);
    }
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('a credit note about an invoice', () => {
  it('lowers it first; what was paid becomes credit, or stays owed with none', async () => {
    const customerId = await tenant.customer();
    const bank = await tenant.method(customerId);
    const older = await invoiceOf(tenant, customerId, 1190);
    const invoiceId = await invoiceOf(tenant, customerId, 11900);
    await correct(tenant, customerId, invoiceId, { type: 'TYPE_CREDIT', gross: 1900 });
    expect(await open(tenant, invoiceId)).toBe(10000);
    expect(await open(tenant, older)).toBe(1190);
    await tenant.record(invoiceId, bank.id);
    const [owed, credited] = await correct(
      tenant,
      customerId,
      invoiceId,
      { type: 'TYPE_CREDIT', gross: 2000, disposition: 'none' },
      { type: 'TYPE_CREDIT', gross: 3000, disposition: 'wallet' },
    );
    expect([await open(tenant, owed!), await open(tenant, credited!)]).toEqual([-2000, 0]);
    expect(await tenant.balance(customerId)).toBe(3000);
    expect(await tenant.broken()).toEqual([]);
  });

  it('is refunded at the gateway', async () => {
    const customerId = await tenant.customer();
    await tenant.method(customerId, 'testing');
    const [invoiceId] = await tenant.finalize({ customerId, gross: 5000 });
    await eventually(async () => (await tenant.intent(invoiceId!)).status === 'succeeded');
    const [id] = await correct(tenant, customerId, invoiceId!, {
      type: 'TYPE_CREDIT',
      gross: 2000,
      disposition: 'refund',
    });
    await eventually(async () => (await tenant.intent(id!)).status === 'succeeded');
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('a credit note that is cancelled', () => {
  /** The cancellation of a credit note over `gross`. */
  const cancelled = async (customerId: string, note: string, gross: number): Promise<string> =>
    (await correct(tenant, customerId, note, { type: 'TYPE_CANCEL', gross: -gross }))[0]!;

  it('opens again what it has lowered, its own invoice and others', async () => {
    const customerId = await tenant.customer();
    const bank = await tenant.method(customerId);
    const other = await invoiceOf(tenant, customerId, 1190);
    const invoiceId = await invoiceOf(tenant, customerId, 1000);
    const [note] = await correct(tenant, customerId, invoiceId, { type: 'TYPE_CREDIT', gross: 1500 });
    expect([await open(tenant, invoiceId), await open(tenant, other)]).toEqual([0, 690]);
    await tenant.record(other, bank.id);
    const id = await cancelled(customerId, note!, 1500);
    const ids = [invoiceId, other, note!, id];
    expect(await Promise.all(ids.map((invoice) => open(tenant, invoice)))).toEqual([1000, 500, 0, 0]);
    expect((await tenant.intent(other)).status).toBe('open');
    expect(await tenant.balance(customerId)).toBe(0);
    expect(await tenant.broken()).toEqual([]);
  });

  it('that nobody has settled yet is settled by it', async () => {
    const customerId = await tenant.customer();
    const bank = await tenant.method(customerId);
    const invoiceId = await invoiceOf(tenant, customerId, 11900);
    await tenant.record(invoiceId, bank.id);
    const [note] = await correct(tenant, customerId, invoiceId, {
      type: 'TYPE_CREDIT',
      gross: 2000,
      disposition: 'none',
    });
    const id = await cancelled(customerId, note!, 2000);
    const ids = [invoiceId, note!, id];
    expect(await Promise.all(ids.map((invoice) => open(tenant, invoice)))).toEqual([0, 0, 0]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('takes its credit out of the wallet; what was used or paid out is owed by the cancellation', async () => {
    const customerId = await tenant.customer();
    await tenant.method(customerId, 'testing');
    const [invoiceId] = await tenant.finalize({ customerId, gross: 11900 });
    await eventually(async () => (await tenant.intent(invoiceId!)).status === 'succeeded');
    const [kept, used, refunded] = await correct(
      tenant,
      customerId,
      invoiceId!,
      { type: 'TYPE_CREDIT', gross: 3000, disposition: 'wallet' },
      { type: 'TYPE_CREDIT', gross: 2000, disposition: 'wallet' },
      { type: 'TYPE_CREDIT', gross: 1000, disposition: 'refund' },
    );
    await eventually(async () => (await tenant.intent(refunded!)).status === 'succeeded');
    expect(await tenant.balance(customerId)).toBe(5000);
    // The oldest credit is used first.
    await tenant.ok('POST', '/api/wallet/adjustments', {
      customerId,
      amount: -35,
      currencyCode: 'EUR',
      description: 'Auszahlung bar',
    });
    const ofUsed = await cancelled(customerId, used!, 2000);
    expect([await open(tenant, used!), await open(tenant, ofUsed)]).toEqual([0, 500]);
    const ofKept = await cancelled(customerId, kept!, 3000);
    expect([await open(tenant, kept!), await open(tenant, ofKept)]).toEqual([0, 3000]);
    const ofRefunded = await cancelled(customerId, refunded!, 1000);
    expect([await open(tenant, refunded!), await open(tenant, ofRefunded)]).toEqual([0, 1000]);
    expect(await tenant.balance(customerId)).toBe(0);
    // Nobody is debited for what he was once given.
    expect((await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=payment`)).data).toHaveLength(1);
    expect(await tenant.intent(ofKept)).toMatchObject({ status: 'open' });
    // The money that was paid out comes back: neither owes the other anything.
    const [sent] = (await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=refund`)).data;
    const bounced = { outcome: { status: 'declined', reason: 'account_closed' } };
    await tenant.ok('POST', `/internal/payments/collections/${sent.id}/outcome`, bounced);
    expect([await open(tenant, refunded!), await open(tenant, ofRefunded)]).toEqual([0, 0]);
    expect(await tenant.intent(ofRefunded)).toMatchObject({ status: 'succeeded' });
    expect(await tenant.broken()).toEqual([]);
  });

  const paidOutByBank = async () => {
    const customerId = await tenant.customer();
    const bank = await tenant.method(customerId);
    const sepaMandate = { iban: 'DE02120300000000202051', accountHolder: 'Ada' };
    await tenant.method(customerId, 'sepa_debit', { isDefault: false, sepaMandate });
    const invoiceId = await invoiceOf(tenant, customerId, 11900);
    await tenant.record(invoiceId, bank.id);
    const [note] = await correct(tenant, customerId, invoiceId, {
      type: 'TYPE_CREDIT',
      gross: 2000,
      disposition: 'refund',
    });
    expect((await tenant.intent(note!)).status).toBe('processing');
    const orders = async () =>
      (await tenant.rows<{ status: string }>('SELECT status FROM sepa_order WHERE customer_id = $1', [customerId])).map(
        (row) => row.status,
      );
    return { customerId, note: note!, orders };
  };

  it('keeps its money from going out as long as that is in no file for the bank', async () => {
    const { customerId, note, orders } = await paidOutByBank();
    const id = await cancelled(customerId, note, 2000);
    expect(await orders()).toEqual(['cancelled']);
    expect([await open(tenant, note), await open(tenant, id)]).toEqual([0, 0]);
    expect((await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=refund`)).data).toMatchObject([
      { status: 'failed', failReason: 'credit_cancelled' },
    ]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('owes what is on its way, unless the bank brings that back', async () => {
    const { customerId, note, orders } = await paidOutByBank();
    await tenant.settings({
      creditOverpayments: true,
      applyCreditAutomatically: false,
      seller: { company: 'X', bankAccount: { iban: 'DE02120300000000202051' } },
    });
    await tenant.ok('POST', '/sepa-xml-payments/export', {});
    expect(await orders()).toEqual(['exported']);
    const id = await cancelled(customerId, note, 2000);
    expect([await open(tenant, note), await open(tenant, id)]).toEqual([-2000, 2000]);
    const [sent] = (await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=refund`)).data;
    const bounced = { outcome: { status: 'declined', reason: 'account_closed' } };
    await tenant.ok('POST', `/internal/payments/collections/${sent.id}/outcome`, bounced);
    expect([await open(tenant, note), await open(tenant, id)]).toEqual([0, 0]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('and whose money comes back once that was paid, too, owes the customer by its cancellation', async () => {
    const { customerId, note } = await paidOutByBank();
    await tenant.settings({ seller: { company: 'X', bankAccount: { iban: 'DE02120300000000202051' } } });
    await tenant.ok('POST', '/sepa-xml-payments/export', {});
    const id = await cancelled(customerId, note, 2000);
    const bank = await tenant.method(customerId, 'bank_transfer', { isDefault: false });
    await tenant.record(id, bank.id);
    const [sent] = (await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=refund`)).data;
    const bounced = { outcome: { status: 'declined', reason: 'account_closed' } };
    await tenant.ok('POST', `/internal/payments/collections/${sent.id}/outcome`, bounced);
    expect([await open(tenant, note), await open(tenant, id)]).toEqual([0, 0]);
    expect(await tenant.balance(customerId)).toBe(2000);
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('an automatic credit of one invoice', () => {
  it('lowers the oldest one, as one of several does; cancelled, its invoice leaves nothing open', async () => {
    for (const [together, olderPaid] of [
      [true, false],
      [false, false],
      [false, true],
    ]) {
      const customerId = await tenant.customer();
      const bank = await tenant.method(customerId);
      const older = await invoiceOf(tenant, customerId, 11900);
      const invoiceId = await invoiceOf(tenant, customerId, 11900);
      const credit = { type: 'TYPE_CREDIT', gross: 1900, automatic: true } as const;
      const cancellation = { type: 'TYPE_CANCEL', gross: 10000 } as const;
      if (together) await correct(tenant, customerId, invoiceId, credit, cancellation);
      else {
        await correct(tenant, customerId, invoiceId, credit);
        expect([await open(tenant, older), await open(tenant, invoiceId)]).toEqual([10000, 11900]);
        if (olderPaid) await tenant.record(older, bank.id);
        await correct(tenant, customerId, invoiceId, cancellation);
      }
      expect([await open(tenant, older), await open(tenant, invoiceId)]).toEqual([olderPaid ? 1900 : 11900, 0]);
      expect((await tenant.intent(older)).status).toBe('open');
      expect(await tenant.balance(customerId)).toBe(0);
    }
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('an invoice of another system', () => {
  it('is owed as an opening balance and is not collected by itself; its cancellation is booked here', async () => {
    const isolated = await world.tenant();
    const customerId = await isolated.customer();
    await isolated.method(customerId, 'testing');
    const now = new Date();
    const event = isolated.event({ customerId, gross: 11900, tax: 1900 }, now);
    const events = [{ ...event, payload: { ...event.payload, imported: true } }];
    await world.database.tenant(isolated.id, (tx) => world.service.get(OpenIntents).execute(tx, events as never), {
      now,
    });
    const invoiceId = event.payload.invoiceId;
    expect(await isolated.intent(invoiceId)).toMatchObject({ status: 'open', openAmount: { amount: 11900 } });
    expect((await isolated.ok('GET', `/payment/transactions?customer=${customerId}`)).data).toEqual([]);
    expect(await wholeLedger(isolated)).toMatchObject({ receivable: 11900, opening: 11900 });
    await correct(isolated, customerId, invoiceId, { type: 'TYPE_CANCEL', gross: 11900 });
    expect(await wholeLedger(isolated)).toMatchObject({ receivable: 0, opening: 11900, revenue: -10000, tax: -1900 });
    expect(await isolated.broken()).toEqual([]);
  });
});

describe('an invoice that is closed', () => {
  const close = (of: Tenant, customerId: string, invoiceId: string, gross: number) => {
    const payload = { invoiceId, customerId, reason: 'insolvent', taxes: at19(gross).taxes };
    return world.database.tenant(of.id, (tx) => world.service.get(CloseIntents).execute(tx, [payload as never]));
  };

  it('is written off with its tax, in the ledger and in DATEV, and again changes nothing', async () => {
    const isolated = await world.tenant();
    const customerId = await isolated.customer();
    const bank = await isolated.method(customerId);
    const invoiceId = await invoiceOf(isolated, customerId, 11900);
    await isolated.record(invoiceId, bank.id, { amount: { amount: 2000, currencyCode: 'EUR' } });
    for (let times = 0; times < 2; times += 1) await close(isolated, customerId, invoiceId, 11900);
    expect(await isolated.intent(invoiceId)).toMatchObject({ status: 'cancelled', openAmount: { amount: 0 } });
    const transfers = await isolated.rows<{ amount: bigint; debit: string; credit: string }>(
      `SELECT t.amount, d.code AS debit, c.code AS credit FROM ledger_transfer t
       JOIN ledger_account d ON d.id = t.debit_account_id JOIN ledger_account c ON c.id = t.credit_account_id
       WHERE t.operation_key = $1 ORDER BY t.amount DESC`,
      [`write-off:${invoiceId}`],
    );
    expect(transfers).toMatchObject([
      { amount: 8319n, debit: 'write_off', credit: 'receivable' },
      { amount: 1581n, debit: 'tax', credit: 'receivable' },
    ]);
    const year = dayOf(new Date(), 'Europe/Berlin').slice(0, 4);
    const batch = String((await isolated.call('GET', `/ledger/datev?from=${year}-01-01&to=${year}-12-31`)).body);
    const lines = batch.split('\r\n').filter((line) => line.includes('Forderungsausfall'));
    expect(lines).toHaveLength(2);
    expect(
      lines
        .find((line) => line.startsWith('15,81;'))
        ?.split(';')
        .slice(6, 8),
    ).toEqual(['1776', '10000']);
    expect(
      lines
        .find((line) => line.startsWith('83,19;'))
        ?.split(';')
        .slice(6, 8),
    ).toEqual(['2400', '10000']);
    expect((await isolated.record(invoiceId, bank.id)).status).toBe(422);
    expect(await isolated.broken()).toEqual([]);
  });

  it('is paid, or written off, when it was cancelled, its money paid out, and its payment goes back', async () => {
    const isolated = await world.tenant();
    const customerId = await isolated.customer();
    const bank = await isolated.method(customerId);
    const invoiceId = await invoiceOf(isolated, customerId, 11900);
    await isolated.record(invoiceId, bank.id);
    const [cancellation] = await correct(isolated, customerId, invoiceId, {
      type: 'TYPE_CANCEL',
      gross: 11900,
      disposition: 'none',
    });
    await isolated.record(cancellation!, bank.id);
    const { data } = await isolated.ok('GET', `/payment/transactions?customer=${customerId}&type=payment`);
    await isolated.ok('POST', `/payment/transactions/${data[0].id}/return`, { reason: 'chargeback' });
    expect(await isolated.intent(invoiceId)).toMatchObject({ status: 'cancelled', openAmount: { amount: 11900 } });
    expect((await isolated.record(invoiceId, bank.id, { amount: { amount: 10000, currencyCode: 'EUR' } })).status).toBe(
      200,
    );
    expect(await isolated.intent(invoiceId)).toMatchObject({ status: 'cancelled', openAmount: { amount: 1900 } });
    await close(isolated, customerId, invoiceId, 0);
    expect(await isolated.intent(invoiceId)).toMatchObject({ status: 'cancelled', openAmount: { amount: 0 } });
    expect((await isolated.record(invoiceId, bank.id)).status).toBe(422);
    expect(await isolated.broken()).toEqual([]);
  });

  it('is written off once more after a payment of it went back', async () => {
    const isolated = await world.tenant();
    const customerId = await isolated.customer();
    const bank = await isolated.method(customerId);
    const invoiceId = await invoiceOf(isolated, customerId, 11900);
    await isolated.record(invoiceId, bank.id, { amount: { amount: 2000, currencyCode: 'EUR' } });
    await close(isolated, customerId, invoiceId, 11900);
    const { data } = await isolated.ok('GET', `/payment/transactions?customer=${customerId}`);
    await isolated.ok('POST', `/payment/transactions/${data[0].id}/return`, { reason: 'chargeback' });
    expect(await isolated.intent(invoiceId)).toMatchObject({ status: 'cancelled', openAmount: { amount: 2000 } });
    for (let times = 0; times < 2; times += 1) await close(isolated, customerId, invoiceId, 11900);
    expect(await isolated.intent(invoiceId)).toMatchObject({ status: 'cancelled', openAmount: { amount: 0 } });
    const year = dayOf(new Date(), 'Europe/Berlin').slice(0, 4);
    const batch = String((await isolated.call('GET', `/ledger/datev?from=${year}-01-01&to=${year}-12-31`)).body);
    const lines = batch.split('\r\n').filter((line) => line.includes('Forderungsausfall'));
    expect(lines.map((line) => [line.split(';')[0], line.split(';')[6]]).sort()).toEqual([
      ['15,81', '1776'],
      ['16,81', '2400'],
      ['3,19', '1776'],
      ['83,19', '2400'],
    ]);
    expect(await isolated.broken()).toEqual([]);
  });

  it('just before its customer was merged into another one is written off of that one', async () => {
    const isolated = await world.tenant();
    const [customerId, survivorId] = [await isolated.customer(), await isolated.customer()];
    const invoiceId = await invoiceOf(isolated, customerId, 11900);
    await world.database.tenant(isolated.id, async (tx) => {
      const ids = { mergeId: newUuid(), sourceCustomerId: customerId, targetCustomerId: survivorId };
      expect(
        await (world.service.get(CustomerMover) as CustomerMover).moveInTurn(tx, await recordMerge(tx, ids)),
      ).not.toBe('busy');
    });
    // What was published before the merge names who it was then.
    await close(isolated, customerId, invoiceId, 11900);
    expect(await isolated.intent(invoiceId)).toMatchObject({
      customerId: survivorId,
      status: 'cancelled',
      openAmount: { amount: 0 },
    });
    expect(await isolated.broken()).toEqual([]);
  });
});
