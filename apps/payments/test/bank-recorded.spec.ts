import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BANK, bankAccount, line, lines } from './bank-world.js';
import { MatchLines } from '../src/bank/matching/match-lines.js';
import { eventually } from '@kontor/testing';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
let account: string;
let customerId: string;
let method: string;

const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant({ settings: {} });
  account = await bankAccount(tenant);
});
beforeEach(async () => {
  customerId = await tenant.customer();
  method = (await tenant.method(customerId)).id;
});
afterAll(() => world.stop());

const major = (minor: number): string => (minor / 100).toFixed(2);
const numbered = (): string => `RE-2026-${Math.random().toString().slice(2, 9)}`;
const arrives = async (amount: number, more: object): Promise<Json> =>
  (await lines(tenant, account, [line({ amount: major(amount), bookingDate: today, ...more })]))[0];

/** An invoice that was paid by hand. */
async function recorded(gross: number, paid = gross, number = numbered()) {
  const [invoice] = await tenant.finalize({ customerId, gross, number });
  const { status, body } = await tenant.record(invoice!, method, { amount: { amount: paid, currencyCode: 'EUR' } });
  expect(status).toBe(200);
  return { invoice: invoice!, number, payment: body.transactionId as string };
}

const accept = (...ids: string[]) => tenant.call('PUT', `${BANK}/accept-suggestions`, { transactionIds: ids });
const transactions = async (): Promise<Json[]> =>
  (await tenant.ok('GET', `/payment/transactions?customer=${customerId}`)).data;
/** What the tenant's ledger says changes by this work. */
async function moved(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const balances = async (): Promise<Map<string, number>> => {
    const { data } = await tenant.ok(
      'GET',
      '/ledger/accounts?limit=100&code[]=bank&code[]=suspense&code[]=gateway_clearing',
    );
    return new Map(data.map((item: Json) => [item.code, item.balance.amount]));
  };
  const before = await balances();
  await work();
  return Object.fromEntries(
    [...(await balances())]
      .map(([code, now]) => [code, now - (before.get(code) ?? 0)])
      .filter(([, change]) => change !== 0),
  );
}

