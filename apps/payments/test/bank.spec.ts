import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { BANK, bankAccount, importFile, importLines, line, lineOf, lines } from './bank-world.js';
import { eventually, statementsOf } from '@kontor/testing';
import { type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
let account: string;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
  account = await bankAccount(tenant);
});
afterAll(() => world.stop());

describe('bank accounts', () => {
  it.each([
    ['DE89370400440532013001', 'invalid_iban'],
    ['DE8937040044053201300', 'invalid_iban'],
    ['XX89370400440532013000', 'invalid_iban'],
  ])('%s is refused', async (iban, code) => {
    const { status, body } = await tenant.call('POST', '/bank-accounts', { iban });
    expect([status, body.reason, body.violations?.[0]?.code]).toEqual([422, 'validation_failed', code]);
  });

  it('are there once, with and without the prefix', async () => {
    const { status, body } = await tenant.call('POST', '/api/bank-accounts', { iban: 'de89 3704 0044 0532 0130 00' });
    expect([status, body.reason]).toEqual([422, 'already_exists']);
    const { data } = await tenant.ok('GET', '/api/bank-accounts');
    expect(data).toMatchObject([{ id: account, iban: 'DE89370400440532013000', currencyCode: 'EUR' }]);
  });
});

describe('a statement line', () => {
  it('with the invoice number and the open amount is booked by itself', async () => {
    const customer = await tenant.customer();
    const [invoice] = await tenant.finalize({ customerId: customer, gross: 11900, number: 'RE-2026-04711' });
    const answer = await importLines(tenant, account, [
      line({ amount: '119.00', remittanceInformation: 'Rechnung re 2026/04711 vielen Dank' }),
    ]);
    expect(answer.body).toEqual({ imported: 1, duplicates: 0, failed: 0, errors: [] });
    const found = await lineOf(tenant, invoice!);
    expect(found).toMatchObject({
      status: 'STATUS_BOOKED',
      unassignedAmount: 0,
      assignments: [{ invoiceId: invoice, amount: 11900 }],
      suggestions: [],
    });
    expect(await tenant.intent(invoice!)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await tenant.broken()).toEqual([]);
  });

  it('with a long purpose is booked with its beginning, cut between characters', async () => {
    const customer = await tenant.customer();
    const [invoice] = await tenant.finalize({ customerId: customer, gross: 100, number: 'RE-2026-04710' });
    const purpose = `RE-2026-04710 ${'x'.repeat(985)}😀 and more`;
    await importLines(tenant, account, [line({ remittanceInformation: purpose })]);
    expect(await lineOf(tenant, invoice!)).toMatchObject({ status: 'STATUS_BOOKED', remittanceInformation: purpose });
    const [payment] = await world.test.peek('SELECT description FROM payment_transaction WHERE customer_id = $1', [
      customer,
    ]);
    expect(payment).toEqual({ description: purpose.slice(0, 999) });
  });

  it('with the number and another amount suggests, in words', async () => {
    const [invoice] = await tenant.finalize({
      customerId: await tenant.customer(),
      gross: 11900,
      number: 'RE-2026-04712',
    });
    const [found] = await lines(tenant, account, [line({ amount: '100.00', remittanceInformation: 'RE-2026-04712' })]);
    expect(found.status).toBe('STATUS_SUGGESTIONS_AVAILABLE');
    expect(found.suggestions).toEqual([
      {
        invoiceId: invoice,
        score: 0.8,
        reason:
          'The text names RE-2026-04712, but the amount is 19.00 EUR less than the 119.00 EUR that are open on it.',
      },
    ]);
    const { data } = await tenant.ok('PUT', '/payment/bank-account-transactions/accept-suggestions', {
      transactionIds: [found.id],
    });
    expect(data).toMatchObject([{ status: 'STATUS_BOOKED', assignments: [{ invoiceId: invoice, amount: 10000 }] }]);
    expect(await tenant.intent(invoice!)).toMatchObject({ status: 'open', openAmount: { amount: 1900 } });
  });

  it('of a payer who paid before, with the amount alone, suggests', async () => {
    const customer = await tenant.customer();
    await tenant.finalize({ customerId: customer, gross: 5000, number: 'RE-2026-04713' });
    const payer = { counterpartyIban: 'NL91ABNA0417164300', counterpartyName: 'Jansen BV' };
    await lines(tenant, account, [line({ ...payer, amount: '50.00', remittanceInformation: 'RE202604713' })]);
    const [next] = await tenant.finalize({ customerId: customer, gross: 7500, number: 'RE-2026-04714' });
    const [found] = await lines(tenant, account, [line({ ...payer, amount: '75.00', remittanceInformation: 'danke' })]);
    expect(found).toMatchObject({
      status: 'STATUS_SUGGESTIONS_AVAILABLE',
      suggestions: [{ invoiceId: next, score: 0.7 }],
    });
  });

  it('that nobody knows is for a person; it can be ignored', async () => {
    const [found] = await lines(tenant, account, [line({ amount: '1.23', remittanceInformation: 'Miete' })]);
    expect(found).toMatchObject({ status: 'STATUS_MANUAL_MATCHING_REQUIRED', unassignedAmount: 123, suggestions: [] });
    const { data } = await tenant.ok('PUT', `${BANK}/ignore`, { transactionIds: [found.id] });
    expect(data).toMatchObject([{ status: 'STATUS_IGNORED' }]);
    const refused = await tenant.call('PUT', `${BANK}/${found.id}/assign`, {
      invoiceIds: [(await tenant.finalize({ customerId: await tenant.customer(), gross: 123 }))[0]],
    });
    expect([refused.status, refused.body.reason]).toEqual([422, 'transaction_not_assignable']);
  });

  it('names several invoices whose sum it is: all are booked', async () => {
    const [a, b] = await tenant.finalize(
      { customerId: await tenant.customer(), gross: 1000, number: 'RE-2026-04715' },
      { customerId: await tenant.customer(), gross: 2345, number: 'RE-2026-04716' },
    );
    const [found] = await lines(tenant, account, [
      line({ amount: '33.45', remittanceInformation: 'RE-2026-04715, RE-2026-\n04716' }),
    ]);
    expect(found).toMatchObject({ status: 'STATUS_BOOKED' });
    expect(
      found.assignments
        .map((assignment: { invoiceId: string; amount: number }) => [assignment.invoiceId, assignment.amount])
        .sort(),
    ).toEqual(
      [
        [a, 1000],
        [b, 2345],
      ].sort(),
    );
    expect(await tenant.broken()).toEqual([]);
  });

  it('is matched again when its invoice comes later', async () => {
    const [found] = await lines(tenant, account, [
      line({ amount: '77.00', remittanceInformation: 'Vorab RE-2026-09999' }),
    ]);
    expect(found.status).toBe('STATUS_MANUAL_MATCHING_REQUIRED');
    const [invoice] = await tenant.finalize({
      customerId: await tenant.customer(),
      gross: 7700,
      number: 'RE-2026-09999',
    });
    // The runner may be at it already: it is waited for, not started.
    const booked = await eventually(async () => {
      const seen = await tenant.ok('GET', `${BANK}/${found.id}`);
      return seen.status === 'STATUS_BOOKED' && seen;
    }, 'the matching');
    expect(booked.assignments).toMatchObject([{ invoiceId: invoice }]);
  });
});

