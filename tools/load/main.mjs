// `npm run load -- --customers 1000 --days 3`: runs the whole system in this process, with a tenth of the customers first and with all of
// them then, bills so many days on a sandbox clock, sends usage events meanwhile, and prints what an invoice and an event cost at
// both sizes. `--events 20`: a customer and day. `--keep FOLDER`: where the data stays; else it is removed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSystem } from '@kontor/embedded';
import { readArguments } from '../arguments.mjs';
import { freePort } from '../free-port.mjs';
import { Api } from '../seed/api.mjs';
import { Meter } from './meter.mjs';

const BATCH = 1_000;
const LANES = 8;
const DAY_MS = 86_400_000;
const START = Date.parse('2026-03-01T12:00:00.000Z');
/** How much dearer an invoice or an event may be among ten times as many. */
const GROWTH = 1.3;

const values = readArguments({
  customers: { type: 'string', default: '1000' },
  days: { type: 'string', default: '3' },
  events: { type: 'string', default: '20' },
  keep: { type: 'string' },
});
const whole = (name, min) => {
  const number = Number(values[name]);
  if (Number.isSafeInteger(number) && number >= min) return number;
  console.error(`--${name} must be a whole number from ${min}.`);
  process.exit(1);
};
const customers = whole('customers', 10);
const days = whole('days', 1);
const events = whole('events', 0);

const dataDir = values.keep ?? mkdtempSync(join(tmpdir(), 'kontor-load-'));
const system = await startSystem({
  ...process.env,
  DATA_DIR: dataDir,
  PORT: String(await freePort()),
  RATE_LIMIT_SANDBOX: '1000000000',
  RATE_LIMIT_SANDBOX_USAGE: '1000000000',
});
try {
  const meter = new Meter(dataDir);
  const { baseUrl, apiKey } = system.connection;
  const tenant = await new Api(baseUrl, apiKey).post('/sandbox/tenants', {
    name: 'Load',
    plan: 'enterprise',
    now: new Date(START).toISOString(),
  });
  const load = { api: new Api(baseUrl, tenant.apiKey), meter, ids: [], day: 0, sent: 0 };
  load.price = await pricePlan(load.api);
  // Once for nothing: what is compiled and cached by then stays so.
  await size(load, Math.ceil(customers / 20));
  const small = await size(load, Math.ceil(customers / 10));
  const large = await size(load, customers);
  console.table([small, large]);
  compare('invoice', small.cpuMsPerInvoice, large.cpuMsPerInvoice);
  if (events > 0) compare('event', small.cpuUsPerEvent, large.cpuUsPerEvent);
} finally {
  await system.stop();
  if (!values.keep) rmSync(dataDir, { recursive: true, force: true });
}
process.exit();

async function pricePlan(api) {
  const product = await api.post('/catalogue/products', { name: 'Tagesdienst', type: 'product' });
  return api.post('/price-plans', {
    product: product.id,
    type: 'flat_fee',
    currencyCode: 'EUR',
    price: { amount: 1000 },
    billingInterval: '1D',
  });
}

/** Customers up to `count`, then so many days of all of them. */
async function size(load, count) {
  const { meter } = load;
  const added = count - load.ids.length;
  console.log(`${count} customers: creating …`);
  const creating = await meter.measure(() => inParallel(added, () => addCustomer(load)));
  console.log(`${count} customers: ${count * events * days} events …`);
  const sent = load.sent;
  const ingesting = await meter.measure(() => sendEvents(load));
  const before = await countInvoices(load);
  console.log(`${count} customers: billing, ${days} days …`);
  const billing = await meter.measure(() => billDays(load));
  const invoices = (await countInvoices(load)) - before;
  return {
    customers: count,
    cpuMsPerCustomer: rounded(creating.cpuMs / added),
    events: load.sent - sent,
    cpuUsPerEvent: rounded((ingesting.cpuMs * 1000) / Math.max(1, load.sent - sent)),
    eventsPerSecond: rounded((load.sent - sent) / ingesting.seconds),
    invoices,
    cpuMsPerInvoice: rounded(billing.cpuMs / Math.max(1, invoices)),
    invoicesPerSecond: rounded(invoices / billing.seconds),
    databaseMb: meter.databaseMb(),
  };
}

async function addCustomer(load) {
  const { api, ids, price, day } = load;
  const n = ids.push(null) - 1;
  const { id } = await api.post('/customers', {
    email: `k${n}@backhaus-elbe.example`,
    companyName: `Backhaus ${n} GmbH`,
    street: 'Elbchaussee',
    houseNumber: String(n + 1),
    zip: '22765',
    city: 'Hamburg',
  });
  await api.post('/subscriptions', {
    customer: id,
    items: [{ pricePlan: price.id }],
    billingStart: new Date(START + (day + 1) * DAY_MS).toISOString(),
    activate: true,
  });
  ids[n] = id;
}

async function sendEvents(load) {
  const { api, ids } = load;
  const timestamp = new Date(START + load.day * DAY_MS).toISOString();
  const count = ids.length * events * days;
  await inParallel(Math.ceil(count / BATCH), (batch) =>
    api.post('/api/usage-events', {
      events: Array.from({ length: Math.min(BATCH, count - batch * BATCH) }, (_, n) => ({
        transactionId: `${load.day}-${batch}-${n}`,
        eventName: 'api_call',
        timestamp,
        customerId: ids[(batch * BATCH + n) % ids.length],
        properties: { status: 200 },
      })),
    }),
  );
  load.sent += count;
}

async function billDays(load) {
  for (let n = 0; n < days; n += 1) {
    load.day += 1;
    await load.api.post('/sandbox/clock/advance', { to: new Date(START + load.day * DAY_MS).toISOString() });
    while ((await load.api.get('/sandbox/clock')).status !== 'ready')
      await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** By day: totals of many are estimates. */
async function countInvoices({ api, day }) {
  let count = 0;
  for (let n = 0; n <= day + 1; n += 1) {
    const after = new Date(START + (n - 1) * DAY_MS).toISOString();
    const before = new Date(START + n * DAY_MS).toISOString();
    const span = `creationDate%5Bafter%5D=${after}&creationDate%5Bbefore%5D=${before}`;
    const { totalItems, totalIsEstimate } = (await api.get(`/invoices?limit=0&${span}`)).meta.pagination;
    count += totalIsEstimate ? await countPages(api, span) : totalItems;
  }
  return count;
}

/** The last page of an estimated list knows: half the span that is left at each step. */
async function countPages(api, span) {
  let [full, empty] = [0, 1];
  const sizeOf = async (page) => (await api.get(`/invoices?limit=100&page=${page}&${span}`)).data.length;
  while ((await sizeOf(empty)) === 100) [full, empty] = [empty, empty * 2];
  while (empty - full > 1) {
    const middle = Math.floor((full + empty) / 2);
    if ((await sizeOf(middle)) === 100) full = middle;
    else empty = middle;
  }
  return full * 100 + (await sizeOf(empty));
}

async function inParallel(count, work) {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

function compare(what, small, large) {
  const ratio = large / small;
  const verdict = ratio <= GROWTH ? 'within' : 'BEYOND';
  console.log(`An ${what} among all costs ${rounded(ratio)} × what it costs among a tenth: ${verdict} ${GROWTH}.`);
}

function rounded(value) {
  return Number(value.toPrecision(3));
}
