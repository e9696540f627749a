import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EmbeddedPostgres } from '@kontor/persistence';
import { type RedisFixture, redisFixture, shareOf } from '@kontor/testing';
import { Redis } from 'ioredis';
import pg from 'pg';
import { type Answer, type Api, eventually, type Json } from '../support/api.js';
import { type Charge, CardProvider } from '../support/card-provider.js';
import { aCustomer } from '../support/catalogue.js';
import { killService, pidsOf } from '../support/processes.js';
import { describeOnKafka } from '../support/requirements.js';
import { System } from '../support/system.js';

const LINES = '/payment/bank-account-transactions';
/** Requests about usage a minute: so few that they fit into the minute on a busy machine, too. */
const LIMIT = 60;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describeOnKafka('money, while services and Redis are killed', () => {
  let system: System;
  let provider: CardProvider;
  let redis: RedisFixture;
  /** Of the payments service. */
  let database: pg.Client;

  beforeAll(async () => {
    const found = await redisFixture();
    if (!found) throw new Error('the services as processes need a Redis');
    redis = found;
    provider = await CardProvider.start();
    system = await System.stack([], { ...provider.env, REDIS_URL: redis.url, RATE_LIMIT_SANDBOX_USAGE: String(LIMIT) });
    database = await paymentsDatabase(system);
  });
  afterAll(async () => {
    await database?.end();
    await system?.stop();
    provider?.stop();
    await redis?.stop();
  });

  /** The request, with one key, until it is answered by something other than "not now". */
  const untilAnswered = (api: Api, path: string, body: Json, key: string): Promise<Answer<Json>> =>
    eventually(`an answer of ${path}`, async () => {
      const answer = await api.post(path, body, { 'idempotency-key': key }).catch(() => undefined);
      if (answer !== undefined && answer.status < 500 && answer.status !== 409) return answer;
      await pause(200);
      return undefined;
    });

  const balance = async (api: Api, customerId: string): Promise<number> =>
    (await api.ok('GET', `/api/wallet/balances?customerId=${customerId}`)).items[0]?.balance.amount ?? 0;

  const balanceIs = (api: Api, customerId: string, amount: number): Promise<boolean> =>
    eventually(`a balance of ${amount}`, async () => {
      await pause(150);
      // While payments starts again there is no answer.
      return (await balance(api, customerId).catch(() => undefined)) === amount;
    });

  /** Kills payments while it waits to write the table, and lets it start again. */
  async function killedAt(table: string, work: () => Promise<unknown>): Promise<void> {
    await database.query(`BEGIN; LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
    const answer = work().catch(() => undefined);
    const waits = `SELECT 1 FROM pg_locks l JOIN pg_class c ON c.oid = l.relation WHERE NOT l.granted AND c.relname = $1`;
    await eventually(
      `payments comes to ${table}`,
      async () => ((await database.query(waits, [table])).rowCount ?? 0) > 0,
    );
    killService('payments', system.dataDir);
    await eventually('payments is gone', async () => pidsOf('payments', system.dataDir).length === 0);
    await database.query('ROLLBACK');
    await answer;
  }

  it('a bank transaction over several invoices is assigned as a whole or not at all, and once', async () => {
    const { api } = await system.sandbox();
    const { id: bankAccountId } = await api.ok('POST', '/bank-accounts', { iban: 'DE89370400440532013000' });
    const tables = shareOf(['ledger_transfer', 'payment_allocation', 'outbox'], 1);
    const rounds = [];
    for (const table of tables) {
      const invoices = await Promise.all([1, 2, 3].map(() => unpaidInvoice(api)));
      const reference = randomUUID();
      const transactions = [
        { reference, bookingDate: new Date().toISOString().slice(0, 10), amount: '360.00', currencyCode: 'EUR' },
      ];
      await api.ok('POST', `${LINES}/import`, { bankAccountId, transactions });
      const line = (await api.ok('GET', `${LINES}?limit=100`)).data.find((line: Json) => line.reference === reference);
      rounds.push({ table, invoices, path: `${LINES}/${line.id}` });
    }
    for (const { table, invoices, path } of rounds) {
      const body = { invoiceIds: invoices, disposition: 'credit_wallet' };
      const [key, open] = [randomUUID(), { invoiceIds: invoices, disposition: 'open' }];
      await killedAt(table, () => api.post(`${path}/assign-with-disposition`, open, { 'idempotency-key': key }));
      const untouched = await eventually('payments is back', async () => {
        const answer = await api.get(path);
        return answer.status === 200 && answer.body;
      });
      expect(untouched).toMatchObject({ unassignedAmount: 36_000, assignments: [] });
      // Whom it belongs to is refused before anything is booked, whatever was going on.
      expect((await api.post(`${path}/assign-with-disposition`, body)).body.reason).toBe('multiple_customers');
      const answers = [];
      for (let n = 0; n < 3; n++) answers.push(await untilAnswered(api, `${path}/assign-with-disposition`, open, key));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
      expect(answers[0]?.body).toMatchObject({
        status: 'STATUS_OUTSTANDING_AMOUNT',
        unassignedAmount: 300,
        disposedAmount: null,
      });
      const { assignments } = await api.ok('GET', path);
      expect(assignments.map(({ invoiceId, amount }: Json) => [invoiceId, amount])).toEqual(
        invoices.map((id) => [id, 11_900]),
      );
      for (const id of invoices)
        await eventually('the invoice is paid', async () => {
          await pause(100);
          const invoice = await api.ok('GET', `/invoices/${id}`);
          return invoice.status === 'STATUS_PAID' && invoice.unpaidAmount.amount === 0;
        });
    }
    await booksHold();
  });

  it('ten call-backs, the gateway’s own answer and the user’s repeats: one credit', async () => {
    const { api } = await system.sandbox();
    const customerId = await cardPayer(api);
    let statuses: number[] = [];
    provider.whenCharged = async (charge) => {
      statuses = await provider.callBack(api.baseUrl, charge, 10);
      return true;
    };
    const [body, key] = [{ customerId, amount: 25.5, currencyCode: 'EUR' }, randomUUID()];
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => untilAnswered(api, '/api/wallet/top-up', body, key)),
    );
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.body.id}`)).size).toBe(1);
    await balanceIs(api, customerId, 2550);
    expect(statuses).toEqual(Array(10).fill(200));
    await provider.callBack(api.baseUrl, chargeOf(customerId), 10);
    await creditedOnce(api, customerId);
  });

  it('no answer in time, then a late success: booked once', async () => {
    const { api } = await system.sandbox();
    const customerId = await cardPayer(api);
    provider.whenCharged = () => Promise.resolve(false);
    const before = provider.charges.size;
    const [body, key] = [{ customerId, amount: 25.5, currencyCode: 'EUR' }, randomUUID()];
    const started = await untilAnswered(api, '/api/wallet/top-up', body, key);
    await eventually('the charge', async () => provider.charges.size > before);
    expect([started.body.status, await balance(api, customerId)]).toEqual(['pending', 0]);
    await provider.callBack(api.baseUrl, chargeOf(customerId), 10);
    await balanceIs(api, customerId, 2550);
    expect((await untilAnswered(api, '/api/wallet/top-up', body, key)).body).toEqual(started.body);
    await provider.callBack(api.baseUrl, chargeOf(customerId), 10);
    await creditedOnce(api, customerId);
  });

  it('payments dies while the gateway is taking the money: it is asked again with the same key, and booked once', async () => {
    const { api } = await system.sandbox();
    const customerId = await cardPayer(api);
    let kills = 0;
    provider.whenCharged = async () => {
      if (kills++ > 0) return true;
      killService('payments', system.dataDir);
      return false;
    };
    const asked = provider.asked;
    await untilAnswered(api, '/api/wallet/top-up', { customerId, amount: 25.5, currencyCode: 'EUR' }, randomUUID());
    // The dead process's claim lasts some seconds, unless a call-back comes first.
    await balanceIs(api, customerId, 2550);
    expect(provider.asked).toBe(asked + 2);
    await provider.callBack(api.baseUrl, chargeOf(customerId), 10);
    await creditedOnce(api, customerId);
  });

  it('Redis is emptied, then gone: every payment counts once, no wallet is overdrawn, and limits hold', async () => {
    const { api } = await system.sandbox();
    const { id: customerId } = await aCustomer(api);
    const { paymentMethod } = await api.ok('POST', '/payment-methods', { gateway: 'testing', customerId });
    const body = { customerId, amount: 10, currencyCode: 'EUR', paymentMethodId: paymentMethod.id };
    const cache = new Redis(redis.url);
    cache.on('error', () => undefined);
    const topUps = async (round: number): Promise<void> => {
      const keys = Array.from({ length: 10 }, (_, n) => `round-${round}-${n}`);
      const answers = await Promise.all(
        [...keys, ...keys, ...keys].map((key) => untilAnswered(api, '/api/wallet/top-up', body, key)),
      );
      expect(answers.every(({ status }) => status === 201)).toBe(true);
    };
    await Promise.all([
      topUps(1),
      cache.flushall(),
      pause(50).then(() => cache.flushall()),
      pause(150).then(() => cache.flushall()),
    ]);
    cache.disconnect();
    await Promise.all([topUps(2), redis.stop()]);
    await balanceIs(api, customerId, 20_000);
    const debit = { customerId, amount: -15, currencyCode: 'EUR', description: 'Abzug' };
    const debits = await Promise.all(Array.from({ length: 20 }, () => api.post('/api/wallet/adjustments', debit)));
    expect(debits.filter(({ status }) => status === 201)).toHaveLength(13);
    expect(await balance(api, customerId)).toBe(20_000 - 13 * 1500);
    await booksHold();
    const { api: other } = await system.sandbox();
    const statuses: number[] = [];
    const send = async (): Promise<number> => (await other.post('/api/usage-events', {})).status;
    while (statuses.length < 2 * LIMIT) statuses.push(...(await Promise.all(Array.from({ length: 30 }, send))));
    expect(statuses.filter((status) => status === 400)).toHaveLength(LIMIT);
    expect(statuses.filter((status) => status === 429)).toHaveLength(LIMIT);
  });

  const chargeOf = (customerId: string): Charge => {
    const charge = [...provider.charges.values()].at(-1);
    if (!charge) throw new Error(`nothing was charged for ${customerId}`);
    return charge;
  };

  async function cardPayer(api: Api): Promise<string> {
    const { id } = await aCustomer(api);
    const made = await api.ok('POST', '/payment-methods', {
      gateway: 'card_provider',
      customerId: id,
      cardProvider: { paymentMethodId: 'pm_card_visa' },
    });
    expect(made.status).toBe('active');
    return id;
  }

  async function creditedOnce(api: Api, customerId: string): Promise<void> {
    const unprocessed = `SELECT 1 FROM gateway_notice WHERE processed_at IS NULL`;
    await eventually('every notice is acted on', async () => (await database.query(unprocessed)).rowCount === 0);
    const { items } = await api.ok('GET', `/api/wallet/transactions?customerId=${customerId}`);
    expect(items.map(({ type, amount }: Json) => [type, amount.amount])).toEqual([['top_up', 2550]]);
    const { data } = await api.ok('GET', `/payment/transactions?customer=${customerId}`);
    expect(data.map(({ type, status, amount }: Json) => [type, status, amount.amount])).toEqual([
      ['payment', 'succeeded', 2550],
    ]);
    expect(await balance(api, customerId)).toBe(2550);
    await booksHold();
  }

  /** Debits equal credits, and each balance is the sum of its entries: of all tenants. */
  async function booksHold(): Promise<void> {
    const { rows } = await database.query(
      `SELECT b.tenant_id, b.account_id FROM (
         SELECT tenant_id, account_id, sum(posted_debit_amount) - sum(posted_credit_amount) AS kept FROM ledger_balance GROUP BY 1, 2) b
       LEFT JOIN (
         SELECT tenant_id, account, sum(amount) AS entered FROM (
           SELECT tenant_id, debit_account_id AS account, amount FROM ledger_transfer WHERE kind IN ('posted', 'post')
           UNION ALL SELECT tenant_id, credit_account_id, -amount FROM ledger_transfer WHERE kind IN ('posted', 'post')) e GROUP BY 1, 2) t
         ON t.tenant_id = b.tenant_id AND t.account = b.account_id
       WHERE b.kept <> coalesce(t.entered, 0)`,
    );
    expect(rows).toEqual([]);
  }
});

/** An unpaid invoice over 119.00 of a customer of its own. */
async function unpaidInvoice(api: Api): Promise<string> {
  const { id: customer } = await aCustomer(api);
  const draft = await api.ok('POST', '/invoices', {
    customer,
    positions: [{ name: 'Wartung', unitPrice: { amount: 10_000, currencyCode: 'EUR' } }],
  });
  await api.ok('POST', `/invoices/${draft.id}/finalize`, {});
  return draft.id;
}

/** Past row-level security: to stop the service at a table, and to look at all tenants. */
async function paymentsDatabase(system: System): Promise<pg.Client> {
  // The server runs already: it is only found.
  const { adminUrl } = await new EmbeddedPostgres().start(system.dataDir);
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  const { rows } = await admin.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datname LIKE '%payments'`,
  );
  await admin.end();
  const url = new URL(adminUrl);
  url.pathname = `/${rows[0]?.name}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return client;
}
