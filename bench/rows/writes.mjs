// What a write costs: through the gateway with 8 and 64 clients, beside the same gateway and service frame with one INSERT; and
// how many statements and transactions it takes over all databases, counted by pg_stat_statements.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startSystem } from '@kontor/embedded';
import { EmbeddedBus } from '@kontor/messaging';
import { EmbeddedPostgres } from '@kontor/persistence';
import { ServiceConfig } from '@kontor/service-kit';
import { freePort } from '../../tools/free-port.mjs';
import { startLoad } from '../parts/http-load.mjs';
import { startOneInsertService } from '../parts/one-insert-service.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SCALE = Number(process.env.BENCH_SCALE ?? 1);
const COUNTED = Number(process.env.BENCH_COUNTED ?? 512);
const REQUESTS = { 8: Math.ceil(160 * SCALE), 64: Math.ceil(384 * SCALE) };
const WANTED = process.env.BENCH_ONLY?.split(',');
const STATISTICS_MS = 10_500;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const post = (path, body) => ({ method: 'POST', path, body: JSON.stringify(body) });

let made = 0;
const customer = () => {
  made += 1;
  return post('/customers', {
    email: `k${made}@backhaus-elbe.example`,
    companyName: `Backhaus ${made} GmbH`,
    street: 'Elbchaussee',
    houseNumber: String(made),
    zip: '22765',
    city: 'Hamburg',
  });
};

/** The server, with statements counted from its start on; the system takes it over. */
async function startCountingServer(dataDir) {
  const first = new EmbeddedPostgres();
  const { adminUrl } = await first.start(dataDir);
  await inDatabase(adminUrl, async (admin) => {
    await admin.query(`ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`);
    await admin.query('ALTER SYSTEM SET "pg_stat_statements.max" = 20000');
  });
  await first.stop();
  const server = await new EmbeddedPostgres().start(dataDir);
  await inDatabase(server.adminUrl, (admin) => admin.query('CREATE EXTENSION pg_stat_statements'));
  return server.adminUrl;
}