describe('a line of money that was recorded by hand', () => {
  it('never confirms by money out what came in, though too much was paid', async () => {
    await tenant.settings({ creditOverpayments: false });
    const { number } = await recorded(1000, 1500);
    const { suggestions } = await arrives(-1500, { remittanceInformation: `Erstattung ${number}` });
    await tenant.settings({ creditOverpayments: true });
    expect(suggestions.map((it: Json) => [it.score, it.confirmsTransactionId ?? null])).toEqual([[0.7, null]]);
  });

  it('suggests that it confirms the payment; accepting links the two and books nothing twice', async () => {
    const { invoice, number, payment } = await recorded(11900);
    const change = await moved(async () => {
      const found = await arrives(11900, { remittanceInformation: `Rechnung ${number}` });
      expect(found).toMatchObject({ status: 'STATUS_SUGGESTIONS_AVAILABLE', unassignedAmount: 11900 });
      expect(found.suggestions).toEqual([
        {
          invoiceId: invoice,
          score: 0.97,
          reason: `It confirms the payment of 119.00 EUR on ${number} that was recorded for ${today}: the text names it.`,
          confirmsTransactionId: payment,
        },
      ]);
      const { body } = await accept(found.id);
      expect(body.data).toMatchObject([
        { status: 'STATUS_BOOKED', unassignedAmount: 0, assignments: [{ invoiceId: invoice, amount: 11900 }] },
      ]);
    });
    // The money is on the bank account once: by the recorded payment.
    expect(change).toEqual({});
    expect((await transactions()).map((transaction) => transaction.id)).toEqual([payment]);
    expect(await tenant.intent(invoice)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await tenant.broken()).toEqual([]);
  });

  it('is recognised by its payer, without a number', async () => {
    const payer = { counterpartyIban: 'NL91ABNA0417164300', counterpartyName: 'Jansen BV' };
    const first = await recorded(5000);
    const known = await arrives(5000, { ...payer, remittanceInformation: first.number });
    await accept(known.id);
    const { invoice, payment } = await recorded(7300);
    const found = await arrives(7300, payer);
    expect(found.suggestions).toMatchObject([{ invoiceId: invoice, score: 0.75, confirmsTransactionId: payment }]);
    expect((await accept(found.id)).status).toBe(200);
    expect(await tenant.broken()).toEqual([]);
  });

  it('is not booked by itself where the same amount is still open: both are suggested', async () => {
    const { invoice, number, payment } = await recorded(20000, 10000);
    const found = await arrives(10000, { remittanceInformation: number });
    expect(found.suggestions).toMatchObject([
      { invoiceId: invoice, confirmsTransactionId: payment },
      { invoiceId: invoice, score: 0.95 },
    ]);
    await accept(found.id);
    expect(await tenant.intent(invoice)).toMatchObject({ openAmount: { amount: 10000 } });
    // The second half is another payment: nothing waits for its line any more.
    expect(await arrives(10000, { remittanceInformation: number })).toMatchObject({ status: 'STATUS_BOOKED' });
    expect(await tenant.intent(invoice)).toMatchObject({ status: 'succeeded' });
    expect(await tenant.broken()).toEqual([]);
  });

  it('confirms several recorded payments that are its amount together', async () => {
    const [a, b] = [await recorded(3000), await recorded(4500)];
    const found = await arrives(7500, { remittanceInformation: `${a.number} ${b.number}` });
    const { body } = await accept(found.id);
    expect(body.data[0].assignments.map((assignment: Json) => [assignment.invoiceId, assignment.amount])).toEqual([
      [a.invoice, 3000],
      [b.invoice, 4500],
    ]);
    expect((await transactions()).map((transaction) => transaction.id).sort()).toEqual([a.payment, b.payment].sort());
    expect(await tenant.broken()).toEqual([]);
  });

  it('that was recorded after its line had come is suggested as well', async () => {
    const number = numbered();
    const [invoice] = await tenant.finalize({ customerId, gross: 6000, number });
    const found = await arrives(5900, { remittanceInformation: number });
    expect(found.suggestions).toMatchObject([{ invoiceId: invoice, score: 0.8 }]);
    const { body } = await tenant.record(invoice!, method, { amount: { amount: 5900, currencyCode: 'EUR' } });
    await eventually(async () => {
      const { suggestions } = await tenant.ok('GET', `${BANK}/${found.id}`);
      return suggestions[0]?.confirmsTransactionId === body.transactionId;
    }, 'the suggestion');
    expect((await accept(found.id)).body.data).toMatchObject([{ status: 'STATUS_BOOKED' }]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('of a pay-out, too', async () => {
    const number = numbered();
    const poor = await world.tenant({ features: [], settings: {} });
    const its = await bankAccount(poor);
    const owner = await poor.customer();
    const [note] = await poor.finalize({ customerId: owner, gross: -2000, number });
    const { body } = await poor.record(note!, (await poor.method(owner)).id);
    const [found] = await lines(poor, its, [line({ amount: '-20.00', remittanceInformation: number })]);
    expect(found.suggestions).toMatchObject([{ invoiceId: note, confirmsTransactionId: body.transactionId }]);
    const { data } = await poor.ok('PUT', `${BANK}/accept-suggestions`, { transactionIds: [found.id] });
    expect(data).toMatchObject([{ status: 'STATUS_BOOKED', assignments: [{ invoiceId: note, amount: -2000 }] }]);
    expect(await poor.broken()).toEqual([]);
    expect((await poor.call('DELETE', `${BANK}/${found.id}/assignments/${data[0].assignments[0].id}`)).status).toBe(
      204,
    );
    expect(await poor.intent(note!)).toMatchObject({ status: 'succeeded' });
    expect(await poor.broken()).toEqual([]);
  });
});

describe('the link', () => {
  it('is undone by unassigning: the payment stays, the money waits and is suggested again', async () => {
    const { invoice, number, payment } = await recorded(4200);
    const found = await arrives(4200, { remittanceInformation: number });
    const { body } = await accept(found.id);
    const change = await moved(() =>
      tenant.call('DELETE', `${BANK}/${found.id}/assignments/${body.data[0].assignments[0].id}`),
    );
    expect(change).toEqual({ bank: 4200, suspense: 4200 });
    expect(await tenant.intent(invoice)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await tenant.ok('GET', `${BANK}/${found.id}`)).toMatchObject({
      status: 'STATUS_SUGGESTIONS_AVAILABLE',
      assignments: [],
      suggestions: [{ confirmsTransactionId: payment }],
    });
    expect((await accept(found.id)).status).toBe(200);
    expect(await tenant.broken()).toEqual([]);
  });

  it('is one: a second line of the amount does not confirm it', async () => {
    const { number } = await recorded(3100);
    const [item, two] = [
      await arrives(3100, { remittanceInformation: number }),
      await arrives(3100, { remittanceInformation: number }),
    ];
    const answers = await Promise.all([accept(item.id), accept(two.id)]);
    expect(answers.map(({ status, body }) => [status, body.reason]).sort()).toEqual([[200, undefined], [422, 'no_suggestion']]); // prettier-ignore
    expect(await tenant.broken()).toEqual([]);
  });

  it('does not come about when the payment has gone back meanwhile', async () => {
    const { number, payment } = await recorded(2700);
    const found = await arrives(2700, { remittanceInformation: number });
    await tenant.ok('POST', `/payment/transactions/${payment}/return`, { reason: 'typo' });
    const { status, body } = await accept(found.id);
    expect(status).toBe(422);
    // The invoice is open again, so the line may have been matched anew and booked for it by now.
    expect(['no_suggestion', 'transaction_not_assignable']).toContain(body.reason);
    expect(await tenant.broken()).toEqual([]);
  });

  it('can be accepted while the matching looks at its line again; what says the same is not written', async () => {
    const { number } = await recorded(9700);
    const found = await arrives(9700, { remittanceInformation: number });
    const published = async (): Promise<number> => (await tenant.events(found.id)).length;
    const before = await published();
    const again = (): Promise<void> => world.service.get(MatchLines).again(tenant.id, 100);
    await again();
    expect(await published()).toBe(before);
    const [answer] = await Promise.all([accept(found.id), again()]);
    expect(answer.status).toBe(200);
    expect(await published()).toBe(before + 1);
  });

  it('lets a returned line find the payment', async () => {
    const { invoice, number } = await recorded(9100);
    const found = await arrives(9100, { remittanceInformation: number, endToEndId: 'E2E-9100' });
    expect((await accept(found.id)).status).toBe(200);
    const back = await arrives(-9100, { isReturn: true, endToEndId: 'E2E-9100' });
    expect(back).toMatchObject({ status: 'STATUS_BOOKED', assignments: [{ invoiceId: invoice, amount: -9100 }] });
    expect(await tenant.intent(invoice)).toMatchObject({ openAmount: { amount: 9100 } });
    expect(await tenant.broken()).toEqual([]);
  });
});
