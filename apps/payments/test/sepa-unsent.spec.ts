import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@kontor/testing';
import { OnInvoicePaymentMethodChosen } from '../src/intents/on-invoice-payment-method-chosen.js';
import { bankAccount, line, lines, SEPA_SELLER } from './bank-world.js';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
let customerId: string;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

beforeEach(async () => {
  tenant = await world.tenant({
    settings: { seller: SEPA_SELLER, preNotificationDays: 2, applyCreditAutomatically: true },
  });
  customerId = await tenant.customer();
  await tenant.method(customerId, 'sepa_debit', { sepaMandate: { iban: 'DE89370400440532013000' } });
});
afterEach(async () => expect(await tenant.broken()).toEqual([]));

const EXPORT = '/sepa-xml-payments/export';

/** An invoice whose debit waits for its file. */
async function unsent(gross: number): Promise<{ invoiceId: string; number: string }> {
  const number = world.nextNumber();
  const [invoiceId] = await tenant.finalize({ customerId, gross, number });
  await eventually(
    async () => (await tenant.rows(`SELECT id FROM sepa_order WHERE status = 'waiting'`)).length > 0,
    'the debit',
  );
  return { invoiceId: invoiceId!, number };
}

const debited = async (): Promise<number[]> =>
  (await tenant.ok('POST', EXPORT)).data.map((file: Json) => file.controlSum.amount);
const openOf = async (invoiceId: string): Promise<number> => (await tenant.intent(invoiceId)).openAmount.amount;

describe('of a debit that is in no file yet', () => {
  it('a credit note lowers the invoice, and the rest is debited', async () => {
    const { invoiceId } = await unsent(10_000);
    const note = await tenant.creditNote(customerId, invoiceId, 4000);
    expect([await openOf(invoiceId), await openOf(note), await tenant.balance(customerId)]).toEqual([6000, 0, 0]);
    expect(await debited()).toEqual([6000]);
  });

  it('a credit note of all leaves nothing to debit', async () => {
    const { invoiceId } = await unsent(10_000);
    const note = await tenant.creditNote(customerId, invoiceId, 10_000);
    expect([await openOf(invoiceId), await openOf(note), await tenant.balance(customerId)]).toEqual([0, 0, 0]);
    expect((await tenant.call('POST', EXPORT)).body.reason).toBe('nothing_to_export');
  });

  it('a transfer that names the invoice pays it, and nothing is debited', async () => {
    const { invoiceId, number } = await unsent(10_000);
    const account = await bankAccount(tenant);
    const [found] = await lines(tenant, account, [line({ amount: '100.00', remittanceInformation: number })]);
    expect(found).toMatchObject({ status: 'STATUS_BOOKED', assignments: [{ invoiceId, amount: 10_000 }] });
    expect(await tenant.intent(invoiceId)).toMatchObject({ openAmount: { amount: 0 }, collectionDate: null });
    expect((await tenant.call('POST', EXPORT)).body.reason).toBe('nothing_to_export');
  });

  it('its rest goes on with the same attempt, so that no day of a retry is lost', async () => {
    const { invoiceId } = await unsent(10_000);
    await tenant.creditNote(customerId, invoiceId, 4000);
    const [file] = (await tenant.ok('POST', EXPORT)).data;
    await tenant.ok('POST', `/sepa-xml-payments/${file.id}/reject`, { reasonCode: 'AM04' });
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'failed', attempts: 1 });
    expect((await tenant.intent(invoiceId)).nextRetryAt).not.toBeNull();
  });

  it('a mandate for one debit is still unused once a transfer has paid what waited', async () => {
    const sepaMandate = { iban: 'DE89370400440532013000', sequenceType: 'OOFF' };
    await tenant.method(customerId, 'sepa_debit', { sepaMandate });
    const { number } = await unsent(10_000);
    await lines(tenant, await bankAccount(tenant), [line({ amount: '100.00', remittanceInformation: number })]);
    const [next] = await tenant.finalize({ customerId, gross: 3000, number: world.nextNumber() });
    await eventually(async () => {
      const { status, collectionDate } = await tenant.intent(next!);
      return status === 'failed' || collectionDate !== null;
    }, 'the debit');
    expect(await debited()).toEqual([3000]);
  });

  it('nothing is debited once its invoice is cancelled, even if that is open again', async () => {
    const { invoiceId, number } = await unsent(10_000);
    await lines(tenant, await bankAccount(tenant), [line({ amount: '100.00', remittanceInformation: number })]);
    const cancellation = { type: 'TYPE_CANCEL', disposition: 'none' };
    const documentId = await tenant.creditNote(customerId, invoiceId, 10_000, cancellation);
    const bank = await tenant.method(customerId, 'bank_transfer', { isDefault: false });
    await tenant.record(documentId, bank.id, {});
    const { data } = await tenant.ok('GET', `/payment/transactions?customer=${customerId}&status=succeeded`);
    const paid = data.find(({ type }: Json) => type === 'payment');
    await tenant.ok('POST', `/payment/transactions/${paid.id}/return`, { reason: 'recalled' });
    expect(await openOf(invoiceId)).toBe(10_000);
    expect((await tenant.call('POST', EXPORT)).body.reason).toBe('nothing_to_export');
  });

  it('another method that is chosen collects instead', async () => {
    const { invoiceId } = await unsent(10_000);
    const card = await tenant.method(customerId, 'testing', { isDefault: false });
    const payload = { invoiceId, customerId, paymentMethodId: card.id };
    const chosen = world.service.get(OnInvoicePaymentMethodChosen);
    await world.database.tenant(tenant.id, (tx) => chosen.handle({ payload } as never, tx));
    await eventually(async () => (await tenant.intent(invoiceId)).status === 'succeeded', 'the payment');
    expect((await tenant.call('POST', EXPORT)).body.reason).toBe('nothing_to_export');
    const { data } = await tenant.ok('GET', `/payment/transactions?customer=${customerId}`);
    expect(data.map(({ status, failReason }: Json) => [status, failReason])).toEqual([
      ['succeeded', null],
      ['failed', 'superseded'],
    ]);
  });

  it('credit that arrives pays the invoice before the debit does', async () => {
    const { invoiceId } = await unsent(10_000);
    const gift = { customerId, amount: 25, currencyCode: 'EUR', description: 'Kulanz' };
    await tenant.ok('POST', '/api/wallet/adjustments', gift);
    expect([await openOf(invoiceId), await tenant.balance(customerId)]).toEqual([7500, 0]);
    expect(await debited()).toEqual([7500]);
  });
});

