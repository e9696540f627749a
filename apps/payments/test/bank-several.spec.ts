import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dayOf } from '@kontor/kernel';
import { BANK, bankAccount, line, lines } from './bank-world.js';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
let account: string;
let customerId: string;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
  account = await bankAccount(tenant);
  customerId = await tenant.customer();
});
afterAll(() => world.stop());

/** Invoices over these amounts, a line, and the assignment of all of it. */
async function paid(amounts: number[], amount: string, more: { disposition?: string; line?: object } = {}) {
  const invoices = await tenant.finalize(...amounts.map((gross) => ({ customerId, gross })));
  const [found] = await lines(tenant, account, [line({ amount, ...more.line })]);
  const { disposition = 'open' } = more;
  await tenant.ok('POST', `${BANK}/${found.id}/assign-with-disposition`, { invoiceIds: invoices, disposition });
  const [transaction] = await transactionsOf(invoices[0]!);
  const { assignments } = await tenant.ok('GET', `${BANK}/${found.id}`);
  return { invoices, lineId: found.id as string, transaction, assignments: assignments as Json[] };
}

async function transactionsOf(invoiceId: string): Promise<Json[]> {
  const { id } = await tenant.intent(invoiceId);
  return (await tenant.ok('GET', `/payment/transactions?intent=${id}`)).data;
}

const openOf = (invoices: readonly string[]): Promise<number[]> =>
  Promise.all(invoices.map(async (id) => (await tenant.intent(id)).openAmount.amount));
const unassign = async (lineId: string, assignment: Json): Promise<number> =>
  (await tenant.call('DELETE', `${BANK}/${lineId}/assignments/${assignment.id}`)).status;

