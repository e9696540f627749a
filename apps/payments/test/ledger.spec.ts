import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { migrationsOf } from '@kontor/service-kit';
import { brokenInvariants, testDatabase, type TestDatabase } from '@kontor/testing';
import fc from 'fast-check';
import {
  bookTransfers,
  type LedgerOperation,
  operation,
  paymentsService,
  tenantAccount,
  walletAdjusted,
} from '../src/index.js';
import { INVARIANTS } from '../src/operations/check-invariants.js';
import { collectionFailed, collectionStarted, collectionSucceeded } from '../src/domain/ledger/postings.js';

let test: TestDatabase;
const now = new Date('2026-03-02T09:00:00Z');

beforeAll(async () => {
  test = await testDatabase('payments', migrationsOf(paymentsService), [], { poolSize: 16 });
});
afterAll(() => test.drop());

const adjust = (customerId: string, amount: number, id = newUuid()): LedgerOperation =>
  walletAdjusted({ id, customerId, currencyCode: 'EUR', amountMinor: BigInt(amount) });
const book = async (tenantId: string, ...operations: LedgerOperation[]): Promise<string[]> => [
  ...(await test.database.tenant(tenantId, (tx) => bookTransfers(tx, tenantId, now, operations))).values(),
];
const broken = (tenantId: string): Promise<string[]> =>
  test.database.tenant(tenantId, async (tx) =>
    (await brokenInvariants(tx, INVARIANTS)).filter((line) =>
      /^(debits|a balance|a transfer|what a guarded)/.test(line),
    ),
  );
const creditOf = async (tenantId: string, customerId: string): Promise<bigint> => {
  const [row] = await test.database.tenant(tenantId, (tx) =>
    tx.query<{ credit: bigint }>(
      `SELECT coalesce(sum(b.posted_credit_amount - b.posted_debit_amount), 0)::bigint AS credit FROM ledger_balance b
        JOIN ledger_account a ON a.tenant_id = b.tenant_id AND a.id = b.account_id
       WHERE a.code = 'wallet' AND a.customer_id = $1`,
      [customerId],
    ),
  );
  return row?.credit ?? 0n;
};

describe('a batch', () => {
  it('books, repeats nothing, and an overdraft fails alone', async () => {
    const [tenant, customer] = [newUuid(), newUuid()];
    expect(await book(tenant, adjust(customer, 100, 'a'))).toEqual(['booked']);
    const again = [
      adjust(customer, 100, 'a'),
      adjust(customer, -60, 'b'),
      adjust(customer, -60, 'c'),
      adjust(customer, -40, 'd'),
      adjust(customer, 7, 'e'),
    ];
    expect(await book(tenant, ...again)).toEqual(['repeated', 'booked', 'overdraft', 'booked', 'booked']);
    expect(await creditOf(tenant, customer)).toBe(7n);
    expect(await broken(tenant)).toEqual([]);
  });

  it('takes credit that arrives earlier in the same batch, not later', async () => {
    const [tenant, customer] = [newUuid(), newUuid()];
    expect(await book(tenant, adjust(customer, -5), adjust(customer, 5), adjust(customer, -5))).toEqual([
      'overdraft',
      'booked',
      'booked',
    ]);
  });

  it('an operation is booked as a whole or not at all', async () => {
    const [tenant, customer] = [newUuid(), newUuid()];
    const wallet = { code: 'wallet', customerId: customer, currencyCode: 'EUR' } as const;
    const split = operation('split', [
      { debit: tenantAccount('bank', 'EUR'), credit: tenantAccount('suspense', 'EUR'), amountMinor: 10n },
      { debit: wallet, credit: tenantAccount('expired_credit', 'EUR'), amountMinor: 1n },
    ]);
    expect(await book(tenant, split)).toEqual(['overdraft']);
    expect(await test.peek(`SELECT 1 FROM ledger_transfer WHERE tenant_id = $1`, [tenant])).toEqual([]);
    expect(await book(tenant, adjust(customer, 1), split)).toEqual(['booked', 'booked']);
    expect(await broken(tenant)).toEqual([]);
  });

  it('refuses a key that stands for something else, and the whole transaction with it', async () => {
    const [tenant, customer] = [newUuid(), newUuid()];
    await book(tenant, adjust(customer, 5, 'key'));
    await expect(book(tenant, adjust(customer, 9), adjust(customer, 6, 'key'))).rejects.toThrow(
      'used for something else',
    );
    expect(await creditOf(tenant, customer)).toBe(5n);
  });

  it('resolves a reservation exactly once', async () => {
    const tenant = newUuid();
    const p = { id: 'p', customerId: newUuid(), currencyCode: 'EUR', amountMinor: 70n, gatewayName: 'testing' };
    expect(await book(tenant, collectionStarted(p))).toEqual(['booked']);
    await expect(book(tenant, collectionSucceeded({ ...p, amountMinor: 71n }))).rejects.toThrow(
      'nothing that is pending',
    );
    expect(await book(tenant, collectionSucceeded(p), collectionStarted({ ...p, id: 'q' }))).toEqual([
      'booked',
      'booked',
    ]);
    expect(await book(tenant, collectionSucceeded(p))).toEqual(['repeated']);
    await expect(book(tenant, collectionFailed(p))).rejects.toThrow('used for something else');
    const [clearing] = await test.peek<{ posted: bigint; pending: bigint }>(
      `SELECT sum(posted_debit_amount)::bigint AS posted, sum(pending_debit_amount)::bigint AS pending
        FROM ledger_balance b JOIN ledger_account a ON a.id = b.account_id
        WHERE a.tenant_id = $1 AND code = 'gateway_clearing'`,
      [tenant],
    );
    expect(clearing).toEqual({ posted: 70n, pending: 70n });
    expect(await broken(tenant)).toEqual([]);
  });
});