it('a debit that is in a file stays as it is: a credit note becomes credit, a transfer is only suggested', async () => {
  const { invoiceId, number } = await unsent(10_000);
  expect(await debited()).toEqual([10_000]);
  await tenant.creditNote(customerId, invoiceId, 4000);
  expect([await openOf(invoiceId), await tenant.balance(customerId)]).toEqual([10_000, 4000]);
  const [found] = await lines(tenant, await bankAccount(tenant), [
    line({ amount: '100.00', remittanceInformation: number }),
  ]);
  expect(found).toMatchObject({ status: 'STATUS_SUGGESTIONS_AVAILABLE', suggestions: [{ invoiceId, score: 0.4 }] });
});

it('a transfer that names an invoice whose card payment waits for its payer pays it', async () => {
  const payer = await tenant.customer();
  await tenant.method(payer, 'fake_provider');
  const number = world.nextNumber();
  const [invoiceId] = await tenant.finalize({ customerId: payer, gross: 1017, number });
  const underWay = (): Promise<Json[]> =>
    tenant.ok('GET', `/payment/transactions?customer=${payer}&status=action_required`).then(({ data }) => data);
  await eventually(async () => (await underWay()).length === 1, 'the action');
  const account = await bankAccount(tenant);
  const [found] = await lines(tenant, account, [line({ amount: '10.17', remittanceInformation: number })]);
  expect(found).toMatchObject({ status: 'STATUS_BOOKED', assignments: [{ invoiceId, amount: 1017 }] });
  expect(await underWay()).toEqual([]);
});
