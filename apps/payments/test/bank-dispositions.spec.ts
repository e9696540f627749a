import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { BANK, bankAccount, line, lines } from './bank-world.js';
import { type Answer, type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
let account: string;
let customer: string;

beforeAll(async () => {
  world = await World.start();
  // Neither setting is on: what is asked for here happens all the same.
  tenant = await world.tenant({ settings: {} });
  account = await bankAccount(tenant);
  customer = await tenant.customer();
});
afterAll(() => world.stop());

const invoice = async (gross: number, more: object = {}): Promise<string> =>
  (await tenant.finalize({ customerId: customer, gross, ...more }))[0]!;
const money = async (amount: string, more: object = {}): Promise<Json> =>
  (await lines(tenant, account, [line({ amount, ...more })]))[0];
const dispose = (id: string, body: unknown, headers?: Record<string, string>): Promise<Answer> =>
  tenant.call('POST', `/api${BANK}/${id}/assign-with-disposition`, body, headers);
const refusal = async (id: string, body: unknown): Promise<[number, string]> => {
  const { status, body: answer } = await dispose(id, body);
  return [status, answer.reason];
};

describe('the origin of credit', () => {
  it('is the bank transfer, its method where the customer has one, and the reference of the bank', async () => {
    for (const withMethod of [false, true]) {
      customer = await tenant.customer();
      const method = withMethod ? await tenant.method(customer) : null;
      const { id, reference } = await money('80.00');
      const disposition = { invoiceIds: [await invoice(3000)], disposition: 'credit_wallet' };
      expect((await dispose(id, disposition)).status).toBe(200);
      const { items } = await tenant.ok('GET', `/api/wallet/transactions?customerId=${customer}`);
      expect(items).toMatchObject([
        {
          type: 'overpayment',
          gateway: 'bank_transfer',
          transactionReference: reference,
          originalPaymentMethod: method ? { id: method.id } : null,
        },
      ]);
    }
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('open', () => {
  it('fills the invoices in the order of the request and keeps the rest', async () => {
    const [a, b] = [await invoice(3000), await invoice(5000)];
    const { id } = await money('100.00');
    const first = await dispose(id, { invoiceIds: [b, a], disposition: 'open' });
    expect(first).toEqual({
      status: 200,
      body: {
        transactionId: id,
        status: 'STATUS_OUTSTANDING_AMOUNT',
        disposition: 'open',
        unassignedAmount: 2000,
        disposedAmount: null,
        currencyCode: 'EUR',
        payoutId: null,
      },
    });
    expect(
      (await tenant.ok('GET', `${BANK}/${id}`)).assignments.map((assignment: Json) => [
        assignment.invoiceId,
        assignment.amount,
      ]),
    ).toEqual([
      [b, 5000],
      [a, 3000],
    ]);
    expect((await dispose(id, { invoiceIds: [await invoice(2000)], disposition: 'open' })).body).toMatchObject({
      status: 'STATUS_BOOKED',
      unassignedAmount: 0,
    });
    expect(await tenant.broken()).toEqual([]);
  });

  it('gives the first one what there is when it does not suffice', async () => {
    const [a, b] = [await invoice(3000), await invoice(5000)];
    const { id } = await money('40.00');
    expect((await dispose(id, { invoiceIds: [a, b], disposition: 'open' })).body).toMatchObject({
      status: 'STATUS_BOOKED',
      unassignedAmount: 0,
    });
    expect([await tenant.intent(a), await tenant.intent(b)]).toMatchObject([
      { status: 'succeeded' },
      { status: 'open', openAmount: { amount: 4000 } },
    ]);
  });

  it('keeps to the caps', async () => {
    const [a, b] = [await invoice(3000), await invoice(5000)];
    const { id } = await money('80.00');
    const { body } = await dispose(id, {
      invoiceIds: [a, b],
      disposition: 'open',
      assignmentAmounts: { [a]: '12.34', [b]: '9999.00' },
    });
    expect(body).toMatchObject({ status: 'STATUS_OUTSTANDING_AMOUNT', unassignedAmount: 8000 - 1234 - 5000 });
    expect((await tenant.intent(a)).openAmount.amount).toBe(3000 - 1234);
  });

  it('says what to do with money for invoices that are paid', async () => {
    const paid = await invoice(1000);
    await dispose((await money('10.00')).id, { invoiceIds: [paid], disposition: 'open' });
    const { id } = await money('20.00');
    const { status, body } = await dispose(id, { invoiceIds: [paid], disposition: 'open' });
    expect([status, body]).toEqual([
      200,
      {
        transactionId: id,
        status: 'STATUS_OUTSTANDING_AMOUNT',
        disposition: 'open',
        unassignedAmount: 2000,
        disposedAmount: null,
        currencyCode: 'EUR',
        payoutId: null,
        hint: expect.stringMatching(/paid already.*credit_wallet.*ignore/),
      },
    ]);
    const unpaid = await invoice(500);
    expect((await dispose(id, { invoiceIds: [paid, unpaid], disposition: 'open' })).body).not.toHaveProperty('hint');
    expect((await dispose(id, { invoiceIds: [paid], disposition: 'credit_wallet' })).body).toMatchObject({
      status: 'STATUS_BOOKED',
      disposedAmount: 1500,
    });
  });

  it('pays back what was paid too much, and that is owed again where the line was for something else', async () => {
    const [overpaid, paid] = [await invoice(1000, { number: 'RE-2026-04790' }), await invoice(1000)];
    const { id: method } = await tenant.method(customer);
    await tenant.record(overpaid, method, { amount: { amount: 1700, currencyCode: 'EUR' } });
    await tenant.record(paid, method);
    const open = async (): Promise<number> => (await tenant.intent(overpaid)).openAmount.amount;
    expect(await open()).toBe(-700);
    const { id } = await money('-10.00');
    expect(await refusal(id, { invoiceIds: [overpaid, paid], disposition: 'open' })).toEqual([
      422,
      'invoice_not_payable',
    ]);
    expect((await dispose(id, { invoiceIds: [overpaid], disposition: 'open' })).body).toMatchObject({
      status: 'STATUS_OUTSTANDING_AMOUNT',
      unassignedAmount: -300,
    });
    expect([await open(), await tenant.broken()]).toEqual([0, []]);
    const { assignments } = await tenant.ok('GET', `${BANK}/${id}`);
    expect((await tenant.call('DELETE', `${BANK}/${id}/assignments/${assignments[0].id}`)).status).toBe(204);
    expect([await open(), await tenant.broken()]).toEqual([-700, []]);
    const booked = await money('-7.00', { remittanceInformation: 'Erstattung RE-2026-04790' });
    expect([booked.status, await open(), await tenant.broken()]).toEqual(['STATUS_BOOKED', 0, []]);
  });

  it('serves several customers, and takes paid invoices without giving them anything', async () => {
    const paid = await invoice(1000);
    await dispose((await money('10.00')).id, { invoiceIds: [paid], disposition: 'open' });
    const other = (await tenant.finalize({ customerId: await tenant.customer(), gross: 700 }))[0]!;
    const { id } = await money('20.00');
    expect((await dispose(id, { invoiceIds: [paid, other], disposition: 'open' })).body).toMatchObject({
      status: 'STATUS_OUTSTANDING_AMOUNT',
      unassignedAmount: 1300,
    });
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('credit_wallet', () => {
  it('overpays the last invoice by all of the rest, which becomes credit', async () => {
    const before = await tenant.balance(customer);
    const [a, b] = [await invoice(3000), await invoice(5000)];
    const { id } = await money('100.00');
    const { status, body } = await dispose(id, { invoiceIds: [a, b], disposition: 'credit_wallet' });
    expect([status, body]).toEqual([
      200,
      {
        transactionId: id,
        status: 'STATUS_BOOKED',
        disposition: 'credit_wallet',
        unassignedAmount: 0,
        disposedAmount: 2000,
        currencyCode: 'EUR',
        payoutId: null,
      },
    ]);
    expect(await tenant.intent(b)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect((await tenant.balance(customer)) - before).toBe(2000);
    expect((await tenant.ok('GET', `${BANK}/${id}`)).assignments.map((assignment: Json) => assignment.amount)).toEqual([
      3000, 7000,
    ]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('takes all of it for a paid invoice; taking it back takes the credit too', async () => {
    const a = await invoice(1000);
    await dispose((await money('10.00')).id, { invoiceIds: [a], disposition: 'open' });
    const before = await tenant.balance(customer);
    const { id } = await money('15.00');
    expect(
      (await dispose(id, { invoiceIds: [a], disposition: 'credit_wallet', assignmentAmounts: null })).body,
    ).toMatchObject({
      disposedAmount: 1500,
    });
    const { assignments } = await tenant.ok('GET', `${BANK}/${id}`);
    expect((await tenant.call('DELETE', `${BANK}/${id}/assignments/${assignments[0].id}`)).status).toBe(204);
    expect(await tenant.balance(customer)).toBe(before);
    expect(await tenant.intent(a)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await tenant.broken()).toEqual([]);
  });

  it('with nothing left over disposes of zero', async () => {
    const { id } = await money('10.00');
    expect((await dispose(id, { invoiceIds: [await invoice(2500)], disposition: 'credit_wallet' })).body).toMatchObject(
      {
        status: 'STATUS_BOOKED',
        disposedAmount: 0,
      },
    );
  });
});

describe('refusals, in their order', () => {
  const wallet = 'credit_wallet';

  it('403, then 404, then the body', async () => {
    const { id } = await money('1.00');
    const without = { ...tenant.key, permissions: ['bank-account-transaction:read'] };
    expect((await world.http(without, 'POST', `${BANK}/${newUuid()}/assign-with-disposition`, {})).status).toBe(403);
    const allowed = { ...tenant.key, permissions: ['BankAccountTransactionWrite'] };
    expect((await world.http(allowed, 'POST', `${BANK}/${newUuid()}/assign-with-disposition`, {})).status).toBe(404);
    expect((await world.http(allowed, 'POST', `${BANK}/${id}/assign-with-disposition`, {})).status).toBe(422);
    const other = await world.tenant();
    expect((await other.call('POST', `${BANK}/${id}/assign-with-disposition`, {})).status).toBe(404);
  });

  it.each<[string, (a: string) => unknown]>([
    ['no list', () => ({ disposition: 'open' })],
    ['an empty list', () => ({ invoiceIds: [], disposition: 'open' })],
    ['no id', () => ({ invoiceIds: ['x'], disposition: 'open' })],
    ['a number as the list', () => ({ invoiceIds: 3, disposition: 'open' })],
    ['an unknown disposition', (a) => ({ invoiceIds: [a], disposition: 'keep' })],
    ['no disposition', (a) => ({ invoiceIds: [a] })],
    ['an unknown field', (a) => ({ invoiceIds: [a], disposition: 'open', more: 1 })],
    [
      'a cap for another invoice',
      (a) => ({ invoiceIds: [a], disposition: 'open', assignmentAmounts: { [newUuid()]: '1.00' } }),
    ],
    ['a cap of zero', (a) => ({ invoiceIds: [a], disposition: 'open', assignmentAmounts: { [a]: '0.00' } })],
    ['a negative cap', (a) => ({ invoiceIds: [a], disposition: 'open', assignmentAmounts: { [a]: '-1.00' } })],
    ['a cap as a number', (a) => ({ invoiceIds: [a], disposition: 'open', assignmentAmounts: { [a]: 1 } })],
    [
      'a cap with too many decimals',
      (a) => ({ invoiceIds: [a], disposition: 'open', assignmentAmounts: { [a]: '1.001' } }),
    ],
    ['a list as the body', () => []],
  ])('%s is validation_failed', async (_what, body) => {
    const { id } = await money('1.00');
    expect(await refusal(id, body(await invoice(100)))).toEqual([422, 'validation_failed']);
    expect((await tenant.ok('GET', `${BANK}/${id}`)).unassignedAmount).toBe(100);
  });

  it('unreadable JSON alone is 400', async () => {
    const { id } = await money('1.00');
    const response = await fetch(`${world.service.url}${BANK}/${id}/assign-with-disposition`, {
      method: 'POST',
      headers: { 'x-kontor-principal': world.service.kit.tokens.sign(tenant.key), 'content-type': 'application/json' },
      body: '{"invoiceIds":',
    });
    expect(response.status).toBe(400);
  });

  it('each row of the table', async () => {
    const a = await invoice(100);
    const b = (await tenant.finalize({ customerId: await tenant.customer(), gross: 100 }))[0]!;
    const plain = (await money('1.00')).id;
    const back = (await money('-1.00', { isReturn: true })).id;
    const out = (await money('-1.00')).id;
    const payout = 'credit_wallet_and_payout';
    expect(await refusal(plain, { invoiceIds: [a], disposition: payout, assignmentAmounts: { [a]: '1.00' } })).toEqual([
      422,
      'assignment_amounts_with_wallet_disposition',
    ]);
    expect(await refusal(back, { invoiceIds: [a], disposition: payout })).toEqual([422, 'payout_not_available']);
    expect(await refusal(back, { invoiceIds: [a, b], disposition: wallet })).toEqual([422, 'return_transaction']);
    expect(await refusal(back, { invoiceIds: [a], disposition: 'open' })).toEqual([422, 'return_transaction']);
    expect(await refusal(out, { invoiceIds: [a, b], disposition: wallet })).toEqual([422, 'non_positive_transaction']);
    expect(await refusal(plain, { invoiceIds: [a, b], disposition: wallet })).toEqual([422, 'multiple_customers']);
    expect(await refusal(plain, { invoiceIds: [newUuid()], disposition: 'open' })).toEqual([422, 'unknown_reference']);
    expect(await refusal(out, { invoiceIds: [a], disposition: 'open' })).toEqual([422, 'invoice_not_payable']);
    const usd = await invoice(100, { currency: 'USD' });
    expect(await refusal(plain, { invoiceIds: [a, usd], disposition: 'open' })).toEqual([422, 'invoice_not_payable']);
    expect((await tenant.intent(a)).openAmount.amount).toBe(100);
    await dispose(plain, { invoiceIds: [a], disposition: 'open' });
    expect(await refusal(plain, { invoiceIds: [b], disposition: 'open' })).toEqual([422, 'transaction_not_assignable']);
    expect(await tenant.broken()).toEqual([]);
  });

  it('without the feature there is no credit', async () => {
    const poor = await world.tenant({ features: [] });
    const its = await bankAccount(poor);
    const [found] = await lines(poor, its, [line({ amount: '2.00' })]);
    const [item] = await poor.finalize({ customerId: await poor.customer(), gross: 100 });
    const { status, body } = await poor.call('POST', `${BANK}/${found.id}/assign-with-disposition`, {
      invoiceIds: [item],
      disposition: wallet,
    });
    expect([status, body.reason]).toEqual([403, 'feature_not_enabled']);
  });
});

describe('at the same time', () => {
  it('two assignments of one line: the money is given once', async () => {
    const [a, b] = [await invoice(5000), await invoice(5000)];
    const { id } = await money('50.00');
    const answers = await Promise.all(
      [a, b, a, b].map((item) => dispose(id, { invoiceIds: [item], disposition: 'open' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
    expect((await tenant.intent(a)).openAmount.amount + (await tenant.intent(b)).openAmount.amount).toBe(5000);
    expect(await tenant.broken()).toEqual([]);
  });

  it('two lines for one invoice, and assigning while another takes back', async () => {
    const a = await invoice(5000);
    const [item, two] = [await money('50.00'), await money('50.00')];
    const answers = await Promise.all(
      [item, two].map(({ id }) => dispose(id, { invoiceIds: [a], disposition: 'open' })),
    );
    expect(answers.map(({ body }) => body.status).sort()).toEqual(['STATUS_BOOKED', 'STATUS_OUTSTANDING_AMOUNT']);
    const winner = answers.find(({ body }) => body.status === 'STATUS_BOOKED')!.body.transactionId;
    const loser = [item.id, two.id].find((id) => id !== winner)!;
    const { assignments } = await tenant.ok('GET', `${BANK}/${winner}`);
    await Promise.all([
      tenant.call('DELETE', `${BANK}/${winner}/assignments/${assignments[0].id}`),
      dispose(loser, { invoiceIds: [a], disposition: 'open' }),
      tenant.call('DELETE', `${BANK}/${winner}/assignments/${assignments[0].id}`),
    ]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('invoices of several customers in opposite order: nobody waits for ever', async () => {
    const customers = await Promise.all(Array.from({ length: 6 }, () => tenant.customer()));
    const invoices = await tenant.finalize(...customers.map((customerId) => ({ customerId, gross: 1000 })));
    const some = await Promise.all(Array.from({ length: 6 }, () => money('10.00')));
    const answers = await Promise.all(
      some.map(({ id }, i) =>
        dispose(id, { invoiceIds: i % 2 === 0 ? invoices : [...invoices].reverse(), disposition: 'open' }),
      ),
    );
    expect(answers.map(({ body }) => body.status)).toEqual(some.map(() => 'STATUS_BOOKED'));
    for (const item of invoices) expect((await tenant.intent(item)).status).toBe('succeeded');
    expect(await tenant.broken()).toEqual([]);
  });
});
