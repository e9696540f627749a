import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { AdjustWallet } from '../src/wallet/adjust-wallet.js';
import { type Answer, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
});
afterAll(() => world.stop());

const adjust = (customerId: string, amount: number, key?: string): Promise<Answer> =>
  tenant.call(
    'POST',
    '/api/wallet/adjustments',
    { customerId, amount, currencyCode: 'EUR', description: 'Kulanz' },
    key ? { 'idempotency-key': key } : {},
  );
const statuses = (answers: readonly Answer[]): Record<number, number> =>
  answers.reduce<Record<number, number>>((n, { status }) => ({ ...n, [status]: (n[status] ?? 0) + 1 }), {});
const walletEvents = async (customerId: string): Promise<number> => {
  const [wallet] = await world.test.peek<{ id: string }>('SELECT id FROM wallet WHERE customer_id = $1', [customerId]);
  return (await tenant.events(wallet!.id)).length;
};

describe('a wallet that many change at once', () => {
  it('answers each by itself, refuses exactly what the credit does not cover, and needs few transactions', async () => {
    const customer = await tenant.customer();
    await adjust(customer, 1.5);
    const answers = await Promise.all(Array.from({ length: 256 }, () => adjust(customer, -0.01)));
    expect(statuses(answers)).toEqual({ 201: 150, 422: 106 });
    const left = answers.flatMap(({ status, body }) => (status === 201 ? [body.balanceAfter.amount] : []));
    expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 150 }, (_, i) => i));
    expect(answers.find(({ status }) => status === 422)?.body.reason).toBe('insufficient_credit');
    expect(await walletEvents(customer)).toBeLessThan(130);
    expect(await tenant.balance(customer)).toBe(0);
    expect((await tenant.ok('GET', `/api/wallet/transactions?customerId=${customer}`)).count).toBe(151);
    expect(await tenant.broken()).toEqual([]);
  });

  it('takes each Idempotency-Key with its effect: one effect, one body', async () => {
    const customer = await tenant.customer();
    await adjust(customer, 1);
    const keys = Array.from({ length: 20 }, (_, i) => `hot-${customer}-${i}`);
    const answers = await Promise.all(
      keys.flatMap((key) => [adjust(customer, -0.01, key), adjust(customer, -0.01, key)]),
    );
    expect(await tenant.balance(customer)).toBe(80);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    for (const [i, key] of keys.entries()) {
      const again = await adjust(customer, -0.01, key);
      const first = answers.slice(2 * i, 2 * i + 2).find(({ status }) => status === 201);
      expect(again).toMatchObject({ status: 201, body: first!.body });
    }
    expect(await tenant.balance(customer)).toBe(80);
    expect(
      (
        await tenant.call(
          'POST',
          '/api/wallet/adjustments',
          { customerId: customer, amount: 5, currencyCode: 'EUR', description: 'other' },
          { 'idempotency-key': keys[0]! },
        )
      ).body.reason,
    ).toBe('idempotency_key_reused');
  });

  it('a refused one frees its key, whatever happens to the others', async () => {
    const customer = await tenant.customer();
    await adjust(customer, 0.05);
    const key = (i: number): string => `freed-${customer}-${i}`;
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => adjust(customer, -0.01, key(i))));
    expect(statuses(answers)).toEqual({ 201: 5, 422: 7 });
    await adjust(customer, 0.07);
    const again = await Promise.all(answers.map((_, i) => adjust(customer, -0.01, key(i))));
    expect(statuses(again)).toEqual({ 201: 12 });
    expect(await tenant.balance(customer)).toBe(0);
    expect(await tenant.broken()).toEqual([]);
  });

  it('one that the database refuses is nobody else’s trouble', async () => {
    const customer = await tenant.customer();
    const service = world.service.get(AdjustWallet);
    const results = await Promise.allSettled(
      ['a', 'b', 'NUL \u0000', 'd'].map((description) =>
        service.execute(tenant.id, { customerId: customer, amount: 1, currencyCode: 'EUR', description }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await tenant.balance(customer)).toBe(300);
  });

  it('nothing is left of a request for a customer that does not exist', async () => {
    const unknown = newUuid();
    await world.database.tenant(tenant.id, (tx) =>
      world.service.kit.replicas.apply(tx, 'customer', unknown, 1, null, true),
    );
    const answers = await Promise.all([adjust(unknown, 1, `u-${unknown}`), adjust(unknown, -1), adjust(unknown, 1)]);
    expect(answers.map(({ body }) => body.reason)).toEqual([
      'unknown_reference',
      'unknown_reference',
      'unknown_reference',
    ]);
    expect(await world.test.peek('SELECT 1 FROM customer_books WHERE customer_id = $1', [unknown])).toEqual([]);
    expect(await world.test.peek('SELECT 1 FROM idempotency WHERE key = $1', [`u-${unknown}`])).toEqual([]);
  });
});
