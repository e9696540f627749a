import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InvariantError } from '@kontor/kernel';
import { eventually } from '@kontor/testing';
import { BookReturns } from '../src/bank/matching/book-returns.js';
import { BANK, bankAccount, importFile } from './bank-world.js';
import { type Booking, camt } from './statements/make-camt.js';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
let account: string;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
  account = await bankAccount(tenant);
});
afterAll(() => world.stop());

const opened = async (gross: number, number: string): Promise<string> =>
  (await tenant.finalize({ customerId: await tenant.customer(), gross, number }))[0]!;

const imported = async (...bookings: Booking[]): Promise<void> => {
  const { status, body } = await importFile(tenant, account, camt(bookings));
  expect([status, body.imported]).toEqual([201, bookings.length]);
};

const isOpen = (invoice: string, amount: number): Promise<Json> =>
  eventually(async () => {
    const intent = await tenant.intent(invoice);
    return intent.status === 'open' && intent.openAmount.amount === amount && intent;
  }, `${invoice} is open again`);

const back = (amount: string, id: string, day = '2026-11-24'): Booking => ({
  amount, debit: true, day, endToEnd: `E-${id}`, text: 'Rueckgabe', returnCode: 'AC04',
}); // prettier-ignore

const bookedReturn = async (id: string): Promise<Json> =>
  (await tenant.ok('GET', `${BANK}?isReturn=true&endToEndId=E-${id}`)).data[0];

it('a return whose file is imported before that of its payment opens the invoice as soon as that is there', async () => {
  const invoice = await opened(8000, 'RE-2026-71001');
  await imported(back('80.00', '71001'));
  expect(await bookedReturn('71001')).toMatchObject({ status: 'STATUS_MANUAL_MATCHING_REQUIRED' });
  await imported({ amount: '80.00', endToEnd: 'E-71001', text: 'RE-2026-71001' });
  await isOpen(invoice, 8000);
  expect(await bookedReturn('71001')).toMatchObject({ status: 'STATUS_BOOKED', assignments: [{ invoiceId: invoice }] });
  expect(await tenant.broken()).toEqual([]);
});

