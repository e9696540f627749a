// A flash sale through the gateway: 1,000 buyers order what 500 can have, of one link; beside one who orders alone.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSystem } from '@kontor/embedded';
import { Pool } from 'undici';
import { freePort } from '../../tools/free-port.mjs';
import { Api } from '../../tools/seed/api.mjs';
import { percentile } from '../report.mjs';

const BUYERS = Number(process.env.BENCH_BUYERS ?? 1_000);
const SALES = BUYERS / 2;
/** Browsers that wait for an answer at the same time. */
const AT_ONCE = Number(process.env.BENCH_CLIENTS ?? 16);
const ALONE = 50;
/** Carts that are filled at the same time beforehand. */
const FILLING = 4;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);

const buyer = (n) => ({
  email: `b${n}@x.example`,
  phone: '1',
  newInvoiceAddress: {
    companyName: `Kaffee ${n} GmbH`,
    street: 'Ring',
    zip: '20095',
    city: 'Hamburg',
    countryCode: 'DE',
  },
});

async function inParallel(things, width, work) {
  let next = 0;
  const results = new Array(things.length);
  const lane = async () => {
    while (next < things.length) {
      const place = next++;
      results[place] = await work(things[place], place);
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  return results;
}

/** Sends until there is an answer: who is asked to come again does, and has waited that long. */
async function send(pool, method, path, headers, body) {
  for (;;) {
    const options = { method, path, headers: { 'content-type': 'application/json', ...headers } };
    const answer = await pool.request({ ...options, body: JSON.stringify(body) });
    const text = await answer.body.json();
    if (answer.statusCode !== 503) return { status: answer.statusCode, body: text };
    await sleep(1000 * Number(answer.headers['retry-after'] ?? 1));
  }
}

async function cartsOf(pool, apiKey, { id }, count) {
  const headers = { authorization: `Bearer ${apiKey}` };
  return inParallel(Array.from({ length: count }), FILLING, async () => {
    const { status, body } = await send(pool, 'POST', `/checkout-links/${id}/cart`, headers, {});
    if (status !== 201) throw new Error(`a cart: ${status} ${JSON.stringify(body)}`);
    return body.token;
  });
}

/** How long a buyer waits for what becomes of the order. */
async function confirm(pool, token, n) {
  const began = performance.now();
  const { status, body } = await send(pool, 'PUT', `/public/checkout/cart/${token}/confirm`, {}, buyer(n));
  const outcome = status === 200 ? body.status : body.reason;
  if (!['completed', 'sold_out'].includes(outcome)) throw new Error(`an order: ${status} ${JSON.stringify(body)}`);
  return { millis: performance.now() - began, outcome };
}

async function round(api, pool, pricePlan) {
  const { apiKey } = api;
  const items = [{ pricePlan }];
  const open = await api.post('/checkout-links', { items });
  const alone = await inParallel(await cartsOf(pool, apiKey, open, ALONE), 1, (token, n) => confirm(pool, token, n));
  const link = await api.post('/checkout-links', { items, maxSales: SALES });
  const together = await inParallel(await cartsOf(pool, apiKey, link, BUYERS), AT_ONCE, (token, n) =>
    confirm(pool, token, n),
  );
  const sold = together.filter(({ outcome }) => outcome === 'completed').length;
  const counted = (await api.get(`/checkout-links/${link.id}`)).sold;
  if (sold !== SALES || counted !== SALES) throw new Error(`${sold} were sold, ${counted} counted, of ${SALES}`);
  const times = ({ millis }) => millis;
  return { alone: percentile(alone.map(times), 0.5), together: percentile(together.map(times), 0.99) };
}

export async function run() {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-bench-'));
  const system = await startSystem({
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    RATE_LIMIT_SANDBOX: '100000000',
    RATE_LIMIT_ANONYMOUS: '100000000',
    RATE_LIMIT_ORDERS: '100000000',
    LOG_LEVEL: 'warn',
  });
  const { baseUrl, apiKey } = system.connection;
  const pool = new Pool(baseUrl, { connections: AT_ONCE, pipelining: 1 });
  try {
    const api = new Api(baseUrl, apiKey);
    const product = await api.post('/catalogue/products', { name: 'Team', type: 'product' });
    const price = { type: 'flat_fee', currencyCode: 'EUR', price: { amount: 1900 }, billingInterval: '1M' };
    const { id } = await api.post('/price-plans', { product: product.id, ...price });
    const measured = [];
    for (let n = 0; n < ROUNDS; n += 1) measured.push(await round(api, pool, id));
    return [
      {
        name: `flash sale, ${BUYERS.toLocaleString('en')} buyers of ${SALES}, ${AT_ONCE} at once, p99`,
        measured: measured.map(({ together }) => together),
        limit: measured.map(({ alone }) => alone),
        goal: 20,
        unit: 'ms',
        lowerIsBetter: true,
      },
    ];
  } finally {
    await pool.close();
    await system.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
