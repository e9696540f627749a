import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, testSeed } from '@kontor/testing';
import { OpenIntents } from '../src/intents/open-intents.js';
import { type Answer, type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
});
afterAll(() => world.stop());

const adjust = (customerId: string, amount: number, more: object = {}): Promise<Answer> =>
  tenant.call('POST', '/api/wallet/adjustments', {
    customerId,
    amount,
    currencyCode: 'EUR',
    description: 'Kulanz',
    ...more,
  });

async function refund(customerId: string, invoiceId: string, gross: number): Promise<void> {
  const now = new Date();
  const event = tenant.event({ customerId, gross: -gross, type: 'TYPE_REFUND' }, now);
  const events = [{ ...event, payload: { ...event.payload, referencedInvoiceId: invoiceId } }];
  await world.database.tenant(tenant.id, (tx) => world.service.get(OpenIntents).execute(tx, events as never), { now });
}

/** Credit of which a part has just ended, and an invoice that was paid at a gateway. */
async function aWallet(): Promise<{ customer: string; invoice: string }> {
  const customer = await tenant.customer();
  await tenant.method(customer, 'testing');
  const [invoice] = await tenant.finalize({ customerId: customer, gross: 5_000 });
  await eventually(async () => (await tenant.intent(invoice!)).status === 'succeeded', 'paid');
  expect((await adjust(customer, 10)).status).toBe(201);
  expect((await adjust(customer, 2, { promotional: true })).status).toBe(201);
  expect((await adjust(customer, 5, { expiresAt: '2190-01-01T00:00:00Z' })).status).toBe(201);
  return { customer, invoice: invoice! };
}

/** Two statements: one that held the lot and waited for its due work could meet who has them the other way round. */
async function expire(customer: string): Promise<void> {
  await world.test.peek(
    `UPDATE wallet_lot SET expires_at = now() - interval '1 second'
     WHERE expires_at > '2180-01-01' AND wallet_id IN (SELECT id FROM wallet WHERE customer_id = $1)`,
    [customer],
  );
  await world.test.peek(
    `UPDATE due_work SET due_at = now() - interval '1 second', poll_at = now() - interval '1 second'
     WHERE kind = 'payments.expire_credit' AND tenant_id = $1`,
    [tenant.id],
  );
}

describe('one wallet, of which everything is asked at once', () => {
  it.each([0, 1, 2])(
    'is spent, filled, refunded beside and expires: each change once, never below zero (%d)',
    async (round) => {
      const { customer, invoice } = await aWallet();
      const answers: Answer[] = [];
      const topUps: Json[] = [];
      const acts: (() => Promise<unknown>)[] = [
        ...Array.from({ length: 16 }, () => async () => answers.push(await adjust(customer, -1))),
        ...Array.from({ length: 4 }, () => async () => {
          const body = { customerId: customer, amount: 3, currencyCode: 'EUR' };
          topUps.push(await tenant.ok('POST', '/api/wallet/top-up', body));
        }),
        ...Array.from({ length: 3 }, () => () => tenant.finalize({ customerId: customer, gross: 400 })),
        ...Array.from({ length: 2 }, () => () => refund(customer, invoice, 3_000)),
        () => expire(customer),
      ];
      // Another order each time; the same for the same seed.
      const turn = (testSeed + 7 * round) % acts.length;
      await Promise.all([...acts.slice(turn), ...acts.slice(0, turn)].map((act) => act()));

      const spent = answers.filter(({ status }) => status === 201).length;
      for (const { status, body } of answers)
        if (status !== 201) expect([status, body.reason]).toEqual([422, 'insufficient_credit']);
      for (const { id } of topUps)
        await eventually(
          async () => (await tenant.ok('GET', `/api/wallet/top-ups/${id}`)).status === 'completed',
          'topped up',
        );
      await eventually(async () => {
        const [left] = await tenant.rows<{ n: bigint }>(
          `SELECT count(*) AS n FROM wallet_lot WHERE expires_at < now() AND remaining_minor > 0
           AND wallet_id IN (SELECT id FROM wallet WHERE customer_id = $1)`,
          [customer],
        );
        return Number(left!.n) === 0;
      }, 'nothing that has ended is left');

      const { items } = await tenant.ok('GET', `/api/wallet/transactions?customerId=${customer}&limit=100`);
      // In the order of booking; the list is in the order of time, which differs where one began first and waited longer.
      const lines = await tenant.rows<{ amount: bigint; after: bigint }>(
        `SELECT amount_minor AS amount, balance_after_minor AS after FROM wallet_transaction
         WHERE customer_id = $1 ORDER BY sequence`,
        [customer],
      );
      expect(lines).toHaveLength(items.length);
      let balance = 0;
      for (const { amount, after } of lines) {
        balance += Number(amount);
        expect(Number(after)).toBe(balance);
        expect(balance).toBeGreaterThanOrEqual(0);
      }
      expect(await tenant.balance(customer)).toBe(balance);
      const of = (type: string): Json[] => items.filter((item: Json) => item.type === type);
      expect(of('top_up').map((item) => item.amount.amount)).toEqual([300, 300, 300, 300]);
      expect(items.filter(({ amount }: Json) => amount.amount === -100).length).toBeGreaterThanOrEqual(spent);
      // What was given, less what was taken, is what is there.
      expect(of('expiry').every(({ amount }) => amount.amount >= -500 && amount.amount < 0)).toBe(true);
      const refunds = (await tenant.ok('GET', `/payment/transactions?customer=${customer}&type=refund`)).data;
      expect(refunds.reduce((sum: number, { amount }: Json) => sum + amount.amount, 0)).toBeLessThanOrEqual(5_000);
      expect(await tenant.broken()).toEqual([]);
    },
  );
});
