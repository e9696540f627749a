import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OpenIntents } from '../src/intents/open-intents.js';
import { BANK, bankAccount } from './bank-world.js';
import { back, balancesOf, importBookings, NUMBER, out } from './payout-world.js';
import type { Booking } from './statements/make-camt.js';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
let account: string;
let customerId: string;

beforeAll(async () => {
  world = await World.start();
});
beforeEach(async () => {
  tenant = await world.tenant({ features: [], settings: {} });
  account = await bankAccount(tenant);
  customerId = await tenant.customer();
});
afterAll(() => world.stop());

const imported = (...bookings: Booking[]): Promise<void> => importBookings(tenant, account, bookings);
const owing = async (gross = 8000, number = NUMBER): Promise<string> =>
  (await tenant.finalize({ customerId, gross: -gross, number }))[0]!;
const report = async (note: string): Promise<void> => {
  expect((await tenant.record(note, (await tenant.method(customerId)).id)).status).toBe(200);
};
const returned = async (): Promise<Json> => (await tenant.ok('GET', `${BANK}?isReturn=true`)).data[0];
const outgoing = async (): Promise<Json> => (await tenant.ok('GET', `${BANK}?isReturn=false`)).data[0];
const accept = (line: Json) => tenant.call('PUT', `${BANK}/accept-suggestions`, { transactionIds: [line.id] });
const assign = (line: Json, invoice: string, more: object = {}) =>
  tenant.call('PUT', `${BANK}/${line.id}/assign`, { invoiceIds: [invoice], ...more });
const balances = (): Promise<number[]> => balancesOf(tenant);
const isOwedAgain = async (note: string, gross = 8000): Promise<void> => {
  expect(await tenant.intent(note)).toMatchObject({ status: 'failed', openAmount: { amount: -gross } });
  expect(await tenant.broken()).toEqual([]);
};

describe('a transfer to a customer that comes back', () => {
  it.each<[string, Partial<Booking>, number]>([
    ['the end-to-end id', {}, 0],
    ['the number of the document', { endToEnd: 'ANOTHER', text: `Rueckueberweisung ${NUMBER}` }, 0],
    ['either, less what the bank says that it kept', { amount: '77.00', charges: '3.00' }, 300],
  ])('is owed again, by %s', async (_by, more, fees) => {
    const note = await owing();
    await imported(out());
    expect(await tenant.intent(note)).toMatchObject({ status: 'succeeded' });
    await imported(back(more));
    expect(await returned()).toMatchObject({
      status: 'STATUS_BOOKED',
      assignments: [{ invoiceId: note, amount: 8000 }],
    });
    await isOwedAgain(note);
    expect(await balances()).toEqual([0 - fees, 0, fees, -8000]);
    expect((await tenant.ok('GET', `/payment/transactions?customer=${customerId}`)).data).toMatchObject([
      { type: 'refund', status: 'failed' },
    ]);
    // What is paid once more is another payout.
    await imported(out({ day: '2026-11-25', endToEnd: 'OUT-2' }));
    expect(await tenant.intent(note)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await balances()).toEqual([-8000 - fees, 0, fees, 0]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('is for a person where the amount is another, or nothing says which', async () => {
    const note = await owing();
    await imported(out(), back({ amount: '79.00' }), back({ endToEnd: 'ANOTHER', day: '2026-11-25' }));
    const { data } = await tenant.ok('GET', `${BANK}?isReturn=true`);
    expect(data.map(({ status }: Json) => status)).toEqual(Array(2).fill('STATUS_MANUAL_MATCHING_REQUIRED'));
    const [unnamed, other] = data;
    expect((await assign(other, note)).body).toMatchObject({ status: 422, reason: 'invoice_not_payable' });
    const caps = { disposition: 'open', assignmentAmounts: { [note]: '1.00' } };
    const { body } = await tenant.call('POST', `${BANK}/${unnamed.id}/assign-with-disposition`, {
      invoiceIds: [note],
      ...caps,
    });
    expect(body).toMatchObject({ status: 422, reason: 'return_transaction' });
    const answers = await Promise.all([assign(unnamed, note), assign(unnamed, note)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(answers.find(({ status }) => status === 200)!.body).toMatchObject({
      status: 'STATUS_BOOKED',
      unassignedAmount: 0,
    });
    await isOwedAgain(note);
  });

  it('that was recorded and that a line has confirmed is taken back like any other', async () => {
    const note = await owing();
    await report(note);
    await imported(out());
    expect((await accept(await outgoing())).status).toBe(200);
    await imported(back());
    await isOwedAgain(note);
    expect(await balances()).toEqual([0, 0, 0, -8000]);
  });

  it('that was only recorded is suggested; its own line confirms it later, and pays nothing anew', async () => {
    const note = await owing();
    await report(note);
    await imported(back({ endToEnd: 'ANOTHER', text: `Rueckueberweisung ${NUMBER}` }));
    const line = await returned();
    expect(line).toMatchObject({ status: 'STATUS_SUGGESTIONS_AVAILABLE', suggestions: [{ invoiceId: note }] });
    expect((await accept(line)).status).toBe(200);
    await isOwedAgain(note);
    expect(await balances()).toEqual([0, 0, 0, -8000]);

    await imported(out());
    const late = await outgoing();
    expect(late.suggestions[0]).toMatchObject({ invoiceId: note, confirmsTransactionId: expect.any(String) });
    expect((await accept(late)).status).toBe(200);
    await isOwedAgain(note);
    expect(await balances()).toEqual([0, 0, 0, -8000]);

    await imported(out({ day: '2026-11-26', endToEnd: 'OUT-2' }));
    expect(await tenant.intent(note)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await tenant.broken()).toEqual([]);
  });

  /** An invoice that a line has paid, and the refund of it that another has paid out. */
  async function refunded(): Promise<{ invoice: string; refund: string }> {
    const [invoice] = await tenant.finalize({ customerId, gross: 8000, number: 'RE-2026-81002' });
    await imported({ amount: '80.00', endToEnd: 'IN-1', text: 'RE-2026-81002' });
    const now = new Date();
    const event = tenant.event({ customerId, gross: -8000, number: NUMBER, type: 'TYPE_REFUND' }, now);
    event.payload.referencedInvoiceId = invoice;
    const open = world.service.get(OpenIntents);
    await world.database.tenant(tenant.id, (tx) => open.execute(tx, [event] as never), { now });
    await imported(out());
    expect(await tenant.intent(event.payload.invoiceId)).toMatchObject({ status: 'succeeded' });
    return { invoice: invoice!, refund: event.payload.invoiceId };
  }

  it('is suggested where its text names the invoice alone', async () => {
    const { refund } = await refunded();
    await imported(back({ endToEnd: 'ANOTHER', text: 'Rueckgabe RE-2026-81002' }));
    const line = await returned();
    expect(line.suggestions).toMatchObject([{ invoiceId: refund, score: 0.6 }]);
    expect((await accept(line)).status).toBe(200);
    await isOwedAgain(refund);
  });

  it('meets its invoice where the money of that went back, too', async () => {
    const { invoice, refund } = await refunded();
    await imported({ ...back({ endToEnd: 'IN-1' }), debit: true });
    expect(await tenant.intent(invoice)).toMatchObject({ status: 'open', openAmount: { amount: 8000 } });
    await imported(back());
    for (const document of [invoice, refund])
      expect(await tenant.intent(document)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await balances()).toEqual([0, 0, 0, 0]);
    expect(await tenant.broken()).toEqual([]);
  });
});
