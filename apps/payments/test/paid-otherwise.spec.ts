import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Gateways } from '../src/gateways/port/payment-gateway.js';
import { bankAccount, BANK, line, lines } from './bank-world.js';
import { OpenIntents } from '../src/intents/open-intents.js';
import { eventually } from '@kontor/testing';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
/** Transactions that the gateway was asked to cancel, and whether it could. */
const stopped: string[] = [];
let canStop = true;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
  const gateway = world.service.get(Gateways).find('fake_provider')!;
  gateway.cancel = ({ id }) => {
    stopped.push(id);
    return Promise.resolve(canStop);
  };
});
afterAll(() => world.stop());

const transactionsOf = async (customerId: string, status?: string): Promise<Json[]> =>
  (await tenant.ok('GET', `/payment/transactions?customer=${customerId}${status ? `&status=${status}` : ''}`)).data;

const finished = (id: string) =>
  tenant.call('POST', `/internal/payments/collections/${id}/outcome`, {
    outcome: { status: 'succeeded', reference: `by the payer ${id}` },
  });

/** The collection that waits for the payer of `customerId`, of that amount. */
const waitingOf = (customerId: string, amount: number): Promise<Json> =>
  eventually(
    async () =>
      (await transactionsOf(customerId, 'action_required')).find(
        (transaction) => transaction.amount.amount === amount,
      ) as Json,
    'the action',
  );

async function waiting(gross: number) {
  const customerId = await tenant.customer();
  await tenant.method(customerId, 'fake_provider');
  const bank = await tenant.method(customerId, 'bank_transfer', { isDefault: false });
  const [invoiceId] = await tenant.finalize({ customerId, gross });
  return { customerId, bank: bank.id as string, invoiceId: invoiceId!, collection: await waitingOf(customerId, gross) };
}

const statusOf = async (id: string): Promise<Json> => tenant.ok('GET', `/payment/transactions/${id}`);

