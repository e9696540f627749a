import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@kontor/testing';
import { OpenIntents } from '../src/intents/open-intents.js';
import { SettleOrders } from '../src/sepa/settle-orders.js';
import { BANK, bankAccount, SEPA_SELLER } from './bank-world.js';
import { back, balancesOf, importBookings, NUMBER, out } from './payout-world.js';
import type { Booking } from './statements/make-camt.js';
import { type Answer, type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
let account: string;
let customerId: string;

beforeAll(async () => {
  world = await World.start();
});
beforeEach(async () => {
  tenant = await world.tenant({ features: [], settings: { seller: SEPA_SELLER } });
  account = await bankAccount(tenant);
  customerId = await tenant.customer();
});
afterAll(() => world.stop());

const imported = (...bookings: Booking[]): Promise<void> => importBookings(tenant, account, bookings);
const owing = async (gross = 8000, number = NUMBER): Promise<string> =>
  (await tenant.finalize({ customerId, gross: -gross, number }))[0]!;
const record = async (note: string): Promise<void> => {
  expect((await tenant.record(note, (await tenant.method(customerId)).id)).status).toBe(200);
};
/** The oldest first. */
const refunds = async (): Promise<Json[]> =>
  (await tenant.ok('GET', '/payment/transactions?type=refund')).data.reverse();
const report = (refund: Json, more: object = {}): Promise<Answer> =>
  tenant.call('POST', `/payment/transactions/${refund.id}/return`, { reason: 'Konto aufgelöst', ...more });
const reported = async (more: object = {}): Promise<Json> => {
  const [refund] = (await refunds()).filter(({ status }) => status === 'succeeded');
  const { status, body } = await report(refund, more);
  expect([status, body]).toMatchObject([
    201,
    { id: refund.id, type: 'refund', status: 'failed', failReason: 'Konto aufgelöst', intents: refund.intents },
  ]);
  return body;
};
const returned = async (): Promise<Json> => (await tenant.ok('GET', `${BANK}?isReturn=true`)).data[0];
const assign = (line: Json, invoice: string) =>
  tenant.call('PUT', `${BANK}/${line.id}/assign`, { invoiceIds: [invoice] });
const balances = (): Promise<number[]> => balancesOf(tenant);
const isOwedAgain = async (note: string, gross = 8000): Promise<void> => {
  expect(await tenant.intent(note)).toMatchObject({ status: 'failed', openAmount: { amount: -gross } });
  expect(await tenant.broken()).toEqual([]);
};

describe('a pay-out that is reported to have come back', () => {
  it('is owed again, once', async () => {
    const note = await owing();
    await record(note);
    const [refund] = await refunds();
    const answers = await Promise.all([report(refund), report(refund)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect((await report(refund)).body).toMatchObject({ status: 422, reason: 'invalid_status_transition' });
    await isOwedAgain(note);
    expect(await balances()).toEqual([0, 0, 0, -8000]);
    await record(note);
    expect(await tenant.intent(note)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect((await refunds()).map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    expect(await tenant.broken()).toEqual([]);
  });

  it.each<[string, boolean, Partial<Booking>, object, number, number]>([
    ['by its end-to-end id', true, {}, {}, -0, 0],
    ['by the number, where a line has shown it', true, { endToEnd: 'ANOTHER', text: `Retoure ${NUMBER}` }, {}, 0, 0],
    ['by the number, where it was recorded', false, { endToEnd: 'ANOTHER', text: `Retoure ${NUMBER}` }, {}, 0, 0],
    ['less the fee that was reported', true, { amount: '77.00' }, { feeAmount: 3 }, -300, 300],
    ['less what the bank states', true, { amount: '77.00', charges: '3.00' }, {}, -300, 300],
    [
      'less what the bank states, some of it reported',
      true,
      { amount: '77.00', charges: '3.00' },
      { feeAmount: 1 },
      -300,
      300,
    ],
    ['as a whole: the fee is booked apart', true, {}, { feeAmount: 3 }, -300, 300],
  ])('is confirmed by its line, %s', async (_how, isShown, more, fee, bank, fees) => {
    const note = await owing();
    if (isShown) await imported(out());
    else await record(note);
    const { amount } = { amount: 'feeAmount' in fee ? Number(fee.feeAmount) * 100 : 0 };
    const { feeAmount } = await reported(fee);
    expect(feeAmount?.amount ?? 0).toBe(amount);
    await isOwedAgain(note);
    expect(await balances()).toEqual([0 - amount, 0, amount, -8000]);
    await imported(back(more));
    expect(await returned()).toMatchObject({
      status: 'STATUS_BOOKED',
      assignments: [{ invoiceId: note, amount: 8000 }],
    });
    await isOwedAgain(note);
    expect(await balances()).toEqual([bank, 0, fees, -8000].map((it) => it + 0));
    expect((await refunds()).map(({ status }) => status)).toEqual(['failed']);
  });

  it('is confirmed by a line that had waited, and by one that a person assigns', async () => {
    const note = await owing();
    await record(note);
    await imported(back({ endToEnd: 'ANOTHER', text: `Rueckueberweisung ${NUMBER}` }));
    expect(await returned()).toMatchObject({ status: 'STATUS_SUGGESTIONS_AVAILABLE' });
    await reported();
    await eventually(async () => (await returned()).status === 'STATUS_BOOKED', 'the line');
    await isOwedAgain(note);
    expect(await balances()).toEqual([0, 0, 0, -8000]);

    const other = await owing(500, 'GS-2026-82002');
    await record(other);
    await reported();
    await imported(back({ amount: '5.00', endToEnd: 'UNKNOWN', day: '2026-11-25' }));
    const [line] = (await tenant.ok('GET', `${BANK}?isReturn=true`)).data.filter(
      (it: Json) => it.status !== 'STATUS_BOOKED',
    );
    const answers = await Promise.all([assign(line, other), assign(line, other)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    await isOwedAgain(other, 500);
    expect(await balances()).toEqual([0, 0, 0, -8500]);
  });

  it('is not what a line of another amount brings back, and nothing once a line has brought it back', async () => {
    const note = await owing();
    await imported(out());
    await reported();
    await imported(back({ amount: '79.00' }));
    expect(await returned()).toMatchObject({ status: 'STATUS_MANUAL_MATCHING_REQUIRED' });
    expect((await assign(await returned(), note)).body).toMatchObject({ status: 422, reason: 'invoice_not_payable' });
    await imported(out({ endToEnd: 'OUT-2', day: '2026-11-24' }));
    await imported(back({ endToEnd: 'OUT-2', day: '2026-11-25' }));
    expect(await balances()).toEqual([7900, 7900, 0, -8000]);
    const [, second] = await refunds();
    expect((await report(second)).body).toMatchObject({ status: 422, reason: 'invalid_status_transition' });
    // The line of the first one comes at last.
    await imported(back({ day: '2026-11-26' }));
    expect(await balances()).toEqual([7900, 7900, 0, -8000]);
    await isOwedAgain(note);
  });

  it('may still get the line with which it went out; what goes out afterwards is another one', async () => {
    const note = await owing();
    await record(note);
    await reported();
    await imported(out());
    const [late] = (await tenant.ok('GET', `${BANK}?isReturn=false`)).data;
    expect(late.suggestions[0]).toMatchObject({ invoiceId: note, confirmsTransactionId: expect.any(String) });
    expect((await tenant.call('PUT', `${BANK}/accept-suggestions`, { transactionIds: [late.id] })).status).toBe(200);
    await isOwedAgain(note);
    expect(await balances()).toEqual([-8000 + 8000, 0, 0, -8000]);
    await imported(back());
    expect(await balances()).toEqual([0, 0, 0, -8000]);
    await imported(out({ endToEnd: 'OUT-2', day: '2026-11-26' }));
    expect(await tenant.intent(note)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await balances()).toEqual([-8000, 0, 0, 0]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('is owed again for all documents that it was for, reported or by a line', async () => {
    const notes = [await owing(3000, 'GS-2026-82011'), await owing(5000, 'GS-2026-82012')];
    await imported(out({ text: 'GS-2026-82011 GS-2026-82012' }));
    const [refund] = await refunds();
    expect(refund).toMatchObject({ status: 'succeeded', intents: [{ amount: { amount: 3000 } }, {}] });
    await reported();
    await isOwedAgain(notes[0]!, 3000);
    await isOwedAgain(notes[1]!, 5000);
    expect(await balances()).toEqual([0, 0, 0, -8000]);
    await imported(back());
    expect(await returned()).toMatchObject({ status: 'STATUS_BOOKED', assignments: [{}, {}] });
    expect(await balances()).toEqual([0, 0, 0, -8000]);

    await imported(out({ endToEnd: 'OUT-2', day: '2026-11-25', text: 'GS-2026-82011 GS-2026-82012' }));
    expect(await balances()).toEqual([-8000, 0, 0, 0]);
    await imported(back({ endToEnd: 'OUT-2', day: '2026-11-26' }));
    await isOwedAgain(notes[0]!, 3000);
    await isOwedAgain(notes[1]!, 5000);
    expect(await balances()).toEqual([0, 0, 0, -8000]);
  });

  it('is owed again without what was taken from it before', async () => {
    const notes = [await owing(3000, 'GS-2026-82021'), await owing(5000, 'GS-2026-82022')];
    await imported(out({ text: 'GS-2026-82021 GS-2026-82022' }));
    const [line] = (await tenant.ok('GET', BANK)).data;
    const [first] = line.assignments.filter(({ invoiceId }: Json) => invoiceId === notes[0]);
    expect((await tenant.call('DELETE', `${BANK}/${line.id}/assignments/${first.id}`)).status).toBe(204);
    const [refund] = await refunds();
    expect((await report(refund)).status).toBe(201);
    await isOwedAgain(notes[1]!, 5000);
    expect(await balances()).toEqual([-3000, -3000, 0, -8000]);
    await imported(back({ amount: '50.00' }));
    expect(await returned()).toMatchObject({ status: 'STATUS_BOOKED', assignments: [{ invoiceId: notes[1] }] });
    expect(await balances()).toEqual([-3000, -3000, 0, -8000]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('of several customers by one line, or recorded one by one, comes back by one line', async () => {
    const notes = [await owing(3000, 'GS-2026-82031'), await owing(5000, 'GS-2026-82032')];
    for (const note of notes) await record(note);
    customerId = await tenant.customer();
    const another = await owing(500, 'GS-2026-82033');
    await imported(out({ amount: '80.00', text: 'GS-2026-82031 GS-2026-82032' }));
    const [line] = (await tenant.ok('GET', BANK)).data;
    expect((await tenant.call('PUT', `${BANK}/accept-suggestions`, { transactionIds: [line.id] })).status).toBe(200);
    await imported(back());
    await isOwedAgain(notes[0]!, 3000);
    await isOwedAgain(notes[1]!, 5000);
    expect(await balances()).toEqual([0, 0, 0, -8500]);
    await imported(
      out({ amount: '85.00', endToEnd: 'OUT-2', day: '2026-11-25', text: 'GS-2026-82031 GS-2026-82032 GS-2026-82033' }),
    );
    expect(await balances()).toEqual([-8500, 0, 0, 0]);
    await imported(back({ amount: '85.00', endToEnd: 'OUT-2', day: '2026-11-26' }));
    await isOwedAgain(another, 500);
    expect(await balances()).toEqual([0, 0, 0, -8500]);
  });
});

describe('a transfer of a file', () => {
  /** A refund of an invoice that was debited; its transfer went out by a file, which a line has shown. */
  async function transferred(type: string): Promise<{ invoiceId: string; endToEnd: string; number: string }> {
    const sepaMandate = { iban: 'DE89370400440532013000', accountHolder: 'Ina Brandt' };
    const mandate = await tenant.method(customerId, 'sepa_debit', { sepaMandate });
    const [invoice] = await tenant.finalize({ customerId, gross: 50_000, method: mandate.id });
    const orders = (kind: string) => tenant.rows<Json>('SELECT id FROM sepa_order WHERE kind = $1 ORDER BY id', [kind]);
    const debit = await eventually(async () => (await orders('debit'))[0], 'the debit');
    await tenant.ok('POST', '/sepa-xml-payments/export');
    const settle = world.service.get(SettleOrders);
    await world.database.tenant(tenant.id, (tx) => settle.settle(tx, [debit.id]));
    const now = new Date();
    const event = tenant.event({ customerId, gross: -8000, type, number: NUMBER }, now);
    event.payload.referencedInvoiceId = invoice;
    if (type === 'TYPE_REFUND by bank') {
      event.payload.type = 'TYPE_REFUND';
      event.payload.paymentMethodId = (await tenant.method(customerId)).id;
    }
    const open = world.service.get(OpenIntents);
    await world.database.tenant(tenant.id, (tx) => open.execute(tx, [event] as never), { now });
    const transfer = await eventually(async () => (await orders('transfer'))[0], 'the transfer');
    await tenant.ok('POST', '/sepa-xml-payments/export');
    const endToEnd = transfer.id.replaceAll('-', '');
    await imported(out({ endToEnd, text: 'Erstattung' }));
    expect(await tenant.intent(event.payload.invoiceId)).toMatchObject({ status: 'succeeded' });
    return { invoiceId: event.payload.invoiceId, endToEnd, number: NUMBER };
  }

  it.each([['TYPE_REFUND'], ['TYPE_REFUND by bank']])('is reported, and its line confirms that: %s', async (type) => {
    const { invoiceId, endToEnd } = await transferred(type);
    const before = await balances();
    await reported({ feeAmount: 3 });
    await isOwedAgain(invoiceId);
    expect(await tenant.rows(`SELECT status FROM sepa_order WHERE kind = 'transfer'`)).toEqual([
      { status: 'returned' },
    ]);
    await imported(back({ endToEnd, amount: '77.00' }));
    expect(await returned()).toMatchObject({ status: 'STATUS_BOOKED' });
    await isOwedAgain(invoiceId);
    const [bank, suspense, , receivable] = before as [number, number, number, number];
    expect(await balances()).toEqual([bank + 7700, suspense, 300, receivable - 8000]);
  });

  it.each([
    ['TYPE_REFUND', 'its end-to-end id'],
    ['TYPE_REFUND by bank', 'its end-to-end id'],
    ['TYPE_REFUND by bank', 'its number'],
  ])('that comes back less what the bank kept is owed again: %s by %s', async (type, by) => {
    const { invoiceId, endToEnd, number } = await transferred(type);
    const before = await balances();
    const how = by === 'its number' ? { endToEnd: 'ANOTHER', text: number } : { endToEnd };
    await imported(back({ ...how, amount: '77.00', charges: '3.00' }));
    expect(await returned()).toMatchObject({ status: 'STATUS_BOOKED' });
    await isOwedAgain(invoiceId);
    const [bank, suspense, , receivable] = before as [number, number, number, number];
    expect(await balances()).toEqual([bank + 7700, suspense, 300, receivable - 8000]);
  });
});