async function inDatabase(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const STATEMENTS = `SELECT d.datname AS database, s.query, s.calls::int AS calls, s.total_exec_time AS ms
  FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname LIKE 'kontor%' AND d.datname <> 'kontor_bench'`;
const COMMITS = `SELECT sum(xact_commit + xact_rollback)::int AS n FROM pg_stat_database
  WHERE datname LIKE 'kontor%' AND datname <> 'kontor_bench'`;

/** Statements and transactions that `work` causes, until all is quiet; those of an idle system in the same time are taken off. */
async function count(admin, work) {
  const measure = async (during) => {
    await admin.query('SELECT pg_stat_statements_reset()');
    const before = (await admin.query(COMMITS)).rows[0].n;
    const began = performance.now();
    await during();
    const { rows } = await admin.query(STATEMENTS);
    const seconds = (performance.now() - began) / 1000;
    // Sessions report their transactions when they have been idle for ten seconds.
    await sleep(STATISTICS_MS);
    const transactions = (await admin.query(COMMITS)).rows[0].n - before;
    const statements = rows.reduce((sum, { calls }) => sum + calls, 0);
    return { rows, seconds, all: seconds + STATISTICS_MS / 1000, statements, transactions };
  };
  await sleep(STATISTICS_MS);
  const idle = await measure(() => sleep(3000));
  const callsIn = async (ms) => {
    const sum = async () => (await admin.query(`SELECT sum(calls)::int AS n FROM (${STATEMENTS}) s`)).rows[0].n ?? 0;
    const before = await sum();
    await sleep(ms);
    return (await sum()) - before;
  };
  const busy = await measure(async () => {
    await work();
    // Files, mails and webhooks come after the answer.
    for (let quiet = 0; quiet < 3;)
      quiet = (await callsIn(1000)) < (1.5 * idle.statements) / idle.seconds ? quiet + 1 : 0;
  });
  return {
    statements: busy.statements - (idle.statements / idle.seconds) * busy.seconds,
    transactions: busy.transactions - (idle.transactions / idle.all) * busy.all,
    rows: busy.rows,
  };
}

function printCounts(what, { rows, statements, transactions }, n) {
  process.stderr.write(
    `\n${what}: ${(statements / n).toFixed(1)} statements, ${(transactions / n).toFixed(1)} transactions each; by database:\n`,
  );
  const byDatabase = Map.groupBy(rows, (row) => row.database);
  for (const [database, list] of byDatabase)
    process.stderr.write(
      `  ${database}: ${(list.reduce((sum, { calls }) => sum + calls, 0) / n).toFixed(2)} calls, ` +
        `${(list.reduce((sum, { ms }) => sum + ms, 0) / n).toFixed(2)} ms\n`,
    );
  if (!process.env.BENCH_STATEMENTS) return;
  for (const { database, query, calls, ms } of rows.toSorted((a, b) => b.calls - a.calls).slice(0, 60))
    process.stderr.write(
      `  ${(calls / n).toFixed(2)} × ${(ms / n).toFixed(3)} ms ${database} ${query.replaceAll(/\s+/g, ' ').slice(0, 150)}\n`,
    );
}

export async function run() {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-bench-'));
  const adminUrl = await startCountingServer(dataDir);
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    SECRETS_KEY: randomBytes(32).toString('hex'),
    RATE_LIMIT_SANDBOX: '100000000',
    LOG_LEVEL: 'warn',
  };
  const system = await startSystem(env);
  const internalSecret = new ServiceConfig('bench', env).internalSecret;
  const bus = new EmbeddedBus();
  const bare = await startOneInsertService({
    adminUrl,
    bus,
    system,
    env: { ...env, KONTOR_SHAPE: 'embedded', INTERNAL_SECRET: internalSecret },
  });
  const load = startLoad();
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  const { baseUrl, apiKey } = system.connection;
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const send = (requests, clients, url = baseUrl) => load.send({ url, headers, requests, clients });
  const idOf = async (path, body) => (await send([post(path, body)], 1)).ids[0];
  try {
    const product = await idOf('/catalogue/products', { name: 'Team', type: 'product' });
    const pricePlan = await idOf('/price-plans', {
      product,
      type: 'per_unit',
      currencyCode: 'EUR',
      price: { amount: 900 },
      billingInterval: '1M',
    });
    const times = (n, request) => Array.from({ length: n }, (_, i) => request(i));
    const customers = (await send(times(128, customer), 8)).ids;
    const anyCustomer = (i) => customers[i % customers.length];
    const invoice = (i) =>
      post('/invoices', {
        customer: anyCustomer(i),
        positions: [{ name: 'Beratung', quantity: '2', unitPrice: { amount: 9000, currencyCode: 'EUR' } }],
      });
    /** Each makes `n` requests ready, and says which are measured. */
    const writes = {
      'POST /customers': async (n) => times(n, customer),
      'POST /subscriptions, activated': async (n) =>
        times(n, (i) =>
          post('/subscriptions', { customer: anyCustomer(i), items: [{ pricePlan, quantity: '3' }], activate: true }),
        ),
      'POST /invoices': async (n) => times(n, invoice),
      'POST /invoices/{id}/finalize': async (n) => {
        const { ids } = await send(times(n, invoice), 16);
        await sleep(500);
        return ids.map((id) => post(`/invoices/${id}/finalize`, {}));
      },
    };
    const chosen = Object.entries(writes).filter(([name]) => !WANTED || WANTED.some((part) => name.includes(part)));
    const insert = (n) => times(n, (i) => post('/bench-rows', JSON.parse(customer(i).body)));
    const rows = [];
    for (const [, prepare] of chosen) await send(await prepare(Math.ceil(128 * SCALE)), 8);
    await send(insert(Math.ceil(512 * SCALE)), 8, bare.url);
    for (const clients of ROUNDS > 0 ? [8, 64] : []) {
      const n = REQUESTS[clients];
      const rates = Object.fromEntries([...chosen.map(([name]) => name), 'insert'].map((name) => [name, []]));
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [name, prepare] of chosen) rates[name].push(n / (await send(await prepare(n), clients)).seconds);
        await sleep(500);
        rates.insert.push((3 * n) / (await send(insert(3 * n), clients, bare.url)).seconds);
      }
      for (const [name] of chosen)
        rows.push({
          name: `${name}, ${clients} clients, beside one INSERT`,
          measured: rates[name],
          limit: rates.insert,
          goal: name === 'POST /customers' ? 0.25 : 0.2,
          unit: '/s',
        });
    }
    const counted = async (what, prepare, goals) => {
      const requests = await prepare(COUNTED);
      const counts = await count(admin, () => send(requests, 64));
      printCounts(what, counts, COUNTED);
      for (const [key, goal] of Object.entries(goals))
        rows.push({
          name: `${key} of ${what}, 64 clients`,
          measured: [counts[key] / COUNTED],
          goal,
          unit: '',
          lowerIsBetter: true,
        });
    };
    if (process.env.BENCH_COUNTS !== '0') {
      if (chosen.some(([name]) => name === 'POST /customers'))
        await counted('a customer', writes['POST /customers'], { statements: 30, transactions: 6 });
      if (chosen.some(([name]) => name.startsWith('POST /subscriptions')))
        await counted('a subscription', writes['POST /subscriptions, activated'], { statements: 40 });
      if (chosen.some(([name]) => name.includes('finalize')))
        await counted('finalizing an invoice', writes['POST /invoices/{id}/finalize'], { statements: 60 });
    }
    return rows;
  } finally {
    await load.stop();
    await admin.end();
    await bare.stop();
    await system.stop();
    await bus.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