it('paid, returned, and paid once more in one file: each is booked, and the invoice paid', async () => {
  const invoice = await opened(8100, 'RE-2026-71002');
  await imported({ amount: '81.00', endToEnd: 'E-71002', text: 'RE-2026-71002' }, back('81.00', '71002'), {
    amount: '81.00',
    day: '2026-11-26',
    endToEnd: 'AGAIN',
    text: 'RE-2026-71002',
  });
  const lines = await eventually(async () => {
    const { data } = await tenant.ok('GET', `${BANK}?limit=100`);
    const ours = data.filter((line: Json) => Math.abs(line.amount.amount) === 8100);
    return ours.every((line: Json) => line.status === 'STATUS_BOOKED') && ours;
  }, 'all three are booked');
  expect(lines).toHaveLength(3);
  expect(await tenant.intent(invoice)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
  expect(await tenant.broken()).toEqual([]);
});

it.each(['accepted', 'assigned'])('a return opens the invoice when its payment is %s later', async (how) => {
  const [id, cents] = how === 'accepted' ? ['71003', 8200] : ['71004', 8300];
  const invoice = await opened(cents, `RE-2026-${id}`);
  const amount = `${cents / 100 + 1}.00`;
  await imported({ amount, endToEnd: `E-${id}`, text: `RE-2026-${id}` }, back(`${cents / 100}.00`, id));
  const { data } = await tenant.ok('GET', `${BANK}?isReturn=false&endToEndId=E-${id}`);
  if (how === 'accepted') await tenant.ok('PUT', `${BANK}/accept-suggestions`, { transactionIds: [data[0].id] });
  else await tenant.ok('PUT', `${BANK}/${data[0].id}/assign`, { invoiceIds: [invoice] });
  await isOpen(invoice, cents);
  expect(await bookedReturn(id)).toMatchObject({ status: 'STATUS_BOOKED' });
  expect(await tenant.broken()).toEqual([]);
});

describe('a return that somebody reports', () => {
  const balances = async (): Promise<number[]> => {
    const { data } = await tenant.ok('GET', '/ledger/accounts?limit=100');
    return ['bank', 'suspense', 'fees'].map((code) => data.find((it: Json) => it.code === code)?.balance.amount ?? 0);
  };
  const paymentOn = async (customer: string): Promise<string> =>
    (await tenant.ok('GET', `/payment/transactions?customer=${customer}&type=payment`)).data[0].id;
  const fresh = async (): Promise<void> => {
    tenant = await world.tenant();
    account = await bankAccount(tenant);
  };

  /** An invoice that a line has paid, and whose payment was reported as gone back. */
  async function reported(gross: number, number: string, more: object = {}): Promise<string> {
    const customerId = await tenant.customer();
    const [invoice] = await tenant.finalize({ customerId, gross, number });
    await imported({ amount: `${gross / 100}.00`, endToEnd: `E-${number}`, text: number });
    await tenant.ok('POST', `/payment/transactions/${await paymentOn(customerId)}/return`, {
      reason: 'came back',
      ...more,
    });
    return invoice!;
  }

  const fee = { feeAmount: { amount: 300, currencyCode: 'EUR' } };
  it.each<[string, object, Partial<Booking>, number]>([
    ['of its amount', {}, {}, 0],
    ['with the fee that was reported', fee, { amount: '83.00' }, 300],
    ['without the fee that was reported, which comes apart', fee, {}, 300],
    ['with a fee that the bank states', {}, { amount: '83.00', charges: '3.00' }, 300],
    ['with a fee that nobody stated', {}, { amount: '83.00' }, 300],
    ['that names the invoice alone', {}, { endToEnd: 'ANOTHER', text: 'RE-2026-72001' }, 0],
  ])('is confirmed by its line %s, and booked once', async (_how, report, more, fees) => {
    await fresh();
    const invoice = await reported(8000, 'RE-2026-72001', report);
    await imported({ ...back('80.00', 'RE-2026-72001'), ...more });
    const { data } = await tenant.ok('GET', `${BANK}?isReturn=true`);
    expect(data).toMatchObject([
      { status: 'STATUS_BOOKED', unassignedAmount: 0, assignments: [{ invoiceId: invoice, amount: -8000 }] },
    ]);
    const wentOut = Number(more.amount ?? '80.00') * 100;
    const apart = more.amount === undefined ? fees : 0;
    expect(await balances()).toEqual([8000 - wentOut - apart, 0, fees]);
    expect(await tenant.intent(invoice)).toMatchObject({ status: 'open', openAmount: { amount: 8000 } });
    // Another line of the kind is another return, of which nothing is known.
    await imported({ ...back('80.00', 'RE-2026-72001', '2026-11-27'), ...more });
    expect((await tenant.ok('GET', `${BANK}?isReturn=true&status=STATUS_BOOKED`)).data).toHaveLength(1);
    expect(await tenant.broken()).toEqual([]);
  });

  it('is not taken for that of what was paid once more, and may be reported after its line has come', async () => {
    await fresh();
    const invoice = await reported(8000, 'RE-2026-72002');
    await imported({ amount: '80.00', day: '2026-11-22', endToEnd: 'AGAIN', text: 'RE-2026-72002' });
    await imported({ ...back('80.00', 'UNKNOWN'), text: 'RE-2026-72002' });
    expect(await tenant.intent(invoice)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await balances()).toEqual([8000, 0, 0]);

    const customerId = await tenant.customer();
    await tenant.finalize({ customerId, gross: 9000, number: 'RE-2026-72003' });
    await imported({ amount: '90.00', endToEnd: 'E-72003', text: 'RE-2026-72003' }, back('95.00', '72003'));
    expect((await balances())[1]).toBe(-9500);
    await tenant.ok('POST', `/payment/transactions/${await paymentOn(customerId)}/return`, { reason: 'came back' });
    await eventually(async () => (await balances())[1] === 0, 'the line confirms it');
    expect(await balances()).toEqual([8000 - 500, 0, 500]);
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('parts of a payment that somebody reports', () => {
  const balances = async (): Promise<number[]> => {
    const { data } = await tenant.ok('GET', '/ledger/accounts?limit=100');
    return ['bank', 'suspense', 'fees'].map((code) => data.find((it: Json) => it.code === code)?.balance.amount ?? 0);
  };
  const booked = async (): Promise<number[]> =>
    (await tenant.ok('GET', `${BANK}?isReturn=true&status=STATUS_BOOKED`)).data.map((it: Json) => it.amount.amount);

  async function reportedParts(...parts: number[]): Promise<string> {
    tenant = await world.tenant();
    account = await bankAccount(tenant);
    const invoice = await opened(8000, 'RE-2026-72101');
    await imported({ amount: '80.00', endToEnd: 'E-72101', text: 'RE-2026-72101' });
    const [payment] = (await tenant.ok('GET', '/payment/transactions?type=payment')).data;
    for (const amount of parts)
      await tenant.ok('POST', `/payment/transactions/${payment.id}/return`, {
        reason: 'came back',
        amount: { amount, currencyCode: 'EUR' },
      });
    return invoice;
  }

  it.each<[string, Partial<Booking>]>([
    ['end-to-end id', {}],
    ['invoice', { endToEnd: 'ANOTHER', text: 'RE-2026-72101' }],
  ])('are each confirmed by a line, equal ones as well: by the %s', async (_by, more) => {
    const invoice = await reportedParts(3000, 3000);
    await imported({ ...back('30.00', '72101'), ...more }, { ...back('30.00', '72101', '2026-11-25'), ...more });
    expect(await booked()).toEqual([-3000, -3000]);
    expect(await balances()).toEqual([2000, 0, 0]);
    await imported({ ...back('30.00', '72101', '2026-11-26'), ...more });
    expect(await booked()).toHaveLength(2);
    expect(await tenant.intent(invoice)).toMatchObject({ openAmount: { amount: 6000 } });
    expect(await tenant.broken()).toEqual([]);
  });

  it('need no report where somebody accepts what their lines suggest', async () => {
    const invoice = await reportedParts();
    await imported({ ...back('30.00', 'ANOTHER'), text: 'RE-2026-72101' });
    const line = await bookedReturn('ANOTHER');
    expect(line).toMatchObject({ status: 'STATUS_SUGGESTIONS_AVAILABLE', suggestions: [{ invoiceId: invoice }] });
    await tenant.ok('PUT', `${BANK}/accept-suggestions`, { transactionIds: [line.id] });
    expect(await booked()).toEqual([-3000]);
    expect(await balances()).toEqual([5000, 0, 0]);
    expect(await tenant.intent(invoice)).toMatchObject({ openAmount: { amount: 3000 } });
    expect(await tenant.broken()).toEqual([]);
  });

  it('are not a smaller payment with a fee of the bank that is more than it', async () => {
    tenant = await world.tenant();
    account = await bankAccount(tenant);
    const invoice = await opened(8000, 'RE-2026-72101');
    await imported(
      { amount: '10.00', endToEnd: 'FIRST', text: 'RE-2026-72101' },
      { amount: '70.00', endToEnd: 'SECOND', text: 'RE-2026-72101' },
    );
    const paid = (await tenant.ok('GET', BANK)).data.map(({ id }: Json) => id);
    await tenant.ok('PUT', `${BANK}/accept-suggestions`, { transactionIds: paid });
    await imported({ ...back('30.00', 'ANOTHER'), text: 'RE-2026-72101' });
    await tenant.ok('PUT', `${BANK}/accept-suggestions`, { transactionIds: [(await bookedReturn('ANOTHER')).id] });
    expect(await balances()).toEqual([5000, 0, 0]);
    expect(await tenant.intent(invoice)).toMatchObject({ openAmount: { amount: 3000 } });
    expect(await tenant.broken()).toEqual([]);
  });

  it('are not taken for the line of another part with a fee of the bank', async () => {
    const invoice = await reportedParts(3000);
    await imported(back('50.00', '72101'));
    expect(await tenant.intent(invoice)).toMatchObject({ openAmount: { amount: 8000 } });
    await imported(back('30.00', '72101', '2026-11-25'));
    expect((await booked()).sort()).toEqual([-3000, -5000]);
    expect(await balances()).toEqual([0, 0, 0]);

    const other = await reportedParts(3000);
    await imported(back('45.00', '72101'));
    expect(await tenant.intent(other)).toMatchObject({ openAmount: { amount: 3000 } });
    expect(await booked()).toEqual([]);
    expect((await balances())[2]).toBe(0);
    expect(await tenant.broken()).toEqual([]);
  });
});

it('the return of a direct debit that was reported: its line confirms it and ends the mandate, and keeps no others waiting', async () => {
  const seller = {
    company: 'X',
    bankAccount: { iban: 'DE02120300000000202051' },
    creditorIdentifier: 'DE98ZZZ09999999999',
  };
  tenant = await world.tenant({ settings: { seller } });
  account = await bankAccount(tenant);
  const customerId = await tenant.customer();
  const mandate = await tenant.method(customerId, 'sepa_debit', { sepaMandate: { iban: 'DE89370400440532013000' } });
  const [invoice] = await tenant.finalize({ customerId, gross: 5000 });
  const [order] = await eventually(async () => {
    const rows = await tenant.rows<Json>('SELECT * FROM sepa_order');
    return rows.length === 1 && rows;
  }, 'the debit');
  await tenant.ok('POST', '/sepa-xml-payments/export');
  const other = await opened(7000, 'RE-2026-73001');
  await imported({ amount: '50.00', endToEnd: order!.end_to_end_id });
  await tenant.ok('POST', `/payment/transactions/${order!.id}/return`, { reason: 'the customer says so' });

  await imported(
    { amount: '53.00', debit: true, endToEnd: order!.end_to_end_id, returnCode: 'AC04' },
    { amount: '70.00', text: 'RE-2026-73001' },
  );
  expect(await tenant.intent(other)).toMatchObject({ status: 'succeeded' });
  expect(await tenant.intent(invoice!)).toMatchObject({ openAmount: { amount: 5000 } });
  expect((await tenant.ok('GET', `${BANK}?isReturn=true`)).data).toMatchObject([
    { status: 'STATUS_BOOKED', unassignedAmount: 0, assignments: [{ invoiceId: invoice, amount: -5000 }] },
  ]);
  expect(await tenant.rows('SELECT status, status_reason FROM sepa_order')).toEqual([
    { status: 'returned', status_reason: 'AC04' },
  ]);
  expect(await tenant.ok('GET', `/payment-methods/${mandate.id}`)).toMatchObject({ status: 'revoked' });
  const { data } = await tenant.ok('GET', '/ledger/accounts?limit=100');
  const balances = ['bank', 'suspense', 'fees'].map(
    (code) => data.find((it: Json) => it.code === code)?.balance.amount,
  );
  expect(balances).toEqual([7000 - 300, 0, 300]);
  expect(await tenant.broken()).toEqual([]);
});

it('a line that cannot be booked keeps none of its file waiting', async () => {
  const invoices = [await opened(6100, 'RE-2026-74001'), await opened(6200, 'RE-2026-74002')];
  const returns = world.service.get(BookReturns);
  const execute = returns.execute.bind(returns);
  returns.execute = async (tx, line) => {
    if (line.endToEndId === 'E-74003') throw new InvariantError('a fault of ours');
    return execute(tx, line);
  };
  await imported({ amount: '61.00', text: 'RE-2026-74001' }, back('63.00', '74003'), {
    amount: '62.00',
    text: 'RE-2026-74002',
  });
  for (const invoice of invoices) expect(await tenant.intent(invoice)).toMatchObject({ status: 'succeeded' });
  // Somebody has to look at it; when its cause is gone, it goes on by itself.
  expect(await bookedReturn('74003')).toMatchObject({ status: 'STATUS_RECEIVED' });
  expect(await tenant.rows(`SELECT 1 FROM due_work WHERE kind = 'payments.match_bank'`)).toHaveLength(1);
  returns.execute = execute;
});

it.each([
  ['by itself', false, '72001', '72002'],
  ['and confirms what was reported', true, '72003', '72004'],
])('one line takes back the payments of the invoices that it names together, %s', async (_how, isReported, a, b) => {
  const [cents, others] = [8500 + Number(a.slice(-1)), 9500 + Number(b.slice(-1))];
  const invoices = [await opened(cents, `RE-2026-${a}`), await opened(others, `RE-2026-${b}`)];
  const amountOf = (minor: number): string => (minor / 100).toFixed(2);
  await imported(
    { amount: amountOf(cents), endToEnd: `E-${a}`, text: `RE-2026-${a}` },
    { amount: amountOf(others), endToEnd: `E-${b}`, text: `RE-2026-${b}` },
  );
  if (isReported)
    for (const invoice of invoices) {
      const { data } = await tenant.ok('GET', `/payment/transactions?invoice=${invoice}&type=payment`);
      await tenant.ok('POST', `/payment/transactions/${data[0].id}/return`, { reason: 'recalled' });
    }
  await imported({
    amount: amountOf(cents + others),
    debit: true,
    day: '2026-11-24',
    text: `Sammelrueckgabe RE-2026-${a} RE-2026-${b}`,
    returnCode: 'MS03',
  });
  await isOpen(invoices[0]!, cents);
  await isOpen(invoices[1]!, others);
  const { data } = await tenant.ok('GET', `${BANK}?isReturn=true&order[bookingDate]=desc&limit=100`);
  const line = data.find((each: Json) => each.amount.amount === -cents - others);
  expect(line).toMatchObject({ status: 'STATUS_BOOKED', unassignedAmount: 0 });
  expect(line.assignments.map((part: Json) => part.invoiceId).sort()).toEqual([...invoices].sort());
  expect(await tenant.broken()).toEqual([]);
});
