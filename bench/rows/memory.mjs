// Memory of all services and PostgreSQL after a million usage events, and after a year of 200 customers, beside the same
// process after its start.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api } from '../../tools/seed/api.mjs';
import { memoryMb, SETTLED_MS, start, stop } from '../parts/system-process.mjs';

const EVENTS = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const CUSTOMERS = Number(process.env.BENCH_CUSTOMERS ?? 200);
const MONTHS = 12;
const A_REQUEST = 1000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 1);

async function inParallel(count, work) {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}

const sandbox = async ({ baseUrl, apiKey }, settings) => {
  const tenant = await new Api(baseUrl, apiKey).post('/sandbox/tenants', { name: 'Bench', ...settings });
  return new Api(baseUrl, tenant.apiKey);
};

async function aMillionEvents(connection) {
  const api = await sandbox(connection, {});
  const customers = [];
  for (let n = 0; n < 50; n += 1) customers.push(await api.post('/customers', customerOf(n)));
  await inParallel(Math.ceil(EVENTS / A_REQUEST), (request) =>
    api.post('/api/usage-events', {
      events: Array.from({ length: A_REQUEST }, (_, n) => ({
        transactionId: `${request}-${n}`,
        customerId: customers[n % customers.length].id,
        code: 'api.call',
        properties: { region: n % 2 ? 'eu' : 'us', units: n },
      })),
    }),
  );
}

const customerOf = (n) => ({
  email: `k${n}@backhaus-elbe.example`,
  companyName: `Backhaus ${n} GmbH`,
  street: 'Elbchaussee',
  houseNumber: String(n + 1),
  zip: '22765',
  city: 'Hamburg',
});

async function aYear(connection) {
  const api = await sandbox(connection, { plan: 'enterprise', now: '2026-01-01T12:00:00.000Z' });
  const product = await api.post('/catalogue/products', { name: 'Wartung', type: 'product' });
  const price = await api.post('/price-plans', {
    product: product.id,
    type: 'flat_fee',
    currencyCode: 'EUR',
    price: { amount: 4900 },
    billingInterval: '1M',
  });
  await inParallel(CUSTOMERS, async (n) => {
    const customer = await api.post('/customers', customerOf(n));
    await api.post('/subscriptions', {
      customer: customer.id,
      items: [{ pricePlan: price.id }],
      billingStart: '2026-01-02T08:00:00.000Z',
      activate: true,
    });
  });
  for (let month = 1; month <= MONTHS; month += 1) {
    const to = new Date(Date.UTC(2026, month, 1, 12)).toISOString();
    await api.post('/sandbox/clock/advance', { to });
    while ((await api.get('/sandbox/clock')).status !== 'ready') await sleep(100);
  }
}

/** Memory after `work` and after the start, in MB. */
async function grown(work) {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-bench-'));
  const { child, connection } = await start(dataDir, { RATE_LIMIT_SANDBOX: '100000000', RATE_LIMIT_LIVE: '100000000' });
  try {
    await sleep(SETTLED_MS);
    const before = memoryMb(child.pid, dataDir);
    await work(connection);
    await sleep(SETTLED_MS);
    return { before, after: memoryMb(child.pid, dataDir) };
  } finally {
    await stop(child);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export async function run() {
  const works = { 'a million usage events': aMillionEvents, 'a year of 200 customers': aYear };
  const rows = [];
  for (const [name, work] of Object.entries(works)) {
    const measured = [];
    const limit = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { before, after } = await grown(work);
      measured.push(after);
      limit.push(before);
    }
    rows.push({
      name: `memory after ${name}, beside the start`,
      measured,
      limit,
      goal: 1.5,
      unit: 'MB',
      lowerIsBetter: true,
    });
  }
  return rows;
}
