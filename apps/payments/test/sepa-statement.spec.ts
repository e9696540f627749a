import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { OpenIntents } from '../src/intents/open-intents.js';
import { BANK, bankAccount, importFile, SEPA_SELLER } from './bank-world.js';
import { type Booking, camt, mt940 } from './statements/make-camt.js';
import { eventually } from '@kontor/testing';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
let account: string;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

interface Debit {
  readonly invoice: string;
  readonly method: Json;
  readonly endToEnd: string;
  readonly amount: string;
}

const waiting = (count: number): Promise<Json[]> =>
  eventually(async () => {
    const rows = await tenant.rows<Json>(`SELECT * FROM sepa_order WHERE status = 'waiting' ORDER BY id`);
    return rows.length >= count && rows;
  }, `${count} orders waiting`);

/** Invoices of customers with a mandate each, exported in one file. */
async function exported(...grosses: number[]): Promise<{ debits: Debit[]; file: Json }> {
  const methods = await Promise.all(
    grosses.map(async () =>
      tenant.method(await tenant.customer(), 'sepa_debit', { sepaMandate: { iban: 'DE89370400440532013000' } }),
    ),
  );
  const invoices = await tenant.finalize(...methods.map(({ customerId }, i) => ({ customerId, gross: grosses[i]! })));
  const orders = await waiting(grosses.length);
  const { data } = await tenant.ok('POST', '/sepa-xml-payments/export');
  const debits = await Promise.all(
    invoices.map(async (invoice, i) => {
      const { id } = await tenant.intent(invoice);
      const order = orders.find((order) => order.intent_id === id);
      return { invoice, method: methods[i], endToEnd: order.end_to_end_id, amount: (grosses[i]! / 100).toFixed(2) };
    }),
  );
  return { debits, file: data[0] };
}

/** A settled debit's refund, in cents; its document. */
async function refunded({ method, invoice }: Debit, cents: number): Promise<string> {
  const now = new Date();
  const event = tenant.event({ customerId: method.customerId, gross: -cents, type: 'TYPE_REFUND' }, now);
  event.payload.referencedInvoiceId = invoice;
  await world.database.tenant(tenant.id, (tx) => world.service.get(OpenIntents).execute(tx, [event] as never), { now });
  return event.payload.invoiceId as string;
}

async function statement(bookings: Booking[], options: { id?: string; mt940?: boolean } = {}): Promise<Json> {
  const { id = newUuid() } = options;
  const content = options.mt940 ? mt940(bookings) : camt(bookings, { id });
  const { status, body } = await importFile(
    tenant,
    account,
    content,
    options.mt940 ? 'statement.sta' : 'statement.xml',
  );
  expect(status).toBe(201);
  return body;
}

const partOf = ({ amount, endToEnd }: Debit): Booking => ({ amount, endToEnd, name: 'Payer' });
const backOf = (debit: Debit, returnCode: string, more: Partial<Booking> = {}): Booking => ({
  amount: debit.amount, debit: true, endToEnd: debit.endToEnd, returnCode, name: 'Payer', day: '2026-11-24', text: 'RUECKLASTSCHRIFT', ...more,
}); // prettier-ignore
const statusesOf = (debits: readonly Debit[]): Promise<string[]> =>
  Promise.all(debits.map(async ({ invoice }) => (await tenant.intent(invoice)).status));
const lineWith = async (filter: string): Promise<Json> => (await tenant.ok('GET', `${BANK}?${filter}`)).data[0];
const orderStatuses = async (): Promise<string[]> =>
  (await tenant.rows<{ status: string }>('SELECT status FROM sepa_order ORDER BY amount_minor')).map(
    ({ status }) => status,
  );
const idOf = async (debit: Debit): Promise<string> =>
  (await tenant.rows<Json>(`SELECT id FROM sepa_order WHERE end_to_end_id = '${debit.endToEnd}'`))[0]!.id;
const balanceOf = async (code: string): Promise<number> => {
  const { data } = await tenant.ok('GET', `/ledger/accounts?code=${code}`);
  return data[0]?.balance.amount ?? 0;
};

