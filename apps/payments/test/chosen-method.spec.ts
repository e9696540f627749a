import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OnInvoicePaymentMethodChosen } from '../src/intents/on-invoice-payment-method-chosen.js';
import { eventually } from '@kontor/testing';
import { type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
});
afterAll(() => world.stop());

/** As invoicing's event would. */
const choose = (invoiceId: string, customerId: string, paymentMethodId: string | null): Promise<void> =>
  world.database.tenant(tenant.id, (tx) =>
    world.service
      .get(OnInvoicePaymentMethodChosen)
      .handle({ payload: { invoiceId, customerId, paymentMethodId } } as never, tx),
  );

const statusIs = (invoiceId: string, status: string): Promise<unknown> =>
  eventually(async () => (await tenant.intent(invoiceId)).status === status, status);

async function unpaid(gateway: string, gross = 5000) {
  const customerId = await tenant.customer();
  const byDefault = await tenant.method(customerId, gateway);
  const [invoiceId] = await tenant.finalize({ customerId, gross });
  return { customerId, byDefault, invoiceId: invoiceId! };
}

const transactionsOf = async (customerId: string): Promise<{ id: string; status: string }[]> =>
  (await tenant.ok('GET', `/payment/transactions?customer=${customerId}`)).data;

describe('another method is chosen for an unpaid invoice', () => {
  it('one that collects is asked at once for what is open', async () => {
    const { customerId, byDefault, invoiceId } = await unpaid('bank_transfer');
    await tenant.record(invoiceId, byDefault.id, { amount: { amount: 2000, currencyCode: 'EUR' } });
    const card = await tenant.method(customerId, 'testing', { isDefault: false });
    await choose(invoiceId, customerId, card.id);
    await statusIs(invoiceId, 'succeeded');
    const intent = await tenant.intent(invoiceId);
    expect(intent).toMatchObject({ paymentMethodId: card.id, openAmount: { amount: 0 } });
    expect(await transactionsOf(customerId)).toMatchObject([
      { amount: { amount: 3000 }, paymentMethod: { id: card.id } },
      { amount: { amount: 2000 } },
    ]);
    const events = await tenant.events(intent.id);
    expect(events.map((e) => [e.payload.state.status, e.payload.state.paymentMethodId === card.id])).toEqual([
      ['open', false],
      ['open', false],
      ['processing', true],
      ['succeeded', true],
    ]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('null is the default of the customer', async () => {
    const { customerId, invoiceId } = await unpaid('bank_transfer');
    const card = await tenant.method(customerId, 'testing');
    await choose(invoiceId, customerId, null);
    await statusIs(invoiceId, 'succeeded');
    expect(await tenant.intent(invoiceId)).toMatchObject({ paymentMethodId: card.id });
  });

  it('one that waits for money is noted and published, without a collection', async () => {
    const { customerId, invoiceId } = await unpaid('fake_provider', 5013);
    await statusIs(invoiceId, 'failed');
    const bank = await tenant.method(customerId, 'bank_transfer', { isDefault: false });
    await choose(invoiceId, customerId, bank.id);
    const intent = await tenant.intent(invoiceId);
    expect(intent).toMatchObject({ paymentMethodId: bank.id, status: 'failed' });
    expect(await transactionsOf(customerId)).toHaveLength(1);
    const published = await tenant.events(intent.id);
    expect(published.at(-1)?.payload).toMatchObject({ version: published.length, state: { paymentMethodId: bank.id } });
    await choose(invoiceId, customerId, bank.id);
    expect(await tenant.events(intent.id)).toHaveLength(published.length);
  });

  it('after a refusal the same method is asked again', async () => {
    const { customerId, byDefault, invoiceId } = await unpaid('fake_provider', 5013);
    await statusIs(invoiceId, 'failed');
    await choose(invoiceId, customerId, byDefault.id);
    expect((await tenant.intent(invoiceId)).status).toBe('processing');
    await statusIs(invoiceId, 'failed');
    expect(await transactionsOf(customerId)).toHaveLength(2);
  });

  it('a collection that waits for the payer is cancelled, and the other method collects', async () => {
    const { customerId, invoiceId } = await unpaid('fake_provider', 5017);
    await eventually(
      async () =>
        (await tenant.ok('GET', `/payment/transactions?customer=${customerId}&status=action_required`)).data.length > 0,
    );
    const card = await tenant.method(customerId, 'testing', { isDefault: false });
    await choose(invoiceId, customerId, card.id);
    await statusIs(invoiceId, 'succeeded');
    expect(await tenant.intent(invoiceId)).toMatchObject({ paymentMethodId: card.id, openAmount: { amount: 0 } });
    const list = await transactionsOf(customerId);
    expect(list).toMatchObject([{ status: 'succeeded' }, { status: 'failed', failReason: 'superseded' }]);
    // The payer acts all the same, too late: the money is there, so it is booked, and is too much.
    const late = { outcome: { status: 'succeeded', reference: 'late' } };
    await tenant.ok('POST', `/internal/payments/collections/${list[1]?.id}/outcome`, late);
    expect((await tenant.ok('POST', `/internal/payments/collections/${list[1]?.id}/outcome`, late)).changed).toBe(
      false,
    );
    expect(await tenant.balance(customerId)).toBe(5017);
    expect(await tenant.broken()).toEqual([]);
  });

  it('nothing happens when it is paid', async () => {
    const paid = await unpaid('testing');
    await statusIs(paid.invoiceId, 'succeeded');
    const bank = await tenant.method(paid.customerId, 'bank_transfer', { isDefault: false });
    await choose(paid.invoiceId, paid.customerId, bank.id);
    expect(await tenant.intent(paid.invoiceId)).toMatchObject({ paymentMethodId: paid.byDefault.id });
    expect(await transactionsOf(paid.customerId)).toHaveLength(1);
  });

  it('a removed method, or one of another customer, is not replaced: the invoice waits', async () => {
    const { customerId, invoiceId } = await unpaid('bank_transfer');
    const foreign = await tenant.method(await tenant.customer(), 'testing');
    await choose(invoiceId, customerId, foreign.id);
    expect(await tenant.intent(invoiceId)).toMatchObject({ paymentMethodId: null, status: 'open' });
    expect(await transactionsOf(customerId)).toEqual([]);
    expect(await tenant.broken()).toEqual([]);
  });
});
