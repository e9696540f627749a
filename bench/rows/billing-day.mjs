// A billing day of the whole system, embedded and on Kafka: the clock passes 03:00, every customer is due with three lines; until all documents are
// unpaid with their webhooks recorded, and until all files are stored. Beside it: the same rows written by plain batched SQL.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Api } from '../../tools/seed/api.mjs';
import { adminUrlOf, STACK, start, stop } from '../parts/system-process.mjs';

const CUSTOMERS = Number(process.env.BENCH_CUSTOMERS ?? 500);
const DAYS = 5;
const TABLES = {
  billing: ['charge', 'charge_batch', 'outbox', 'inbox'],
  invoicing: ['invoice', 'invoice_position', 'document_snapshot', 'media', 'outbox', 'inbox'],
  payments: ['payment_intent', 'ledger_transfer', 'outbox', 'inbox'],
  webhooks: ['event_log', 'delivery', 'inbox'],
};

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function inParallel(count, work) {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}

async function prepare(api) {
  const product = await api.post('/catalogue/products', { name: 'Tagesdienst', type: 'product' });
  const price = await api.post('/price-plans', {
    product: product.id,
    type: 'flat_fee',
    currencyCode: 'EUR',
    price: { amount: 1000 },
    billingInterval: '1D',
  });
  await inParallel(CUSTOMERS, async (n) => {
    const address = { street: 'Elbchaussee', houseNumber: String(n + 1), zip: '22765', city: 'Hamburg' };
    const customer = await api.post('/customers', {
      email: `k${n}@backhaus-elbe.example`,
      companyName: `Backhaus ${n} GmbH`,
      ...address,
    });
    await api.post('/subscriptions', {
      customer: customer.id,
      items: [1, 2, 3].map(() => ({ pricePlan: price.id })),
      billingStart: '2026-03-02T08:00:00.000Z',
      activate: true,
    });
  });
}

/** Seconds until all documents of the day are unpaid, and until everything (files, mails, webhooks) has come to rest. */
async function day(api, to, expected) {
  const began = performance.now();
  await api.post('/sandbox/clock/advance', { to });
  let unpaid;
  for (;;) {
    if (unpaid === undefined) {
      const { meta } = await api.get('/invoices?status=STATUS_UNPAID&limit=0');
      if (meta.pagination.totalItems >= expected) unpaid = (performance.now() - began) / 1000;
    }
    if (unpaid !== undefined && (await api.get('/sandbox/clock')).status === 'ready')
      return { unpaid, stored: (performance.now() - began) / 1000 };
    await sleep(25);
  }
}

/** Seconds in which PostgreSQL writes a day's rows by INSERT … SELECT into tables of the same shape, one after the other. */
async function rawSeconds(adminUrl) {
  let seconds = 0;
  for (const [service, tables] of Object.entries(TABLES)) {
    const url = new URL(adminUrl);
    url.pathname = `/kontor_${service}`;
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    for (const table of tables) {
      const { rows } = await client.query('SELECT to_regclass($1) IS NOT NULL AS there', [table]);
      if (!rows[0].there) continue;
      await client.query(`CREATE TABLE bench_raw (LIKE ${table} INCLUDING DEFAULTS INCLUDING INDEXES)`);
      const began = performance.now();
      await client.query(`INSERT INTO bench_raw OVERRIDING SYSTEM VALUE SELECT * FROM ${table}`);
      seconds += (performance.now() - began) / 1000;
      await client.query('DROP TABLE bench_raw');
    }
    await client.end();
  }
  return seconds / DAYS;
}

/** The days of one shape, and how many customers a second plain SQL would have written. */
async function measure(program) {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-bench-'));
  const { child, connection } = await start(dataDir, { RATE_LIMIT_SANDBOX: '100000000' }, program);
  try {
    const { baseUrl, apiKey } = connection;
    const tenant = await new Api(baseUrl, apiKey).post('/sandbox/tenants', {
      name: 'Bench',
      plan: 'enterprise',
      now: '2026-03-01T12:00:00.000Z',
    });
    const api = new Api(baseUrl, tenant.apiKey);
    await prepare(api);
    const times = [];
    for (let n = 0; n < DAYS; n += 1)
      times.push(await day(api, `2026-03-0${n + 2}T12:00:00.000Z`, (n + 1) * CUSTOMERS));
    return { times, limit: CUSTOMERS / (await rawSeconds(adminUrlOf(dataDir))) };
  } finally {
    await stop(child);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export async function run() {
  const rows = [];
  for (const [shape, program] of [['embedded'], ['on Kafka', STACK]]) {
    const { times, limit } = await measure(program);
    const row = (name, key, goal) => ({
      name: `billing day, ${name} (${shape})`,
      measured: times.map((time) => CUSTOMERS / time[key]),
      limit: times.map(() => limit),
      goal,
      unit: 'customers/s',
    });
    rows.push(row('due to unpaid', 'unpaid', 0.2), row('due to files stored', 'stored', 0.1));
  }
  return rows;
}
