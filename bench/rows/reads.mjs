// Reading one object, and lists, searches and deep pages among many, through the gateway; beside the same gateway and service with
// one SELECT by key.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { billingService } from '@kontor/billing';
import { startSystem } from '@kontor/embedded';
import { freePort } from '../../tools/free-port.mjs';
import { Api } from '../../tools/seed/api.mjs';
import { startClient } from '../reads/client.mjs';
import { customerId, fillCustomers, fillInvoices, invoiceId, ownerOf } from '../reads/fill.mjs';
import { addReadByKey } from '../reads/read-by-key.mjs';
import { interleaved } from '../report.mjs';

const CUSTOMERS = Number(process.env.BENCH_CUSTOMERS ?? 20_000);
const INVOICES = Number(process.env.BENCH_INVOICES ?? 50_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const CLIENTS = 8;
/** Requests a round. */
const GETS = 600;
const LISTS = 48;

const spread = (n, of) => (n * 7919) % of;
const deepPage = Math.floor((CUSTOMERS * 0.6) / 30);

const GET_ROWS = {
  'customer by id': (n) => `/customers/${customerId(spread(n, CUSTOMERS))}`,
  'invoice by id': (n) => `/invoices/${invoiceId(spread(n, INVOICES))}`,
};
const LIST_ROWS = {
  'customers, list of 30': () => '/customers',
  'invoices, list of 30': () => '/invoices',
  'invoices of one customer': (n) => `/invoices?customer=${customerId(spread(n, CUSTOMERS))}`,
  'customers by search': (n) => `/customers?search=Haus%20${1000 + spread(n, CUSTOMERS - 1000)}`,
  'invoices by search': (n) => `/invoices?search=Haus%20${1000 + spread(n, CUSTOMERS - 1000)}`,
  'invoices by a search that most match': () => '/invoices?search=gmbh',
  'customers, deep page': () => `/customers?page=${deepPage}`,
  'invoices, deep page by amount': () => `/invoices?order%5BgrossAmount%5D=desc&page=${deepPage}`,
};

export async function run() {
  addReadByKey(billingService);
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-bench-'));
  const system = await startSystem({
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    RATE_LIMIT_SANDBOX: '100000000',
    LOG_LEVEL: 'info',
  });
  const { baseUrl, apiKey } = system.connection;
  const client = startClient(baseUrl, { authorization: `Bearer ${apiKey}` });
  try {
    await fill(system, readFileSync(join(dataDir, 'secrets.key'), 'utf8').trim());
    return await measure(client);
  } finally {
    await client.stop();
    await system.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export async function fill(system, secret) {
  const { baseUrl, apiKey } = system.connection;
  const api = new Api(baseUrl, apiKey);
  const address = { street: 'Elbchaussee', houseNumber: '1', zip: '22765', city: 'Hamburg' };
  const customer = await api.post('/customers', {
    email: 'rechnung@backhaus-elbe.example',
    companyName: 'Backhaus Elbe GmbH',
    ...address,
  });
  const draft = await api.post('/invoices', {
    customer: customer.id,
    positions: [{ name: 'Beratung', quantity: '1', unitPrice: { amount: 10_000, currencyCode: 'EUR' } }],
  });
  const invoice = await api.post(`/invoices/${draft.id}/finalize`);
  const billing = await ownerOf(system, 'billing', secret);
  const invoicing = await ownerOf(system, 'invoicing', secret);
  await fillCustomers({ billing, invoicing }, customer, CUSTOMERS);
  await fillInvoices(invoicing, invoice, INVOICES, CUSTOMERS);
  await billing.end();
  await invoicing.end();
}

async function measure(client) {
  const millis = (pathOf, count) => async (round) => {
    const paths = Array.from({ length: count }, (_, n) => pathOf(round * count + n));
    return ((await client.read(paths, CLIENTS)) * 1000) / count;
  };
  const byKey = millis((n) => `/bench/customers/${customerId(spread(n, CUSTOMERS))}`, GETS);
  const variants = { byKey };
  for (const [name, pathOf] of Object.entries(GET_ROWS)) variants[name] = millis(pathOf, GETS);
  for (const [name, pathOf] of Object.entries(LIST_ROWS)) variants[name] = millis(pathOf, LISTS);
  // Once for nothing: what is compiled and cached by then stays so.
  for (const variant of Object.values(variants)) await variant(ROUNDS);
  const times = await interleaved(variants, ROUNDS);
  const rateOf = (millis) => 1000 / millis;
  return [
    ...Object.keys(GET_ROWS).map((name) => ({
      name: `${name}, beside one SELECT by key`,
      measured: times[name].map(rateOf),
      limit: times.byKey.map(rateOf),
      goal: 0.5,
      unit: '/s',
    })),
    ...Object.keys(LIST_ROWS).map((name) => ({
      name: `${name}, beside one SELECT by key`,
      measured: times[name],
      limit: times.byKey,
      goal: name.includes('list of') ? 5 : 20,
      unit: 'ms',
      lowerIsBetter: true,
    })),
  ];
}
