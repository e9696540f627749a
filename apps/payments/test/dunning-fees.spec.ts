import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CloseIntents } from '../src/corrections/close-intents.js';
import { OpenIntents } from '../src/intents/open-intents.js';
import { bankAccount, line, lines } from './bank-world.js';
import { type Json, type Tenant, World } from './world.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const eur = (amount: number) => ({ amount, currencyCode: 'EUR' });

async function opened(of: Tenant, customerId: string, document: object, more: object = {}): Promise<string> {
  const now = new Date();
  const event = of.event({ customerId, ...document } as never, now);
  const events = [{ ...event, payload: { ...event.payload, ...more } }];
  await world.database.tenant(of.id, (tx) => world.service.get(OpenIntents).execute(tx, events as never), { now });
  return event.payload.invoiceId;
}

/** An invoice over 119.00 and the fee of 5.00 of its reminder. */
async function dunned(gateway = 'bank_transfer') {
  const tenant = await world.tenant({ settings: { creditOverpayments: true } });
  const customerId = await tenant.customer();
  const bank = await tenant.method(customerId);
  const invoiceId = await opened(tenant, customerId, { gross: 11900, tax: 1900 });
  if (gateway !== 'bank_transfer') await tenant.method(customerId, gateway);
  const feeId = await opened(
    tenant,
    customerId,
    { gross: 500, type: 'TYPE_DUNNING' },
    { referencedInvoiceId: invoiceId },
  );
  return { tenant, customerId, bank, invoiceId, feeId };
}

const openOf = async (tenant: Tenant, ...ids: string[]): Promise<number[]> =>
  Promise.all(ids.map(async (id) => (await tenant.intent(id)).openAmount.amount));
const ledger = async (of: Tenant): Promise<Record<string, number>> => {
  const { data } = await of.ok('GET', '/ledger/accounts?limit=100');
  return Object.fromEntries(data.map((account: Json) => [account.code, account.balance.amount]));
};

