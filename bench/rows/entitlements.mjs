// What a customer is entitled to, among a million grants, through the gateway; beside the same gateway and service with one SELECT
// by key.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { billingService } from '@kontor/billing';
import { startSystem } from '@kontor/embedded';
import { freePort } from '../../tools/free-port.mjs';
import { Api } from '../../tools/seed/api.mjs';
import { customerId, fillCustomers, ownerOf } from '../reads/fill.mjs';
import { addReadByKey } from '../reads/read-by-key.mjs';
import { interleaved, percentile } from '../report.mjs';

const GRANTS = Number(process.env.BENCH_GRANTS ?? 1_000_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const EACH = 10;
const CUSTOMERS = GRANTS / EACH;
const GETS = 400;

const spread = (n) => (n * 7919) % CUSTOMERS;

export async function run() {
  addReadByKey(billingService);
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-bench-'));
  const system = await startSystem({
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    RATE_LIMIT_SANDBOX: '100000000',
  });
  try {
    await fill(system, readFileSync(join(dataDir, 'secrets.key'), 'utf8').trim());
    return await measure(system.connection);
  } finally {
    await system.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Ten features, and for each customer a grant of each. */
async function fill(system, secret) {
  const api = new Api(system.connection.baseUrl, system.connection.apiKey);
  const customer = await api.post('/customers', { email: 'rechnung@backhaus-elbe.example', companyName: 'Backhaus' });
  for (let n = 0; n < EACH; n += 1) {
    await api.post('/entitlement/features', { id: `f${n}`, name: `Feature ${n}`, type: 'switch', status: 'active' });
  }
  await api.post(`/customers/${customer.id}/entitlements`, { feature: 'f0' });
  const billing = await ownerOf(system, 'billing', secret);
  const invoicing = await ownerOf(system, 'invoicing', secret);
  await fillCustomers({ billing, invoicing }, customer, CUSTOMERS);
  const { rows } = await billing.query(`SELECT column_name AS name FROM information_schema.columns
    WHERE table_name = 'entitlement' ORDER BY ordinal_position`);
  const names = rows.map(({ name }) => name);
  const changed = {
    id: 'uuidv7()',
    feature_id: `'f' || n % ${EACH}`,
    customer_id: `('0190c000-0000-7000-8000-' || lpad(to_hex(n / ${EACH}), 12, '0'))::uuid`,
  };
  await billing.query(
    `INSERT INTO entitlement (${names.join(', ')})
     SELECT ${names.map((name) => changed[name] ?? `e.${name}`).join(', ')}
     FROM (SELECT * FROM entitlement LIMIT 1) e, generate_series(0, ${GRANTS - 1}) n`,
  );
  await billing.query('VACUUM (ANALYZE) entitlement');
  await billing.end();
  await invoicing.end();
}

async function measure({ baseUrl, apiKey }) {
  const headers = { authorization: `Bearer ${apiKey}` };
  const timeOf = async (path, found) => {
    const began = performance.now();
    const answer = await fetch(baseUrl + path, { headers });
    const body = await answer.json();
    if (!answer.ok || (found && body.data.length !== EACH)) throw new Error(`${path} answered ${JSON.stringify(body)}`);
    return performance.now() - began;
  };
  const p99 = (pathOf, found) => async (round) => {
    const times = [];
    for (let n = 0; n < GETS; n += 1) times.push(await timeOf(pathOf(round * GETS + n), found));
    return percentile(times, 0.99);
  };
  const variants = {
    byKey: p99((n) => `/bench/customers/${customerId(spread(n))}`),
    entitled: p99((n) => `/customers/${customerId(spread(n))}/entitlements`, true),
  };
  for (const variant of Object.values(variants)) await variant(ROUNDS);
  const times = await interleaved(variants, ROUNDS);
  return [
    {
      name: `what a customer is entitled to, ${GRANTS.toLocaleString('en')} grants, p99, beside one SELECT by key`,
      measured: times.entitled,
      limit: times.byKey,
      goal: 2,
      unit: 'ms',
      lowerIsBetter: true,
    },
  ];
}