describe('the file went to the bank', () => {
  const fresh = async (features: string[] = []): Promise<void> => {
    tenant = await world.tenant({ features, settings: { seller: SEPA_SELLER } });
    account = await bankAccount(tenant);
  };

  it('its batch is one entry with its parts: each debit is settled; one comes back later and its invoice is open again', async () => {
    await fresh();
    const { debits, file } = await exported(5000, 8000, 11900);
    expect(await statusesOf(debits)).toEqual(['processing', 'processing', 'processing']);
    const batch: Booking = {
      amount: '249.00',
      batch: file.batches[0].paymentInformationId,
      message: file.messageId,
      parts: debits.map(partOf),
    };
    expect(await statement([batch])).toMatchObject({ imported: 3, failed: 0 });
    expect(await statusesOf(debits)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(await orderStatuses()).toEqual(['settled', 'settled', 'settled']);
    const line = await lineWith(`endToEndId=${debits[0]!.endToEnd}`);
    expect(line).toMatchObject({
      status: 'STATUS_BOOKED',
      unassignedAmount: 0,
      assignments: [{ invoiceId: debits[0]!.invoice, amount: 5000 }],
    });
    expect([await balanceOf('bank'), await balanceOf('suspense')]).toEqual([24900, 0]);
    const taken = await tenant.call('DELETE', `${BANK}/${line.id}/assignments/${line.assignments[0].id}`);
    expect([taken.status, taken.body.reason]).toEqual([422, 'transaction_not_assignable']);

    expect(await statement([backOf(debits[0]!, 'AM04', { amount: '53.00', charges: '3.00' })])).toMatchObject({
      imported: 1,
    });
    expect(await tenant.intent(debits[0]!.invoice)).toMatchObject({ openAmount: { amount: 5000 } });
    expect((await statusesOf(debits)).slice(1)).toEqual(['succeeded', 'succeeded']);
    expect(await orderStatuses()).toEqual(['returned', 'settled', 'settled']);
    const { data } = await tenant.ok(
      'GET',
      `/payment/transactions?customer=${debits[0]!.method.customerId}&type=return`,
    );
    expect(data).toMatchObject([
      { amount: { amount: 5000 }, feeAmount: { amount: 300 }, description: 'AM04 (not enough money on the account)' },
    ]);
    expect([await balanceOf('bank'), await balanceOf('suspense'), await balanceOf('fees')]).toEqual([
      24900 - 5300,
      0,
      300,
    ]);
    // Not enough money does not end a mandate; its first debit is still to come.
    expect(await tenant.ok('GET', `/payment-methods/${debits[0]!.method.id}`)).toMatchObject({
      status: 'active',
      sepaMandate: { sequenceType: 'FRST' },
    });
    expect(await tenant.broken()).toEqual([]);

    await statement([backOf(debits[1]!, 'AC04')]);
    expect(await tenant.ok('GET', `/payment-methods/${debits[1]!.method.id}`)).toMatchObject({ status: 'revoked' });
    expect(await tenant.intent(debits[1]!.invoice)).toMatchObject({ openAmount: { amount: 8000 } });
    // The same bookings once more, in whatever file: nothing happens.
    expect(await statement([batch])).toMatchObject({ imported: 0, duplicates: 3 });
    expect(await tenant.broken()).toEqual([]);
  });

  it.each<[string, (file: Json) => Booking, boolean]>([
    [
      'by its payment information',
      (file) => ({ amount: '249.00', batch: file.batches[0].paymentInformationId }),
      false,
    ],
    ['by the message alone', (file) => ({ amount: '249.00', message: file.messageId }), false],
    [
      'in MT940',
      (file) => ({ amount: '249.00', text: `SAMMELLASTSCHRIFT KREF+${file.batches[0].paymentInformationId}` }),
      true,
    ],
  ])('its sum alone, named %s, settles all of its debits', async (_how, total, isMt940) => {
    await fresh();
    const { debits, file } = await exported(5000, 8000, 11900);
    await statement([total(file)], { mt940: isMt940 });
    expect(await statusesOf(debits)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    const { data } = await tenant.ok('GET', BANK);
    expect(data).toMatchObject([{ status: 'STATUS_BOOKED', unassignedAmount: 0 }]);
    expect(data[0].assignments.map((line: Json) => line.amount).sort((a: number, b: number) => a - b)).toEqual([
      5000, 8000, 11900,
    ]);
    expect([await balanceOf('bank'), await balanceOf('suspense')]).toEqual([24900, 0]);
    await statement([backOf(debits[2]!, 'MD06', { amount: '124.00' })]);
    expect(await tenant.intent(debits[2]!.invoice)).toMatchObject({ openAmount: { amount: 11900 } });
    expect([await balanceOf('bank'), await balanceOf('fees')]).toEqual([24900 - 12400, 500]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('the same amount of another currency settles nothing, and is no return', async () => {
    await fresh();
    const { debits } = await exported(5000);
    const iban = 'DE02120300000000202051';
    const dollars = await bankAccount(tenant, { iban, currencyCode: 'USD' });
    const inDollars = (booking: Booking): Promise<Json> => {
      const text = camt([{ ...booking, currency: 'USD' }], { account: iban, id: newUuid() });
      return importFile(tenant, dollars, text.replace('<Ccy>EUR</Ccy>', '<Ccy>USD</Ccy>'));
    };
    await inDollars(partOf(debits[0]!));
    expect(await statusesOf(debits)).toEqual(['processing']);
    await statement([partOf(debits[0]!)]);
    expect(await statusesOf(debits)).toEqual(['succeeded']);
    await inDollars(backOf(debits[0]!, 'AM04'));
    expect(await statusesOf(debits)).toEqual(['succeeded']);
    expect(await tenant.broken()).toEqual([]);
  });

  it.each([
    ['in CAMT', false],
    ['in MT940', true],
  ])('the bank takes the whole batch back by one sum, %s: each invoice is open again', async (_how, isMt940) => {
    await fresh();
    const { debits, file } = await exported(5000, 8000, 11900);
    const batch = file.batches[0].paymentInformationId;
    const sum = (amount: string, more: Partial<Booking> = {}): Booking => ({
      amount,
      ...(isMt940 ? { text: `SAMMELLASTSCHRIFT KREF+${batch}` } : { batch }),
      ...more,
    });
    await statement([sum('249.00')], { mt940: isMt940 });
    // One has come back by itself, and another as somebody has reported.
    await statement([backOf(debits[0]!, 'AM04')]);
    await tenant.ok('POST', `/payment/transactions/${await idOf(debits[1]!)}/return`, { reason: 'recalled' });
    await statement([sum('249.00', { debit: true, day: '2026-11-25' })], { mt940: isMt940 });
    expect((await lineWith('isReturn=false&order[bookingDate]=desc')).status).toBe('STATUS_MANUAL_MATCHING_REQUIRED');
    expect(await statusesOf(debits)).toEqual(['open', 'open', 'succeeded']);
    await statement([sum('199.00', { debit: true, day: '2026-11-26' })], { mt940: isMt940 });
    expect(await lineWith('order[bookingDate]=desc')).toMatchObject({ status: 'STATUS_BOOKED', unassignedAmount: 0 });
    expect(await statusesOf(debits)).toEqual(['open', 'open', 'open']);
    expect(await orderStatuses()).toEqual(['returned', 'returned', 'returned']);
    expect([await balanceOf('bank'), await balanceOf('suspense')]).toEqual([-24900, -24900]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('a sum that is another one settles nothing: a person has to look', async () => {
    await fresh();
    const { debits, file } = await exported(5000, 8000);
    await statement([{ amount: '129.99', batch: file.batches[0].paymentInformationId }]);
    expect(await statusesOf(debits)).toEqual(['processing', 'processing']);
    expect((await tenant.ok('GET', BANK)).data).toMatchObject([
      { status: 'STATUS_MANUAL_MATCHING_REQUIRED', unassignedAmount: 12999 },
    ]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('a debit that comes back on the day of the sum, and stands before it: its fee is booked, the others are settled', async () => {
    await fresh();
    const { debits, file } = await exported(5000, 8000);
    const total: Booking = { amount: '130.00', batch: file.batches[0].paymentInformationId };
    await statement([backOf(debits[0]!, 'AC01', { amount: '53.00', day: '2026-11-20' }), total]);
    expect(await statusesOf(debits)).toEqual(['failed', 'succeeded']);
    expect([await balanceOf('bank'), await balanceOf('suspense'), await balanceOf('fees')]).toEqual([
      13000 - 5300,
      0,
      300,
    ]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('a debit that was booked alone is not in the sum that comes later', async () => {
    await fresh();
    const { debits, file } = await exported(5000, 8000);
    await statement([partOf(debits[0]!)]);
    await statement([{ amount: '130.00', batch: file.batches[0].paymentInformationId }]);
    // Nothing of a sum that does not fit any more is booked.
    expect(await statusesOf(debits)).toEqual(['succeeded', 'processing']);
    expect(await tenant.broken()).toEqual([]);
    await statement([{ amount: '80.00', batch: file.batches[0].paymentInformationId }]);
    expect(await statusesOf(debits)).toEqual(['succeeded', 'succeeded']);
    expect(await tenant.broken()).toEqual([]);
  });

  const reject = (file: Json, body: object = {}) => tenant.call('POST', `/sepa-xml-payments/${file.id}/reject`, body);
  it('and the bank refused it: its debits have failed, once, and their mandates were not used; one that comes after all is settled', async () => {
    await fresh();
    const { debits, file } = await exported(5000, 8000);
    const { status, body } = await reject(file);
    expect(status).toBe(201);
    expect(body.payments.map((payment: Json) => [payment.status, payment.statusReason])).toEqual([
      ['rejected', 'MS03'],
      ['rejected', 'MS03'],
    ]);
    expect(await reject(file)).toMatchObject({ status: 201, body });
    for (const { invoice, method } of debits) {
      expect(await tenant.intent(invoice)).toMatchObject({ status: 'failed', failReason: 'MS03', attempts: 1 });
      expect((await tenant.ok('GET', `/payment-methods/${method.id}`)).sepaMandate.sequenceType).toBe('FRST');
    }
    expect((await tenant.intent(debits[0]!.invoice)).nextRetryAt).not.toBeNull();
    expect(await tenant.broken()).toEqual([]);

    await statement([partOf(debits[0]!)]);
    expect(await statusesOf(debits)).toEqual(['succeeded', 'failed']);
    expect(await orderStatuses()).toEqual(['settled', 'rejected']);
    expect([await balanceOf('bank'), await balanceOf('suspense')]).toEqual([5000, 0]);
    expect((await reject(file, { transactionIds: [await idOf(debits[0]!)] })).body.reason).toBe(
      'invalid_status_transition',
    );
    expect(await tenant.broken()).toEqual([]);
  });

  it('and the bank refused a debit of it: the sum of the others, which has waited, settles them; a closed account ends its mandate', async () => {
    await fresh();
    const { debits, file } = await exported(5000, 8000, 9000);
    await statement([{ amount: '140.00', batch: file.batches[0].paymentInformationId }]);
    expect(await statusesOf(debits)).toEqual(['processing', 'processing', 'processing']);
    expect((await reject(file, { transactionIds: [newUuid()] })).body.reason).toBe('unknown_reference');
    expect((await reject(file, { reasonCode: 'no' })).body.violations).toMatchObject([{ code: 'invalid_reason_code' }]);
    expect((await reject(file, { transactionIds: [] })).status).toBe(422);
    expect((await reject(file, { transactionIds: [await idOf(debits[1]!)], reasonCode: 'AC04' })).status).toBe(201);
    await eventually(
      async () => (await statusesOf(debits)).join() === 'succeeded,failed,succeeded',
      'the sum is booked',
    );
    expect(await tenant.ok('GET', `/payment-methods/${debits[1]!.method.id}`)).toMatchObject({ status: 'revoked' });
    expect([await balanceOf('bank'), await balanceOf('suspense')]).toEqual([14000, 0]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('and the bank, which was to have refused it, debits all the same: what comes back stands before the sum that it is part of', async () => {
    await fresh();
    const { debits, file } = await exported(5000, 8000);
    expect((await reject(file)).status).toBe(201);
    await statement([
      { ...backOf(debits[0]!, 'AM04'), amount: '53.00' },
      { amount: '130.00', batch: file.batches[0].paymentInformationId },
    ]);
    await eventually(async () => (await orderStatuses()).join() === 'returned,settled', 'the return is booked');
    expect((await tenant.intent(debits[0]!.invoice)).openAmount.amount).toBe(5000);
    expect([await balanceOf('bank'), await balanceOf('suspense'), await balanceOf('fees')]).toEqual([7700, 0, 300]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('a refund that the bank refused is owed again', async () => {
    await fresh();
    const { debits } = await exported(11900);
    await statement([partOf(debits[0]!)]);
    const refund = await refunded(debits[0]!, 4000);
    await waiting(1);
    const { data } = await tenant.ok('POST', '/sepa-xml-payments/export');
    expect((await reject(data[0])).status).toBe(201);
    expect(await tenant.intent(refund)).toMatchObject({ status: 'failed', openAmount: { amount: -4000 } });
    expect(await tenant.broken()).toEqual([]);
  });

  it('a refund goes out by its line, and comes back by one: it is owed again', async () => {
    await fresh();
    const { debits } = await exported(11900);
    await statement([partOf(debits[0]!)]);
    const refund = await refunded(debits[0]!, 4000);
    const [transfer] = await waiting(1);
    await tenant.ok('POST', '/sepa-xml-payments/export');
    await statement([{ amount: '40.00', debit: true, endToEnd: transfer.end_to_end_id, name: 'Payer' }]);
    expect(await tenant.intent(refund)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    await statement([
      { amount: '40.00', endToEnd: transfer.end_to_end_id, returnCode: 'AC04', name: 'Payer', day: '2026-11-25' },
    ]);
    expect(await tenant.intent(refund)).toMatchObject({ status: 'failed', openAmount: { amount: -4000 } });
    expect([await balanceOf('bank'), await balanceOf('suspense')]).toEqual([11900, 0]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('a top-up is settled by its line and returned by another; money that names it again waits for a person', async () => {
    await fresh(['WalletTopUp']);
    const customerId = await tenant.customer();
    const { id: paymentMethodId } = await tenant.method(customerId, 'sepa_debit', {
      sepaMandate: { iban: 'DE89370400440532013000' },
    });
    await tenant.ok('POST', '/api/wallet/top-up', { customerId, amount: 50, currencyCode: 'EUR', paymentMethodId });
    const [order] = await waiting(1);
    await tenant.ok('POST', '/sepa-xml-payments/export');
    const booking: Booking = { amount: '50.00', endToEnd: order.end_to_end_id, name: 'Payer' };
    await statement([booking]);
    expect(await tenant.balance(customerId)).toBe(5000);
    expect(await tenant.broken()).toEqual([]);
    await statement([{ ...booking, debit: true, returnCode: 'AM04', day: '2026-11-24' }]);
    expect(await tenant.balance(customerId)).toBe(0);
    // The customer pays by transfer what the debit did not bring, and quotes its id.
    await statement([{ ...booking, day: '2026-11-26' }]);
    expect((await tenant.ok('GET', `${BANK}?order[bookingDate]=desc`)).data[0]).toMatchObject({
      status: 'STATUS_MANUAL_MATCHING_REQUIRED',
      unassignedAmount: 5000,
    });
    expect([await balanceOf('bank'), await balanceOf('suspense')]).toEqual([5000, 5000]);
    expect(await tenant.broken()).toEqual([]);
  });
});
