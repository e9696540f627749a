import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { OpenIntents } from '../src/intents/open-intents.js';
import { type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
afterEach(async () => expect(await tenant.broken()).toEqual([]));

/** A credit of a run, in the yen that its customer has by now, about an invoice of 500.00 EUR. */
async function creditedInYen(features: string[], { isPaid }: { isPaid: boolean }) {
  tenant = await world.tenant({ features });
  const customerId = await tenant.customer();
  const { id: method } = await tenant.method(customerId, 'bank_transfer');
  const [invoiceId] = await tenant.finalize({ customerId, gross: 50_000 });
  if (isPaid) await tenant.record(invoiceId!, method);
  const credit = async (): Promise<string> => {
    const now = new Date();
    const event = tenant.event({ customerId, gross: -60_000, currency: 'JPY' }, now);
    Object.assign(event.payload, { referencedInvoiceId: invoiceId, disposition: null, automatic: true });
    const opening = world.service.get(OpenIntents);
    await world.database.tenant(tenant.id, (tx) => opening.execute(tx, [event] as never), { now });
    return event.payload.invoiceId;
  };
  const goBack = async (): Promise<void> => {
    const [payment] = (await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=payment`)).data;
    await tenant.ok('POST', `/payment/transactions/${payment.id}/return`, { reason: 'recalled' });
  };
  return { customerId, invoiceId: invoiceId!, credit, goBack };
}

const openOf = async (invoiceId: string): Promise<number> => (await tenant.intent(invoiceId)).openAmount.amount;

describe('a credit in another currency than its invoice', () => {
  it('does not meet the invoice when the payment of that goes back', async () => {
    const { invoiceId, credit, goBack } = await creditedInYen([], { isPaid: true });
    const noteId = await credit();
    await goBack();
    expect([await openOf(invoiceId), await openOf(noteId)]).toEqual([50_000, -60_000]);
  });

  it('is no credit that comes from the payment of the invoice', async () => {
    const { customerId, invoiceId, credit, goBack } = await creditedInYen(['WalletTopUp'], { isPaid: true });
    const noteId = await credit();
    const { items } = await tenant.ok('GET', `/api/wallet/transactions?customerId=${customerId}`);
    expect(items).toMatchObject([{ type: 'credit_note', gateway: null, originalPaymentMethod: null }]);
    await goBack();
    expect([await openOf(invoiceId), await openOf(noteId), await tenant.balance(customerId)]).toEqual([
      50_000, 0, 60_000,
    ]);
  });

  it('keeps what it has taken off an invoice of its currency when the other is cancelled', async () => {
    const { customerId, invoiceId, credit } = await creditedInYen([], { isPaid: false });
    const [inYen] = await tenant.finalize({ customerId, gross: 90_000, currency: 'JPY' });
    await credit();
    await tenant.creditNote(customerId, invoiceId, 20_000, { type: 'TYPE_CANCEL' });
    expect([await openOf(inYen!), await openOf(invoiceId)]).toEqual([30_000, 30_000]);
  });
});
