import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GatewayOutcome } from '../src/domain/gateways/gateway-outcome.js';
import { Gateways } from '../src/gateways/port/payment-gateway.js';
import { eventually } from '@kontor/testing';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
let answer: () => GatewayOutcome;
let asked = 0;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant({ settings: { paymentRetryDays: [3, 5] } });
  world.service.get(Gateways).find = () => ({
    name: 'testing',
    collect: (charges) => {
      asked += charges.length;
      return Promise.resolve(new Map(charges.map(({ id }) => [id, answer()])));
    },
  });
});
afterAll(() => world.stop());

const DAY_MS = 86_400_000;
const declined = (reason: string): GatewayOutcome => ({ status: 'declined', reason });
const settled = (invoiceId: string, status: string) =>
  eventually(async () => (await tenant.intent(invoiceId)).status === status, status);
/** As if its day had come. */
const dayComes = (): Promise<unknown> =>
  world.test
    .peek(`WITH i AS (UPDATE payment_intent SET next_retry_at = now() WHERE next_retry_at IS NOT NULL RETURNING 1)
    UPDATE due_work SET due_at = now(), poll_at = now() WHERE kind = 'payments.retry_collection'`);

async function failed(reason: string) {
  answer = () => declined(reason);
  const customerId = await tenant.customer();
  const method = await tenant.method(customerId, 'testing');
  const [invoiceId] = await tenant.finalize({ customerId, gross: 5000 });
  await settled(invoiceId!, 'failed');
  return { customerId, invoiceId: invoiceId!, method };
}
const noticesOf = async (invoiceId: string): Promise<Json[]> => {
  const { id } = await tenant.intent(invoiceId);
  return (await tenant.events(id)).flatMap((event) => event.payload.notices);
};
const noticeTypesOf = async (invoiceId: string) => (await noticesOf(invoiceId)).map((notice) => notice.type);

describe('a declined collection', () => {
  it('is published as GET answers it, with its payment method', async () => {
    const { invoiceId, method } = await failed('insufficient_funds');
    const failure = (await noticesOf(invoiceId)).find((notice) => notice.type === 'payment.failed');
    expect(failure.data.payment.paymentMethod.id).toBe(method.id);
    expect(failure.data.payment).toEqual(await tenant.ok('GET', `/payment/transactions/${failure.objectId}`));
  });

  it('is tried again on the days of the schedule, counted from the first failure, until it is over', async () => {
    const { invoiceId } = await failed('insufficient_funds');
    const first = await tenant.intent(invoiceId);
    expect(first).toMatchObject({ attempts: 1, failReason: 'insufficient_funds' });
    const [row] = await tenant.rows<{ at: Date }>('SELECT first_failed_at AS at FROM payment_intent WHERE id = $1', [
      first.id,
    ]);
    expect(Date.parse(first.nextRetryAt) - row!.at.getTime()).toBe(3 * DAY_MS);
    await dayComes();
    await eventually(
      async () =>
        (await tenant.intent(invoiceId)).attempts === 2 && (await tenant.intent(invoiceId)).status === 'failed',
      'the second try',
    );
    expect(Date.parse((await tenant.intent(invoiceId)).nextRetryAt) - row!.at.getTime()).toBe(5 * DAY_MS);
    await dayComes();
    await eventually(
      async () =>
        (await tenant.intent(invoiceId)).attempts === 3 && (await tenant.intent(invoiceId)).status === 'failed',
      'the third try',
    );
    expect((await tenant.intent(invoiceId)).nextRetryAt).toBeNull();
    expect(await noticeTypesOf(invoiceId)).toEqual([
      'invoice.payment.initiated',
      'payment.failed',
      'payment.retry',
      'payment.failed',
      'payment.retry',
      'payment.failed',
    ]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('that succeeds the second time is over', async () => {
    const { invoiceId } = await failed('insufficient_funds');
    answer = () => ({ status: 'succeeded', reference: 'r' });
    await dayComes();
    await settled(invoiceId, 'succeeded');
    expect(await tenant.intent(invoiceId)).toMatchObject({ attempts: 0, nextRetryAt: null });
  });

  it('is not tried again when its reason is final', async () => {
    for (const reason of ['stolen_card', 'mandate_revoked', 'AC04']) {
      const { invoiceId } = await failed(reason);
      expect((await tenant.intent(invoiceId)).nextRetryAt).toBeNull();
    }
  });

  it('is tried with a new default method at once, unless the document names its method', async () => {
    const { customerId, invoiceId, method } = await failed('stolen_card');
    const [named] = await tenant.finalize({ customerId, gross: 700, method: method.id });
    await settled(named!, 'failed');
    answer = () => ({ status: 'succeeded', reference: 'r' });
    const other = await tenant.method(customerId, 'testing');
    await settled(invoiceId, 'succeeded');
    expect(await tenant.intent(invoiceId)).toMatchObject({ paymentMethodId: other.id });
    expect(await tenant.intent(named!)).toMatchObject({ status: 'failed', paymentMethodId: method.id });
    expect(await tenant.broken()).toEqual([]);
  });

  it('is not tried again when it was paid meanwhile, or its method is gone', async () => {
    const paid = await failed('insufficient_funds');
    const bank = await tenant.method(paid.customerId, 'bank_transfer', { isDefault: false });
    await tenant.record(paid.invoiceId, bank.id);
    expect(await tenant.intent(paid.invoiceId)).toMatchObject({ status: 'succeeded', nextRetryAt: null });
    const gone = await failed('insufficient_funds');
    const other = await tenant.method(gone.customerId, 'bank_transfer', { isDefault: false });
    await tenant.ok('DELETE', `/payment-methods/${gone.method.id}?newDefaultPaymentMethodId=${other.id}`);
    const before = asked;
    await dayComes();
    await eventually(
      async () =>
        (await world.test.peek(`SELECT 1 FROM due_work WHERE kind = 'payments.retry_collection'`)).length === 0,
    );
    expect(asked).toBe(before);
    expect(await tenant.intent(gone.invoiceId)).toMatchObject({ status: 'failed', nextRetryAt: null });
  });
});