describe('a line over several invoices', () => {
  it('is one payment of several intents, found by each of them', async () => {
    const { invoices, transaction } = await paid([1000, 2000, 3000], '60.00');
    const intents = await Promise.all(invoices.map((id) => tenant.intent(id)));
    expect(transaction).toMatchObject({ type: 'payment', status: 'succeeded', customerId, amount: { amount: 6000 } });
    expect(transaction.intents).toEqual(
      intents.map(({ id }, i) => ({ id, amount: { amount: 1000 * (i + 1), currencyCode: 'EUR' } })),
    );
    for (const id of invoices)
      expect((await transactionsOf(id)).map((transaction) => transaction.id)).toEqual([transaction.id]);
    const { data } = await tenant.ok('GET', `/ledger/transfers?operation=payment:${transaction.id}`);
    expect(data.map((item: Json) => [item.debit.code, item.credit.code, item.amount.amount]).sort()).toEqual(
      [1000, 2000, 3000].map((amount) => ['suspense', 'receivable', amount]),
    );
    expect(await tenant.broken()).toEqual([]);
  });

  it('is one payment for each customer', async () => {
    const other = await tenant.customer();
    const [a, b, c] = await tenant.finalize(
      { customerId, gross: 100 },
      { customerId: other, gross: 200 },
      { customerId, gross: 300 },
    );
    const [found] = await lines(tenant, account, [line({ amount: '6.00' })]);
    await tenant.ok('PUT', `${BANK}/${found.id}/assign`, { invoiceIds: [a, b, c] });
    const [payment] = await transactionsOf(a!);
    expect([payment.amount.amount, payment.intents.length, (await transactionsOf(c!))[0].id]).toEqual([
      400,
      2,
      payment.id,
    ]);
    expect((await transactionsOf(b!))[0]).toMatchObject({ customerId: other, amount: { amount: 200 } });
    const { assignments } = await tenant.ok('GET', `${BANK}/${found.id}`);
    expect(assignments.map((assignment: Json) => assignment.invoiceId)).toEqual([a, b, c]);
  });

  it('is matched by itself as one payment, too', async () => {
    const invoices = await tenant.finalize(
      { customerId, gross: 1100, number: 'RE-2026-07001' },
      { customerId, gross: 2200, number: 'RE-2026-07002' },
    );
    await lines(tenant, account, [line({ amount: '33.00', remittanceInformation: 'RE-2026-07001 RE-2026-07002' })]);
    const [transaction] = await transactionsOf(invoices[1]!);
    expect([transaction.amount.amount, transaction.intents.length]).toEqual([3300, 2]);
  });

  it('names each invoice in the booking batch', async () => {
    const year = dayOf(new Date(), 'Europe/Berlin').slice(0, 4);
    const invoices = await tenant.finalize(
      { customerId, gross: 4100, number: 'RE-DATEV-1' },
      { customerId, gross: 4200, number: 'RE-DATEV-2' },
    );
    const [found] = await lines(tenant, account, [line({ amount: '83.00' })]);
    await tenant.ok('PUT', `${BANK}/${found.id}/assign`, { invoiceIds: [...invoices].reverse() });
    expect((await transactionsOf(invoices[0]!))[0].intents).toHaveLength(2);
    const response = await fetch(`${world.service.url}/ledger/datev?from=${year}-01-01&to=${year}-12-31`, {
      headers: { 'x-kontor-principal': world.service.kit.tokens.sign(tenant.key) },
    });
    const rows = (await response.text()).split('\r\n').filter((row) => row.includes('Zahlungseingang RE-DATEV'));
    expect(rows.map((row) => [/^"?[\d,]+/.exec(row)?.[0], /RE-DATEV-\d/.exec(row)?.[0]]).sort()).toEqual([
      ['41,00', 'RE-DATEV-1'],
      ['42,00', 'RE-DATEV-2'],
    ]);
  });
});

describe('taking back', () => {
  it('one invoice leaves the others paid; the payment stands until the last', async () => {
    const { invoices, lineId, transaction, assignments } = await paid([1000, 2000, 3000], '60.00');
    expect(await unassign(lineId, assignments[1])).toBe(204);
    expect(await openOf(invoices)).toEqual([0, 2000, 0]);
    expect(await tenant.ok('GET', `${BANK}/${lineId}`)).toMatchObject({
      status: 'STATUS_OUTSTANDING_AMOUNT',
      unassignedAmount: 2000,
    });
    expect((await tenant.ok('GET', `/payment/transactions/${transaction.id}`)).status).toBe('succeeded');
    const back = (await transactionsOf(invoices[1]!)).find((transaction) => transaction.type === 'return');
    expect(back).toMatchObject({
      amount: { amount: 2000 },
      returnedTransactionId: transaction.id,
      intents: [{ amount: { amount: 2000 } }],
    });
    expect(await tenant.broken()).toEqual([]);
    expect([await unassign(lineId, assignments[0]), await unassign(lineId, assignments[2])]).toEqual([204, 204]);
    expect(await openOf(invoices)).toEqual([1000, 2000, 3000]);
    expect((await tenant.ok('GET', `/payment/transactions/${transaction.id}`)).status).toBe('returned');
    expect(await tenant.broken()).toEqual([]);
  });

  it('and assigning it again pays by a payment of its own', async () => {
    const { invoices, lineId, assignments } = await paid([1000, 2000], '30.00');
    await unassign(lineId, assignments[0]);
    await tenant.ok('PUT', `${BANK}/${lineId}/assign`, { invoiceIds: [invoices[0]] });
    expect(await openOf(invoices)).toEqual([0, 0]);
    expect((await tenant.ok('GET', `${BANK}/${lineId}`)).status).toBe('STATUS_BOOKED');
    expect(await tenant.broken()).toEqual([]);
  });

  it('the overpaid invoice takes its credit along, the others theirs not', async () => {
    customerId = await tenant.customer();
    const { invoices, lineId, assignments } = await paid([1000, 2000], '50.00', { disposition: 'credit_wallet' });
    expect(await tenant.balance(customerId)).toBe(2000);
    await unassign(lineId, assignments[0]);
    // The credit that is still there pays what is open again.
    expect(await openOf(invoices)).toEqual([0, 0]);
    expect(await tenant.balance(customerId)).toBe(1000);
    await unassign(lineId, assignments[1]);
    expect(await openOf(invoices)).toEqual([1000, 2000]);
    expect(await tenant.balance(customerId)).toBe(0);
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('going back', () => {
  it('the whole of it opens all invoices again; what was taken back before does not go twice', async () => {
    const { invoices, lineId, transaction, assignments } = await paid([1000, 2000, 3000], '60.00');
    await unassign(lineId, assignments[0]);
    const back = await tenant.ok('POST', `/payment/transactions/${transaction.id}/return`, { reason: 'fraud' });
    expect([back.amount.amount, back.intents.map((intent: Json) => intent.amount.amount)]).toEqual([
      5000,
      [2000, 3000],
    ]);
    expect(await openOf(invoices)).toEqual([1000, 2000, 3000]);
    const again = await tenant.call('POST', `/payment/transactions/${transaction.id}/return`, { reason: 'again' });
    expect([again.status, again.body.reason]).toEqual([422, 'invalid_status_transition']);
    const late = await tenant.call('DELETE', `${BANK}/${lineId}/assignments/${assignments[1].id}`);
    expect([late.status, late.body.reason]).toEqual([422, 'invalid_status_transition']);
    expect(await tenant.broken()).toEqual([]);
  });

  it('by a line of the bank: found by its end-to-end id, with an assignment to each invoice', async () => {
    const { invoices } = await paid([1000, 2000], '30.00', { line: { endToEndId: 'SAMMEL-77' } });
    const [back] = await lines(tenant, account, [line({ amount: '-30.00', isReturn: true, endToEndId: 'SAMMEL-77' })]);
    expect(back).toMatchObject({ status: 'STATUS_BOOKED', unassignedAmount: 0 });
    expect(back.assignments.map((assignment: Json) => [assignment.invoiceId, assignment.amount])).toEqual([
      [invoices[0], -1000],
      [invoices[1], -2000],
    ]);
    expect(await openOf(invoices)).toEqual([1000, 2000]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('with a fee that nobody reported: the end-to-end id suggests it, and accepting books the fee', async () => {
    const { invoices } = await paid([4200], '42.00', { line: { endToEndId: 'E2-FEE' } });
    const [back] = await lines(tenant, account, [line({ amount: '-45.00', isReturn: true, endToEndId: 'E2-FEE' })]);
    expect(back.suggestions).toMatchObject([{ invoiceId: invoices[0], score: 0.8 }]);
    expect(back.suggestions[0].reason).toMatch(
      /end-to-end id of the payment of 42\.00 EUR on .*; 3\.00 EUR more would be the bank's fee\.$/,
    );
    const { data } = await tenant.ok('PUT', `${BANK}/accept-suggestions`, { transactionIds: [back.id] });
    expect(data).toMatchObject([{ status: 'STATUS_BOOKED', unassignedAmount: 0, assignments: [{ amount: -4200 }] }]);
    expect(await openOf(invoices)).toEqual([4200]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('by a line that names one of its invoices', async () => {
    const invoices = await tenant.finalize(
      { customerId, gross: 1300, number: 'RE-2026-07101' },
      { customerId, gross: 2400, number: 'RE-2026-07102' },
    );
    await lines(tenant, account, [line({ amount: '37.00', remittanceInformation: 'RE-2026-07101, RE-2026-07102' })]);
    const [back] = await lines(tenant, account, [
      line({ amount: '-37.00', isReturn: true, remittanceInformation: 'Retoure RE-2026-07102' }),
    ]);
    expect(back.status).toBe('STATUS_BOOKED');
    expect(await openOf(invoices)).toEqual([1300, 2400]);
    expect(await tenant.broken()).toEqual([]);
  });
});

it('a line that pays out several credit notes is one refund; one of them can be taken back', async () => {
  const poor = await world.tenant({ features: [], settings: {} });
  const its = await bankAccount(poor);
  const owner = await poor.customer();
  const notes = await poor.finalize({ customerId: owner, gross: -700 }, { customerId: owner, gross: -300 });
  const [found] = await lines(poor, its, [line({ amount: '-10.00' })]);
  await poor.ok('PUT', `${BANK}/${found.id}/assign`, { invoiceIds: notes });
  const { data } = await poor.ok('GET', '/payment/transactions?type=refund');
  expect(data.map((item: Json) => [item.amount.amount, item.intents.map((part: Json) => part.amount.amount)])).toEqual([
    [1000, [700, 300]],
  ]);
  const { assignments } = await poor.ok('GET', `${BANK}/${found.id}`);
  for (const [at, open] of [
    [0, [-700, 0]],
    [1, [-700, -300]],
  ] as const) {
    // prettier-ignore
    expect((await poor.call('DELETE', `${BANK}/${found.id}/assignments/${assignments[at].id}`)).status).toBe(204);
    expect(await Promise.all(notes.map(async (id) => (await poor.intent(id)).openAmount.amount))).toEqual(open);
    expect(await poor.broken()).toEqual([]);
  }
});