describe('taking an assignment back', () => {
  it('opens the invoice again and the money waits; it is not booked by itself again', async () => {
    const [invoice] = await tenant.finalize({
      customerId: await tenant.customer(),
      gross: 4200,
      number: 'RE-2026-05001',
    });
    const [found] = await lines(tenant, account, [line({ amount: '42.00', remittanceInformation: 'RE-2026-05001' })]);
    expect((await tenant.call('DELETE', `/api${BANK}/${found.id}/assignments/${found.assignments[0].id}`)).status).toBe(
      204,
    );
    expect(await tenant.intent(invoice!)).toMatchObject({ status: 'open', openAmount: { amount: 4200 } });
    expect(await tenant.ok('GET', `${BANK}/${found.id}`)).toMatchObject({
      status: 'STATUS_SUGGESTIONS_AVAILABLE',
      unassignedAmount: 4200,
      assignments: [],
      suggestions: [{ invoiceId: invoice }],
    });
    expect((await tenant.call('DELETE', `${BANK}/${found.id}/assignments/${found.assignments[0].id}`)).status).toBe(
      404,
    );
    const again = await tenant.ok('PUT', `${BANK}/${found.id}/assign`, { invoiceIds: [invoice] });
    expect(again).toMatchObject({
      status: 'STATUS_BOOKED',
      disposition: 'open',
      unassignedAmount: 0,
      disposedAmount: null,
      payoutId: null,
    });
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('the import', () => {
  it('takes a booking once, and two equal transfers of a day twice', async () => {
    const other = await world.tenant();
    const its = await bankAccount(other);
    const same = { amount: '20.00', remittanceInformation: 'Beitrag', bookingDate: '2026-11-20' };
    const list = [line({ ...same, reference: 'A' }), line({ ...same, reference: 'B' })];
    expect((await importLines(other, its, list)).body).toMatchObject({ imported: 2, duplicates: 0 });
    expect((await importLines(other, its, list)).body).toMatchObject({ imported: 0, duplicates: 2 });
    expect((await importLines(other, its, [list[0]!, list[0]!])).body).toMatchObject({ imported: 0, duplicates: 2 });
  });

  it('of all years reads the bookings of its days and amounts alone', async () => {
    const other = await world.tenant();
    const its = await bankAccount(other);
    const [first, last] = [
      line({ bookingDate: '2020-01-02', amount: '7.00' }),
      line({ bookingDate: '2026-11-20', amount: '8.00' }),
    ];
    const between = ['2021-05-04', '2023-05-04', '2026-11-20'].map((bookingDate) => line({ bookingDate }));
    await importLines(other, its, [first, ...between]);
    const statements = await statementsOf(async () =>
      expect((await importLines(other, its, [first, last])).body).toMatchObject({ imported: 1, duplicates: 1 }),
    );
    const [read] = statements.filter(({ text }) => /^\s*SELECT[^]+FROM bank_entry\b/.test(text));
    const found = await world.test.peek<{ amountMinor: bigint }>(read!.text, read!.params);
    expect(found.map(({ amountMinor }) => amountMinor).sort()).toEqual([700n, 800n]);
  });

  it('names what is wrong with single bookings and takes the others', async () => {
    const { status, body } = await importLines(tenant, account, [
      line({ amount: '0.00' }),
      line({ amount: '1.005' }),
      line({ currencyCode: 'USD' }),
      line({ bookingDate: '2026-02-30' }),
      line({ amount: '99999999999999999' }),
      line({ amount: 'viel' }),
      line({ amount: '3.00' }),
    ]);
    expect(status).toBe(201);
    expect(body).toMatchObject({ imported: 1, duplicates: 0, failed: 6 });
    expect(body.errors.map((error: { index: number; code: string }) => [error.index, error.code])).toEqual([
      [0, 'zero_amount'],
      [1, 'too_many_decimals'],
      [2, 'currency_mismatch'],
      [3, 'invalid_date'],
      [4, 'amount_out_of_range'],
      [5, 'invalid_amount'],
    ]);
  });

  it('takes the others when one booking is not even readable', async () => {
    const answer = await importLines(tenant, account, [
      { reference: 'x' },
      line({ amount: 5 }),
      line({ more: true }),
      line({ amount: '0.00' }),
      'booking',
      line({ amount: '3.10' }),
    ] as never);
    expect(answer).toMatchObject({ status: 201, body: { imported: 1, failed: 5 } });
    expect(answer.body.errors.map((error: { index: number; code: string }) => [error.index, error.code])).toEqual([
      [0, 'required'],
      [1, 'invalid_type'],
      [2, 'unknown_field'],
      [3, 'zero_amount'],
      [4, 'invalid_request'],
    ]);
    const none = await importLines(tenant, account, [{}] as never);
    expect(none).toMatchObject({ status: 201, body: { imported: 0, failed: 1 } });
  });

  it('takes the others when one booking has text that cannot be stored', async () => {
    const answer = await importLines(tenant, account, [
      line({ remittanceInformation: 'Rechnung\u0000' }),
      line({ reference: 'half \ud83d' }),
      line({ amount: '4.10' }),
    ] as never);
    expect(answer).toMatchObject({ status: 201, body: { imported: 1, failed: 2 } });
    expect(answer.body.errors).toMatchObject([
      { index: 0, code: 'invalid_characters', reference: expect.any(String) },
      { index: 1, code: 'invalid_characters', reference: null },
    ]);
    const beside = { bankAccountId: `${account}\u0000`, transactions: [line({})] };
    const refused = await tenant.call('POST', '/payment/bank-account-transactions/import', beside);
    expect(refused).toMatchObject({ status: 422, body: { reason: 'validation_failed' } });
  });

  it('tells accounts apart that the bank names by its own numbers', async () => {
    const added = { iban: 'DE02120300000000202051', accountIdentifications: ['12345678/1020304050', '517852257'] };
    const other = await tenant.ok('POST', '/bank-accounts', added);
    expect(other.accountIdentifications).toEqual(added.accountIdentifications);
    for (const [at, named] of added.accountIdentifications.entries()) {
      const file = `:20:X\n:25:${named}\n:28C:${at + 1}/1\n:61:260131C5${at}NTRFNONREF\n:86:Danke\n-\n`;
      expect(await importFile(tenant, other.id, file)).toMatchObject({ status: 201, body: { imported: 1, failed: 0 } });
      expect(await importFile(tenant, account, file)).toMatchObject({
        status: 422,
        body: { reason: 'account_mismatch' },
      });
    }
  });

  it.each([
    ['an unknown account', { bankAccountId: newUuid() }, 422, 'unknown_reference'],
    ['no list', { transactions: undefined }, 400, 'invalid_request'],
    ['an unknown field', { more: 1 }, 400, 'unknown_field'],
  ])('refuses %s', async (_what, more, status, reason) => {
    const answer = await tenant.call('POST', `${BANK}/import`, {
      bankAccountId: account,
      transactions: [line({})],
      ...more,
    });
    expect([answer.status, answer.body.reason]).toEqual([status, reason]);
  });

  it('reads a file in a thread', async () => {
    const answer = await importFile(tenant, account, '<Document><BkToCstmrStmt>');
    expect([answer.status, answer.body.reason]).toEqual([422, 'statement_unreadable']);
  });
});
