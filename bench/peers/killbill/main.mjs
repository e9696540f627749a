// `node bench/peers/killbill/main.mjs [customers] [rounds]`: Kill Bill and this system on one PostgreSQL do the same work with
// eight clients, one after the other, and the pairs are printed. A round creates customers with a monthly subscription each, then
// moves the test clock over a month and waits for the last invoice; ours with their files stored, Kill Bill renders none.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { EmbeddedPostgres } from '@kontor/persistence';
import { startSystem } from '@kontor/embedded';
import { Api } from '../../../tools/seed/api.mjs';
import { freePort } from '../../../tools/free-port.mjs';
import { median } from '../../report.mjs';
import { startKillBill } from './start.mjs';

const CUSTOMERS = Number(process.argv[2] ?? 500);
const ROUNDS = Number(process.argv[3] ?? 3);
const CLIENTS = 8;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function inParallel(count, work) {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: CLIENTS }, lane));
}

async function secondsOf(work) {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

/** One round of Kill Bill, in a tenant of its own. */
async function killBillRound({ baseUrl, database }, round) {
  const name = `bench-${round}`;
  const headers = {
    authorization: `Basic ${Buffer.from('admin:password').toString('base64')}`,
    'x-killbill-apikey': name,
    'x-killbill-apisecret': name,
    'x-killbill-createdby': 'bench',
    'content-type': 'application/json',
  };
  const call = async (method, path, body) => {
    const response = await fetch(`${baseUrl}/1.0/kb${path}`, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`Kill Bill: ${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
    return response.headers.get('location')?.split('/').at(-1);
  };
  await call('POST', '/tenants', { apiKey: name, apiSecret: name });
  await call('POST', '/catalog/simplePlan', {
    planId: 'team-monthly',
    productName: 'Team',
    productCategory: 'BASE',
    currency: 'EUR',
    amount: 10,
    billingPeriod: 'MONTHLY',
    trialLength: 0,
    trialTimeUnit: 'UNLIMITED',
  });
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const invoices = `SELECT count(*) AS n FROM invoices i JOIN tenants t ON t.record_id = i.tenant_record_id WHERE t.api_key = $1`;
  const untilInvoices = async (expected) => {
    while (Number((await client.query(invoices, [name])).rows[0].n) < expected) await sleep(25);
  };
  const created = await secondsOf(async () => {
    await inParallel(CUSTOMERS, async (n) => {
      const accountId = await call('POST', '/accounts', {
        name: `Backhaus ${n} GmbH`,
        email: `k${n}@backhaus-elbe.example`,
        currency: 'EUR',
        country: 'DE',
        timeZone: 'UTC',
      });
      await call('POST', '/subscriptions', { accountId, planName: 'team-monthly' });
    });
    await untilInvoices(CUSTOMERS);
  });
  const month = await secondsOf(async () => {
    await call('PUT', '/test/clock?days=31&timeoutSec=1');
    await untilInvoices(2 * CUSTOMERS);
  });
  await client.end();
  return { created, month };
}

/** One round of this system, in a sandbox of its own. */
async function ourRound({ baseUrl, apiKey }, round) {
  const now = Date.UTC(2026, 2, 1, 12);
  const tenant = await new Api(baseUrl, apiKey).post('/sandbox/tenants', {
    name: `Bench ${round}`,
    plan: 'enterprise',
    now: new Date(now).toISOString(),
  });
  const api = new Api(baseUrl, tenant.apiKey);
  const product = await api.post('/catalogue/products', { name: 'Team', type: 'product' });
  const price = await api.post('/price-plans', {
    product: product.id,
    type: 'flat_fee',
    currencyCode: 'EUR',
    price: { amount: 1000 },
    billingInterval: '1M',
  });
  const at = async (to, expected) => {
    await api.post('/sandbox/clock/advance', { to: new Date(to).toISOString() });
    for (;;) {
      const { meta } = await api.get('/invoices?status=STATUS_UNPAID&limit=0');
      if (meta.pagination.totalItems >= expected && (await api.get('/sandbox/clock')).status === 'ready') return;
      await sleep(25);
    }
  };
  const day = 86_400_000;
  const created = await secondsOf(async () => {
    await inParallel(CUSTOMERS, async (n) => {
      const customer = await api.post('/customers', {
        companyName: `Backhaus ${n} GmbH`,
        email: `k${n}@backhaus-elbe.example`,
        street: 'Elbchaussee',
        houseNumber: String(n + 1),
        zip: '22765',
        city: 'Hamburg',
        countryCode: 'DE',
      });
      await api.post('/subscriptions', { customer: customer.id, items: [{ pricePlan: price.id }], activate: true });
    });
    await at(now + day, CUSTOMERS);
  });
  const month = await secondsOf(() => at(now + 32 * day, 2 * CUSTOMERS));
  return { created, month };
}

const dataDir = mkdtempSync(join(tmpdir(), 'kontor-peer-'));
const system = await startSystem({
  ...process.env,
  DATA_DIR: dataDir,
  PORT: String(await freePort()),
  RATE_LIMIT_SANDBOX: '100000000',
});
// The server runs already: it is only found.
const { adminUrl } = await new EmbeddedPostgres().start(dataDir);
const killBill = await startKillBill(adminUrl);
try {
  // Both are warm before the first pair.
  await killBillRound(killBill, 'warm');
  await ourRound(system.connection, 'warm');
  const pairs = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const peer = await killBillRound(killBill, round);
    const ours = await ourRound(system.connection, round);
    pairs.push({ peer, ours });
    console.log(
      `round ${round}, ${CUSTOMERS} customers: created ${peer.created.toFixed(1)} s : ${ours.created.toFixed(1)} s, ` +
        `month ${peer.month.toFixed(1)} s : ${ours.month.toFixed(1)} s (Kill Bill : this system)`,
    );
  }
  for (const key of ['created', 'month'])
    console.log(
      `${key}: ${median(pairs.map(({ peer, ours }) => peer[key] / ours[key])).toFixed(1)} × as fast (median)`,
    );
} finally {
  await killBill.stop();
  await system.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit();
