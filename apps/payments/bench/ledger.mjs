// Rows of `npm run bench`: the ledger's postings beside the commit ceiling of the same server; and adjustments of one
// hot wallet by
// one caller, which share transactions, beside the same by a caller each, which do not. Run it alone with
// `npm run bench -- ledger`.
import { randomUUID } from 'node:crypto';
import { newUuid } from '@kontor/kernel';
import { runInContext } from '@kontor/service-kit';
import { bookTransfers, walletAdjusted } from '../dist/index.js';
import { AdjustWallet } from '../dist/wallet/adjust-wallet.js';
import { interleaved, percentile, rateOf } from '../../../bench/report.mjs';
import { copyTenant, withService } from './with-service.mjs';

const CONNECTIONS = 16;
const POSTINGS = 6000;
const HOT_SINGLE = 500;
const HOT_CLIENTS = 256;
const HOT_SHARED = 15_000;
const WALLETS = 1000;

const adjust = (customerId, amountMinor) =>
  walletAdjusted({ id: newUuid(), customerId, currencyCode: 'EUR', amountMinor });

/** `lanes` workers share `count` calls of `work`. */
async function shared(lanes, count, work) {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

export const run = () =>
  withService({ DATABASE_POOL_SIZE: `${CONNECTIONS}` }, (service, { ownerUrl }) => measure(service, ownerUrl));

/** A tenant with wallets that are full enough; answers how one caller takes a cent of the nth. */
async function fullWallets(service, count) {
  const tenantId = randomUUID();
  const customers = Array.from({ length: count }, () => randomUUID());
  await copyTenant(service.kit, tenantId, customers);
  const adjustWallet = service.get(AdjustWallet);
  const give = (customerId, amount) =>
    adjustWallet.execute(tenantId, { customerId, amount, currencyCode: 'EUR', description: 'bench' });
  await Promise.all(customers.map((customerId) => give(customerId, 1e9)));
  return (subjectId, n = 0) =>
    runInContext(
      {
        requestId: subjectId,
        traceparent: '',
        principal: { tenantId, kind: 'api_key', subjectId, permissions: [], scopes: [] },
      },
      () => give(customers[n % count], -0.01),
    );
}

async function measure(service, ownerUrl) {
  const { database } = service.kit;
  const { default: pg } = await import('pg');
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query('CREATE TABLE bench_commit (id uuid PRIMARY KEY, amount bigint NOT NULL)');
  await owner.end();

  const tenant = randomUUID();
  const customers = Array.from({ length: WALLETS }, () => randomUUID());
  // One statement is one transaction.
  const sql = {
    query: async (text, values) => (await database.pool.query({ name: text.slice(0, 40), text, values })).rows,
  };
  const post = (customer) => bookTransfers(sql, tenant, new Date(), [adjust(customer, -1n)]);
  await bookTransfers(
    sql,
    tenant,
    new Date(),
    customers.map((customer) => adjust(customer, 10n ** 12n)),
  );
  const take = await fullWallets(service, 1);
  const takeOfMany = await fullWallets(service, WALLETS);
  const caller = randomUUID();

  // Plans and machine code are made before the clock runs.
  await shared(CONNECTIONS, 2000, (i) => post(customers[i % customers.length]));
  await shared(HOT_CLIENTS, 5000, () => take(caller));
  await shared(HOT_CLIENTS, 5000, (i) => takeOfMany(caller, i));
  const p99s = { adjustments: [], commits: [] };
  const timed = (clients, count, work, into) =>
    rateOf(count, async () => {
      const times = [];
      await shared(clients, count, async () => {
        const began = performance.now();
        await work();
        times.push(performance.now() - began);
      });
      into.push(percentile(times, 0.99));
    });
  const commit = () =>
    database.pool.query({
      name: 'ceiling',
      text: 'INSERT INTO bench_commit VALUES ($1, $2)',
      values: [newUuid(), 1],
    });
  const rates = await interleaved({
    postings: () => rateOf(POSTINGS, () => shared(CONNECTIONS, POSTINGS, (i) => post(customers[i % customers.length]))),
    ceiling: () => rateOf(POSTINGS, () => shared(CONNECTIONS, POSTINGS, commit)),
    useCase: () => rateOf(HOT_SHARED, () => shared(HOT_CLIENTS, HOT_SHARED, (i) => takeOfMany(caller, i))),
    hotSingle: () => rateOf(HOT_SINGLE, () => shared(CONNECTIONS, HOT_SINGLE, () => take(randomUUID()))),
    hotShared: () => timed(HOT_CLIENTS, HOT_SHARED, () => take(caller), p99s.adjustments),
    // As many clients, each with a commit of its own.
    hotCeiling: () => timed(HOT_CLIENTS, POSTINGS, commit, p99s.commits),
  });
  return [
    {
      name: 'ledger postings, 1,000 wallets, one transaction each',
      measured: rates.postings,
      limit: rates.ceiling,
      goal: 0.75,
      unit: '/s',
    },
    {
      name: 'adjustments of 1,000 wallets, sharing transactions, beside empty commits',
      measured: rates.useCase,
      limit: rates.ceiling,
      goal: 2,
      unit: '/s',
    },
    {
      name: 'adjustments of one hot wallet, sharing transactions',
      measured: rates.hotShared,
      limit: rates.hotSingle,
      goal: 15,
      unit: '/s',
    },
    {
      name: 'hot wallet, 256 clients, p99, beside that of an empty commit',
      measured: p99s.adjustments,
      limit: p99s.commits,
      goal: 5,
      unit: 'ms',
      lowerIsBetter: true,
    },
  ];
}