describe('the database itself', () => {
  it('lets nobody change, remove or add ledger rows but through the function', async () => {
    const [tenant, customer] = [newUuid(), newUuid()];
    await book(tenant, adjust(customer, 5));
    for (const sql of [
      'UPDATE ledger_transfer SET amount = 1',
      'DELETE FROM ledger_transfer',
      'UPDATE ledger_balance SET posted_credit_amount = 0',
      'DELETE FROM ledger_account',
      `INSERT INTO ledger_transfer (tenant_id, operation_key, leg, kind, debit_account_id, credit_account_id,
        currency_code, amount, booked_at) VALUES ('${tenant}', 'x', 0, 'posted', '${tenant}', '${customer}', 'EUR', 1,
        now())`,
      'TRUNCATE ledger_transfer',
    ]) {
      await expect(test.database.tenant(tenant, (tx) => tx.query(sql))).rejects.toThrow(/permission denied/);
    }
    await expect(test.peek('UPDATE ledger_transfer SET amount = 1 WHERE tenant_id = $1', [tenant])).rejects.toThrow(
      'never changed',
    );
    await expect(test.peek('UPDATE ledger_balance SET available_amount = available_amount - 99')).rejects.toThrow(
      'ledger_sum',
    );
  });

  it('books for no other tenant than the transaction is of', async () => {
    const [tenant, other] = [newUuid(), newUuid()];
    await expect(
      test.database.tenant(tenant, (tx) => bookTransfers(tx, other, now, [adjust(newUuid(), 5)])),
    ).rejects.toThrow('another tenant');
  });
});

describe('many at once', () => {
  it('concurrent debits: exactly as many as the balance allows; balances are the sums of their entries', async () => {
    const [tenant, customer] = [newUuid(), newUuid()];
    await book(tenant, adjust(customer, 100));
    const outcomes = (
      await Promise.all(
        Array.from({ length: 60 }, (_, i) =>
          book(tenant, ...Array.from({ length: 1 + (i % 3) }, () => adjust(customer, -1))),
        ),
      )
    ).flat();
    expect(outcomes.filter((o) => o === 'booked')).toHaveLength(100);
    expect(outcomes.filter((o) => o === 'overdraft')).toHaveLength(outcomes.length - 100);
    expect(await creditOf(tenant, customer)).toBe(0n);
    expect(await broken(tenant)).toEqual([]);
  });

  it('batches that overlap in every order never block each other for good', async () => {
    const tenant = newUuid();
    const customers = Array.from({ length: 12 }, () => newUuid());
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => {
        const turned = [...customers.slice(i % 12), ...customers.slice(0, i % 12)];
        return book(tenant, ...(i % 2 ? turned : turned.reverse()).map((customer) => adjust(customer, 3)));
      }),
    );
    for (const customer of customers) expect(await creditOf(tenant, customer)).toBe(120n);
    expect(await broken(tenant)).toEqual([]);
  });

  it('any sequence of batches gives what a plain model gives', async () => {
    const request = fc.record({
      customer: fc.nat(2),
      amount: fc.integer({ min: -40, max: 60 }).filter((n) => n !== 0),
      key: fc.nat(40),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(request, { minLength: 1, maxLength: 8 }), { maxLength: 8 }),
        async (batches) => {
          const tenant = newUuid();
          const customers = [newUuid(), newUuid(), newUuid()];
          const balances = [0, 0, 0];
          const done = new Set<string>();
          for (const batch of batches) {
            const unique = [...new Map(batch.map((w) => [keyOf(w), w])).values()];
            const expected = unique.map((w) => {
              if (done.has(keyOf(w))) return 'repeated';
              if ((balances[w.customer] as number) + w.amount < 0) return 'overdraft';
              balances[w.customer] = (balances[w.customer] as number) + w.amount;
              done.add(keyOf(w));
              return 'booked';
            });
            expect(
              await book(tenant, ...unique.map((w) => adjust(customers[w.customer]!, w.amount, keyOf(w)))),
            ).toEqual(expected);
          }
          for (const [i, customer] of customers.entries())
            expect(await creditOf(tenant, customer)).toBe(BigInt(balances[i]!));
          expect(await broken(tenant)).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
  });
  const keyOf = (w: { customer: number; amount: number; key: number }): string => `${w.customer}/${w.amount}/${w.key}`;
});