describe('a collection waits for the payer, and other money comes first', () => {
  it('all of it: the collection is cancelled, and stopped at its gateway', async () => {
    const { bank, invoiceId, collection } = await waiting(1017);
    expect((await tenant.record(invoiceId, bank)).status).toBe(200);
    expect(await statusOf(collection.id)).toMatchObject({ status: 'failed', failReason: 'already_paid' });
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    await eventually(() => Promise.resolve(stopped.includes(collection.id)), 'the gateway is asked to cancel');
    expect(await tenant.broken()).toEqual([]);
  });

  it('a part of it: the rest is collected anew, as the same attempt; the payer who finishes the first one has paid too much', async () => {
    const { customerId, bank, invoiceId, collection } = await waiting(5017);
    await tenant.record(invoiceId, bank, { amount: { amount: 2000, currencyCode: 'EUR' } });
    expect(await statusOf(collection.id)).toMatchObject({ status: 'failed', failReason: 'already_paid' });
    const rest = await waitingOf(customerId, 3017);
    const intent = await tenant.intent(invoiceId);
    expect(intent).toMatchObject({ status: 'processing', openAmount: { amount: 3017 }, attempts: 1 });
    const noticeTypes = (await tenant.events(intent.id)).flatMap((event) =>
      event.payload.notices.map((notice: Json) => notice.type),
    );
    expect(noticeTypes).not.toContain('payment.failed');
    expect(noticeTypes).not.toContain('payment.retry');

    expect((await finished(collection.id)).body.changed).toBe(true);
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await statusOf(rest.id)).toMatchObject({ status: 'failed', failReason: 'already_paid' });
    expect(await tenant.balance(customerId)).toBe(2000);
    await eventually(
      () => Promise.resolve([collection.id, rest.id].every((id) => stopped.includes(id))),
      'the gateway is asked to cancel both',
    );
    expect(await tenant.broken()).toEqual([]);
  });

  it('by a line of the bank statement', async () => {
    const { invoiceId, collection } = await waiting(1017);
    const [found] = await lines(tenant, await bankAccount(tenant), [line({ amount: '10.17' })]);
    await tenant.ok('PUT', `${BANK}/${found.id}/assign`, { invoiceIds: [invoiceId] });
    expect(await statusOf(collection.id)).toMatchObject({ status: 'failed', failReason: 'already_paid' });
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'succeeded' });
    expect(await tenant.broken()).toEqual([]);
  });

  it('by credit as soon as it arrives, then by a part payment', async () => {
    const { customerId, bank, invoiceId, collection } = await waiting(5017);
    const credit = { customerId, currencyCode: 'EUR', amount: 50, description: 'Kulanz' };
    await tenant.ok('POST', '/api/wallet/adjustments', credit);
    expect(await statusOf(collection.id)).toMatchObject({ status: 'failed', failReason: 'already_paid' });
    await waitingOf(customerId, 17);
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'processing', openAmount: { amount: 17 } });
    expect(await tenant.balance(customerId)).toBe(0);
    await tenant.record(invoiceId, bank, { amount: { amount: 1000, currencyCode: 'EUR' } });
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await transactionsOf(customerId, 'action_required')).toEqual([]);
    expect(await tenant.balance(customerId)).toBe(983);
    expect(await tenant.broken()).toEqual([]);
  });

  it.each(['wallet', null])('by its credit note, which leaves nothing for disposition %s', async (disposition) => {
    const { customerId, invoiceId, collection } = await waiting(1017);
    const event = tenant.event({ customerId, gross: -1017 }, new Date());
    const note = { ...event, payload: { ...event.payload, referencedInvoiceId: invoiceId, disposition } };
    await world.database.tenant(tenant.id, (tx) => world.service.get(OpenIntents).execute(tx, [note] as never));
    expect(await statusOf(collection.id)).toMatchObject({ status: 'failed', failReason: 'already_paid' });
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await tenant.balance(customerId)).toBe(0);
    await eventually(() => Promise.resolve(stopped.includes(collection.id)), 'the gateway is asked to cancel');
    expect(await tenant.broken()).toEqual([]);
  });

  it('while the gateway had not answered yet: it is cancelled as soon as it says that the payer has to act', async () => {
    const { customerId, bank, invoiceId, collection } = await waiting(1017);
    // As it was before the answer: asked for, without a word.
    await world.test.peek(
      `WITH asked AS (
         UPDATE payment_transaction SET status = 'pending', reference = NULL WHERE id = '${collection.id}' RETURNING intent_id)
       UPDATE payment_intent SET payer_minor = 0 WHERE id = (SELECT intent_id FROM asked)`,
    );
    await tenant.record(invoiceId, bank);
    expect(await statusOf(collection.id)).toMatchObject({ status: 'pending' });
    const outcome = { status: 'action_required', reference: 'page' };
    await tenant.ok('POST', `/internal/payments/collections/${collection.id}/outcome`, { outcome });
    expect(await statusOf(collection.id)).toMatchObject({ status: 'failed', failReason: 'already_paid' });
    expect(await tenant.balance(customerId)).toBe(0);
    expect(await tenant.broken()).toEqual([]);
  });

  it('at the same moment as the payer finishes: what came is booked, twice the money is credit', async () => {
    const seen = new Set<number>();
    for (let round = 0; round < 8; round += 1) {
      const { customerId, bank, invoiceId, collection } = await waiting(1017);
      const both = [() => tenant.record(invoiceId, bank), () => finished(collection.id)];
      const answers = await Promise.all((round % 2 === 0 ? both : [...both].reverse()).map((act) => act()));
      const [recorded, ended] = round % 2 === 0 ? answers : [...answers].reverse();
      seen.add(recorded!.status);
      expect(ended!.body.changed).toBe(true);
      expect(await statusOf(collection.id)).toMatchObject({ status: 'succeeded' });
      expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
      // Who reports money for what the payer has just paid is refused; nothing is booked without a word.
      if (recorded!.status !== 200) expect(recorded!.body.reason).toBe('invoice_not_unpaid');
      expect(await tenant.balance(customerId)).toBe(recorded!.status === 200 ? 1017 : 0);
    }
    expect([...seen].every((status) => status === 200 || status === 422)).toBe(true);
    expect(await tenant.broken()).toEqual([]);
  });

  it('too late to stop it: the gateway is asked, and what it took is credit', async () => {
    const { customerId, bank, invoiceId, collection } = await waiting(1017);
    const gateway = world.service.get(Gateways).find('fake_provider')!;
    canStop = false;
    gateway.lookUp = (charges) =>
      Promise.resolve(new Map(charges.map(({ id }) => [id, { status: 'succeeded', reference: `took ${id}` }])));
    await tenant.record(invoiceId, bank);
    await eventually(async () => (await statusOf(collection.id)).status === 'succeeded', 'the late success');
    delete gateway.lookUp;
    canStop = true;
    expect(await tenant.balance(customerId)).toBe(1017);
    expect(await tenant.broken()).toEqual([]);
  });
});
