// Rows of `npm run bench`: the ledger's postings beside the commit ceiling of the same server, and a hot wallet with and
// without the coalescing writer. Run it alone with `node apps/payments/bench/ledger.mjs`.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Database, EmbeddedPostgres, migrate, provisionDatabase, rolesOf } from '@kontor/persistence';
import { migrationsOf } from '@kontor/service-kit';
import { bookTransfers, LedgerWriter, paymentsService, walletAdjusted } from '../dist/index.js';
import { interleaved, percentile, rateOf } from '../../../bench/report.mjs';

const CONNECTIONS = 16;
const POSTINGS = 6000;
const HOT_SINGLE = 1500;
const HOT_CLIENTS = 256;
const HOT_COALESCED = 40_000;

const adjust = (customerId, amountMinor) => walletAdjusted({ id: randomUUID(), customerId, currencyCode: 'EUR', amountMinor });

/** `lanes` workers share `count` calls of `work`. */
async function shared(lanes, count, work) {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-bench-ledger-'));
  const server = new EmbeddedPostgres();
  const { adminUrl } = await server.start(folder);
  const urls = await provisionDatabase(adminUrl, 'payments', { owner: 'bench', app: 'bench' });
  await migrate(urls.ownerUrl, migrationsOf(paymentsService), rolesOf('payments'));
  const database = await Database.connect({ serviceName: 'payments', appUrl: urls.appUrl, rows: [], poolSize: CONNECTIONS });
  try {
    return await measure(database, urls.ownerUrl);
  } finally {
    await database.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(database, ownerUrl) {
  const { default: pg } = await import('pg');
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query('CREATE TABLE bench_commit (id uuid PRIMARY KEY, amount bigint NOT NULL)');
  await owner.end();

  const tenant = randomUUID();
  const customers = Array.from({ length: 1000 }, () => randomUUID());
  const hot = randomUUID();
  const writer = new LedgerWriter(database);
  // One statement is one transaction, as in the writer.
  const sql = { query: async (text, values) => (await database.pool.query({ name: text.slice(0, 40), text, values })).rows };
  const post = (customer) => bookTransfers(sql, tenant, new Date(), [adjust(customer, -1n)]);
  await bookTransfers(
    sql,
    tenant,
    new Date(),
    [...customers, hot].map((customer) => adjust(customer, 10n ** 12n)),
  );

  // Plans and machine code are made before the clock runs.
  await shared(CONNECTIONS, 2000, (i) => post(customers[i % customers.length]));
  await shared(HOT_CLIENTS, 10_000, () => writer.post(tenant, adjust(hot, -1n)));
  const times = [];
  const rates = await interleaved({
    postings: () => rateOf(POSTINGS, () => shared(CONNECTIONS, POSTINGS, (i) => post(customers[i % customers.length]))),
    ceiling: () =>
      rateOf(POSTINGS, () =>
        shared(CONNECTIONS, POSTINGS, () =>
          database.pool.query({ name: 'ceiling', text: 'INSERT INTO bench_commit VALUES ($1, $2)', values: [randomUUID(), 1] }),
        ),
      ),
    hotSingle: () => rateOf(HOT_SINGLE, () => shared(CONNECTIONS, HOT_SINGLE, () => post(hot))),
    hotCoalesced: () =>
      rateOf(HOT_COALESCED, () =>
        shared(HOT_CLIENTS, HOT_COALESCED, async () => {
          const began = performance.now();
          await writer.post(tenant, adjust(hot, -1n));
          times.push(performance.now() - began);
        }),
      ),
  });
  return [
    {
      name: 'ledger postings, 1,000 wallets, one transaction each',
      measured: rates.postings,
      limit: rates.ceiling,
      goal: 0.75,
      unit: '/s',
    },
    { name: 'ledger postings, one hot wallet, coalesced', measured: rates.hotCoalesced, limit: rates.hotSingle, goal: 15, unit: '/s' },
    { name: 'hot wallet, 256 clients, p99', measured: [percentile(times, 0.99)], goal: 10, unit: 'ms', lowerIsBetter: true },
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { report, table } = await import('../../../bench/report.mjs');
  console.log(table((await run()).map(report)));
  process.exit();
}
