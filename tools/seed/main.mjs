// `npm run seed`: loads examples/nordlicht (a made-up SaaS: catalogue, 200 customers, their contracts) into a sandbox
// tenant of its own on the running system and lets a year pass on its clock. `--no-year` stops after loading.
// Safe to repeat after an interruption: `--tenant <apiKey>` goes on with the tenant of an earlier run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Api } from './api.mjs';
import { nextAnchor } from './anchor.mjs';
import { readArguments } from '../arguments.mjs';

const options = readArguments({
  'no-year': { type: 'boolean', default: false },
  tenant: { type: 'string' },
  to: { type: 'string', default: '2026-12-31T22:59:59.999Z' },
});
process.once('uncaughtException', (error) => {
  console.error(error.message);
  process.exit(1);
});
const GO_LIVE = '2025-12-31T23:00:00.000Z'; // 1 January 2026 in Berlin
if (!(Date.parse(options.to) > Date.parse(GO_LIVE))) throw new Error(`--to must be a timestamp after ${GO_LIVE}.`);
const folder = new URL('../../examples/nordlicht/', import.meta.url);
const load = (file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
const catalogue = load('catalogue.json');
const entries = load('customers.json');

function connection() {
  const file = join(process.env.DATA_DIR ?? '.data', 'connection.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    console.error(
      `Nothing is running here (${file} is missing). Start it with "npm start", then repeat "npm run seed".`,
    );
    process.exit(1);
  }
}

const { baseUrl, apiKey } = connection();
const operator = new Api(baseUrl, apiKey);
let key = options.tenant;
if (!key) {
  const tenant = await operator.post('/sandbox/tenants', {
    name: 'Nordlicht Software GmbH',
    plan: 'enterprise',
    features: ['WalletTopUp'],
    now: GO_LIVE,
  });
  key = tenant.apiKey;
  console.log(`tenant ${tenant.tenantId}, API key ${key}`);
}
const api = new Api(baseUrl, key, 'nordlicht');

const ids = {};
const remember = async (group, item, path, body) => {
  ids[group] ??= {};
  ids[group][item.key] = (await api.post(path, body, `${group}:${item.key}`)).id;
};

for (const { key: _, ...family } of catalogue.families)
  await remember('family', { key: _ }, '/product-families', family);
for (const { key: _, ...unit } of catalogue.units) await remember('unit', { key: _ }, '/catalogue/units', unit);
for (const { key: _, productFamily, unit, ...product } of catalogue.products) {
  await remember('product', { key: _ }, '/catalogue/products', {
    ...product,
    productFamily: ids.family[productFamily],
    ...(unit ? { unit: ids.unit[unit] } : {}),
  });
}
for (const { key: _, product, price, ...plan } of catalogue.pricePlans) {
  await remember('price', { key: _ }, '/price-plans', {
    ...plan,
    product: ids.product[product],
    currencyCode: 'EUR',
    ...(price ? { price } : {}),
  });
}
for (const { key: _, items, ...plan } of catalogue.plans) {
  await remember('plan', { key: _ }, '/plans', {
    ...plan,
    status: 'active',
    items: items.map((item) => ({ pricePlan: ids.price[item], quantity: '1' })),
  });
}
console.log(
  `catalogue: ${catalogue.products.length} products, ${catalogue.pricePlans.length} price plans, ${catalogue.plans.length} plans`,
);

async function loadCustomer({ key: name, customer, subscription, paymentMethod }) {
  const { id } = await api.post('/customers', customer, `customer:${name}`);
  if (paymentMethod !== 'none')
    await api.post('/payment-methods', { gateway: paymentMethod, customerId: id }, `method:${name}`);
  const plan = catalogue.plans.find((p) => p.key === `${subscription.plan}-${subscription.term}`);
  const created = await api.post(
    '/subscriptions',
    {
      customer: id,
      plan: ids.plan[plan.key],
      name: subscription.name,
      externalId: name,
      ...(subscription.poNumber ? { poNumber: subscription.poNumber } : {}),
      // Taken over from another system: the contract keeps its start, billing goes on at its next due day.
      contractDetails: { contractStart: `${subscription.contractStart}T12:00:00.000Z` },
      billingStart: `${nextAnchor(subscription.contractStart, subscription.term === 'yearly' ? 12 : 1, '2026-01-01')}T11:00:00.000Z`,
    },
    `subscription:${name}`,
  );
  // The answer to a repeated key is of the first time; it is activated when all else of it is done.
  const { status } = await api.get(`/subscriptions/${created.id}`);
  if (status !== 'draft') return;
  const seats = created.items.find((item) => item.product.id === ids.product.seats);
  await api.patch(`/subscription-items/${seats.id}`, { quantity: subscription.seats });
  for (const { key: addon, quantity } of subscription.addons) {
    await api.post(
      `/subscriptions/${created.id}/products`,
      { items: [{ pricePlan: ids.price[addon], quantity }] },
      `addon:${name}:${addon}`,
    );
  }
  await api.put(`/subscriptions/${created.id}/activate`, {});
}

const queue = [...entries];
let done = 0;
await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (let entry = queue.shift(); entry; entry = queue.shift()) {
      await loadCustomer(entry);
      done += 1;
      if (done % 20 === 0) console.log(`customers: ${done} of ${entries.length}`);
    }
  }),
);
if (options['no-year']) process.exit(0);

const begun = await api.get('/sandbox/clock');
if (begun.status === 'ready' && Date.parse(begun.now) < Date.parse(options.to))
  await api.post('/sandbox/clock/advance', { to: options.to });
for (let clock = { status: 'advancing' }, last = ''; clock.status === 'advancing';) {
  await new Promise((resolve) => setTimeout(resolve, 500));
  clock = await api.get('/sandbox/clock');
  const month = clock.now.slice(0, 7);
  if (month !== last) console.log(`clock: ${(last = month)}`);
  for (const problem of clock.status === 'ready' ? clock.problems : [])
    console.error('problem:', JSON.stringify(problem));
}

const failedRuns = [];
let items = 0;
for (let page = 1, lastPage = 1; page <= lastPage; page += 1) {
  const runs = await api.get(`/billing-runs?limit=100&page=${page}`);
  lastPage = runs.meta.pagination.lastPage;
  for (const run of runs.data) {
    items += run.billed;
    if (run.failed > 0) failedRuns.push(run);
  }
}
const count = async (query) => (await api.get(`/invoices?limit=1${query}`)).meta.pagination.totalItems;
console.log(`runs: ${items} subscriptions billed, ${failedRuns.length} runs with failures`);
const [paid, unpaid, drafts] = [
  await count('&status=STATUS_PAID'),
  await count('&status=STATUS_UNPAID'),
  await count('&status=STATUS_DRAFT'),
];
console.log(`invoices: ${await count('')} (${paid} paid, ${unpaid} unpaid, ${drafts} drafts)`);
for (const run of failedRuns) console.error(JSON.stringify(run.failures));
process.exit(failedRuns.length > 0 ? 1 : 0);
