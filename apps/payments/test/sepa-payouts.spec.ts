import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@kontor/testing';
import { OpenIntents } from '../src/intents/open-intents.js';
import { SettleOrders } from '../src/sepa/settle-orders.js';
import { BANK, bankAccount, importFile, SEPA_SELLER } from './bank-world.js';
import { camt } from './statements/make-camt.js';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
let mandate: Json;

beforeAll(async () => {
  world = await World.start();
});
beforeEach(async () => {
  tenant = await world.tenant({ settings: { seller: SEPA_SELLER } });
  const sepaMandate = { iban: 'DE89370400440532013000', accountHolder: 'Ina Brandt' };
  mandate = await tenant.method(await tenant.customer(), 'sepa_debit', { sepaMandate });
});
afterAll(() => world.stop());

const orders = (kind: string): Promise<Json[]> =>
  tenant.rows<Json>(
    `SELECT id, status, status_reason AS reason, amount_minor::int AS amount FROM sepa_order WHERE kind = '${kind}' ORDER BY id`,
  );

/** Documents that owe these amounts of an invoice that was debited; their transfers wait for a file. */
async function owed(...amounts: number[]): Promise<Json[]> {
  const [invoice] = await tenant.finalize({ customerId: mandate.customerId, gross: 50_000 });
  const debit = await eventually(async () => (await orders('debit'))[0], 'the debit');
  await tenant.ok('POST', '/sepa-xml-payments/export');
  const now = new Date();
  await world.database.tenant(tenant.id, (tx) => world.service.get(SettleOrders).settle(tx, [debit.id]));
  const events = amounts.map((gross) => {
    const event = tenant.event({ customerId: mandate.customerId, gross: -gross, type: 'TYPE_REFUND' }, now);
    event.payload.referencedInvoiceId = invoice!;
    return event;
  });
  await world.database.tenant(tenant.id, (tx) => world.service.get(OpenIntents).execute(tx, events as never), { now });
  await eventually(async () => (await orders('transfer')).length === amounts.length, 'the transfers');
  return events.map(({ payload }) => payload);
}

const report = async (document: Json, more: object = {}): Promise<void> => {
  expect((await tenant.record(document.invoiceId, mandate.id, more)).status).toBe(200);
};

it('a refund that was paid out otherwise does not go out once more', async () => {
  const [reported, other] = await owed(10_000, 2000);
  await report(reported!);
  const { data, skipped } = await tenant.ok('POST', '/sepa-xml-payments/export');
  expect(data).toMatchObject([{ type: 'credit_transfer', transactionCount: 1, controlSum: { amount: 2000 } }]);
  expect(skipped).toMatchObject([{ reason: 'already_paid' }]);
  expect(await orders('transfer')).toMatchObject([
    { amount: 10_000, status: 'cancelled', reason: 'already_paid' },
    { amount: 2000, status: 'exported' },
  ]);
  expect(await tenant.intent(reported!.invoiceId)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
  expect(await tenant.intent(other!.invoiceId)).toMatchObject({ status: 'processing' });
  expect(await tenant.broken()).toEqual([]);
});

it('a transfer that comes back without its end-to-end id is owed again by the number of its document', async () => {
  const [document] = await owed(10_000);
  await tenant.ok('POST', '/sepa-xml-payments/export');
  const [order] = await orders('transfer');
  const account = await bankAccount(tenant);
  const line = { amount: '100.00', text: document!.number };
  const endToEnd = order!.id.replaceAll('-', '');
  await importFile(tenant, account, camt([{ ...line, debit: true, endToEnd }]));
  expect(await tenant.intent(document!.invoiceId)).toMatchObject({ status: 'succeeded' });
  await importFile(tenant, account, camt([{ ...line, day: '2026-11-24', returnCode: 'AC04' }]));
  expect(await orders('transfer')).toMatchObject([{ status: 'returned', reason: 'AC04' }]);
  expect(await tenant.intent(document!.invoiceId)).toMatchObject({ status: 'failed', openAmount: { amount: -10_000 } });
  expect(await tenant.broken()).toEqual([]);
});

it('of one that was paid out in part the rest goes out, to the same account', async () => {
  const [document] = await owed(10_000);
  await report(document!, { amount: { amount: 4000, currencyCode: 'EUR' } });
  const { data } = await tenant.ok('POST', '/sepa-xml-payments/export');
  expect(data).toMatchObject([{ type: 'credit_transfer', transactionCount: 1, controlSum: { amount: 6000 } }]);
  const xml = await tenant.call('GET', `/sepa-xml-payments/${data[0].id}`, undefined, { accept: 'application/xml' });
  for (const part of ['<IBAN>DE89370400440532013000</IBAN>', '<Nm>Ina Brandt</Nm>', '>60.00<'])
    expect(String(xml.body)).toContain(part);
  const [, rest] = await orders('transfer');
  await world.database.tenant(tenant.id, (tx) => world.service.get(SettleOrders).settle(tx, [rest!.id]));
  expect(await tenant.intent(document!.invoiceId)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
  expect(await tenant.broken()).toEqual([]);
});

it('one that a line of the statement paid out is in no file: then there is nothing to export', async () => {
  const [document] = await owed(10_000);
  const account = await bankAccount(tenant);
  await importFile(tenant, account, camt([{ amount: '100.00', debit: true, text: 'by hand' }]));
  const { data } = await tenant.ok('GET', BANK);
  await tenant.ok('PUT', `${BANK}/${data[0].id}/assign`, { invoiceIds: [document!.invoiceId] });
  const { status, body } = await tenant.call('POST', '/sepa-xml-payments/export');
  expect([status, body.reason]).toEqual([422, 'nothing_to_export']);
  expect(await orders('transfer')).toMatchObject([{ status: 'cancelled', reason: 'already_paid' }]);
  expect(await tenant.broken()).toEqual([]);
});