describe('the fee of a dunning letter', () => {
  it('is owed on an account of its own, and is not collected by itself', async () => {
    const { tenant, customerId, feeId } = await dunned('testing');
    expect(await tenant.intent(feeId)).toMatchObject({ status: 'open', openAmount: eur(500) });
    expect(await ledger(tenant)).toMatchObject({ revenue: 10000, tax: 1900, dunning_fees: 500, receivable: 12400 });
    expect((await tenant.ok('GET', `/payment/transactions?customer=${customerId}`)).data).toEqual([]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('is paid by what is more than the invoice has open, the rest becomes credit; a return takes back both', async () => {
    const { tenant, customerId, bank, invoiceId, feeId } = await dunned();
    const { body } = await tenant.record(invoiceId, bank.id, { operationId: 'a', amount: eur(12700) });
    const answer = body as Json;
    expect(answer.intent).toMatchObject({ invoiceId, status: 'succeeded' });
    expect(await openOf(tenant, invoiceId, feeId)).toEqual([0, 0]);
    expect(await tenant.balance(customerId)).toBe(300);
    const again = (await tenant.record(invoiceId, bank.id, { operationId: 'a', amount: eur(12700) })).body as Json;
    expect(again).toMatchObject({ transactionId: answer.transactionId, intent: { invoiceId } });
    await tenant.ok('POST', `/payment/transactions/${answer.transactionId}/return`, { reason: 'Rücklastschrift' });
    expect(await openOf(tenant, invoiceId, feeId)).toEqual([11900, 500]);
    expect(await tenant.balance(customerId)).toBe(0);
    expect(await tenant.broken()).toEqual([]);
  });

  it.each([
    ['its number', ['MA-2026-71001'], '124.00', [0, 0]],
    ['the number of the invoice', ['RE-2026-71001'], '124.00', [0, 0]],
    ['both', ['MA-2026-71001', 'RE-2026-71001'], '124.00', [0, 0]],
    ['its number: the fee alone', ['MA-2026-71001'], '5.00', [11900, 0]],
    ['the number of the invoice: that alone', ['RE-2026-71001'], '119.00', [0, 500]],
    ['both, with another amount: nothing', ['MA-2026-71001', 'RE-2026-71001'], '123.99', [11900, 500]],
  ])(
    'is paid with its invoice by a bank line of what the letter claims, which names %s',
    async (_by, names, amount, left) => {
      const tenant = await world.tenant({ features: [] });
      const customerId = await tenant.customer();
      const invoiceId = await opened(tenant, customerId, { gross: 11900, tax: 1900, number: 'RE-2026-71001' });
      const letter = { gross: 500, type: 'TYPE_DUNNING', number: 'MA-2026-71001' };
      const feeId = await opened(tenant, customerId, letter, { referencedInvoiceId: invoiceId });
      const [booked] = await lines(tenant, await bankAccount(tenant), [
        line({ amount, remittanceInformation: names.join(' ') }),
      ]);
      expect(booked.status).toBe(amount === '123.99' ? 'STATUS_SUGGESTIONS_AVAILABLE' : 'STATUS_BOOKED');
      expect(await openOf(tenant, invoiceId, feeId)).toEqual(left);
      expect(await tenant.broken()).toEqual([]);
    },
  );

  it('owes again with its invoice what a bank line had paid, when that is unassigned, and both are suggested', async () => {
    const tenant = await world.tenant({ features: [] });
    const customerId = await tenant.customer();
    const invoiceId = await opened(tenant, customerId, { gross: 11900, tax: 1900, number: 'RE-2026-71011' });
    const letter = { gross: 500, type: 'TYPE_DUNNING', number: 'MA-2026-71011' };
    const feeId = await opened(tenant, customerId, letter, { referencedInvoiceId: invoiceId });
    const [{ id }] = await lines(tenant, await bankAccount(tenant), [
      line({ amount: '124.00', remittanceInformation: 'MA-2026-71011' }),
    ]);
    const bank = '/payment/bank-account-transactions';
    const read = async (): Promise<Json> => (await tenant.ok('GET', bank)).data[0];
    const left = [11900, 0];
    for (const assignment of (await read()).assignments) {
      expect((await tenant.call('DELETE', `${bank}/${id}/assignments/${assignment.id}`)).status).toBe(204);
      expect(await openOf(tenant, invoiceId, feeId)).toEqual(left);
      left[1] = 500;
    }
    expect((await read()).suggestions).toMatchObject([{ score: 0.95 }, { score: 0.95 }]);
    expect((await tenant.call('PUT', `${bank}/accept-suggestions`, { transactionIds: [id] })).status).toBe(200);
    expect(await openOf(tenant, invoiceId, feeId)).toEqual([0, 0]);
    expect(await tenant.broken()).toEqual([]);
  });

  const cancel = (of: Tenant, customerId: string, feeId: string) => {
    const payload = { invoiceId: feeId, customerId, reason: 'dunning_cancelled', taxes: [] };
    return world.database.tenant(of.id, (tx) => world.service.get(CloseIntents).execute(tx, [payload as never]));
  };

  it('is not owed any more when its document is cancelled', async () => {
    const { tenant, customerId, feeId } = await dunned();
    await cancel(tenant, customerId, feeId);
    await cancel(tenant, customerId, feeId);
    expect(await tenant.intent(feeId)).toMatchObject({ status: 'cancelled', openAmount: eur(0) });
    expect(await ledger(tenant)).toMatchObject({ dunning_fees: 0, receivable: 11900 });
    expect(await tenant.broken()).toEqual([]);
  });

  it.each([500, 200])('of which %i were paid is not owed again when that goes back after its end', async (paid) => {
    const { tenant, customerId, bank, feeId } = await dunned();
    const { body } = await tenant.record(feeId, bank.id, { amount: eur(paid) });
    await cancel(tenant, customerId, feeId);
    expect(await tenant.intent(feeId)).toMatchObject({ status: 'cancelled', openAmount: eur(0) });
    const path = `/payment/transactions/${(body as Json).transactionId}/return`;
    await tenant.ok('POST', path, { reason: 'Rücklastschrift' });
    expect(await tenant.intent(feeId)).toMatchObject({ status: 'cancelled', openAmount: eur(0) });
    expect(await ledger(tenant)).toMatchObject({ dunning_fees: 0, receivable: 11900, bank: 0 });
    const year = new Date().getUTCFullYear();
    const batch = String((await tenant.call('GET', `/ledger/datev?from=${year}-01-01&to=${year}-12-31`)).body);
    expect(batch.split('\r\n').filter((row) => row.includes('Forderungsausfall'))).toHaveLength(paid === 500 ? 1 : 2);
    expect(await tenant.broken()).toEqual([]);
  });

  it('has an account of its own in DATEV', async () => {
    const { tenant } = await dunned();
    const { accounts } = await tenant.ok('GET', '/ledger/datev/settings');
    expect(accounts.dunning_fees).toBe('2705');
  });
});
