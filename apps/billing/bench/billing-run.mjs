// Rows of `npm run bench`: a billing run (due items to committed charges with their events) beside COPY of the same rows, and
// beside a transaction per invoice. Run it alone with `npm run bench -- billing`.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tenantChangedV1 } from '@kontor/contracts';
import { EmbeddedBus } from '@kontor/messaging';
import { EmbeddedPostgres, provisionDatabase, setTenantClock } from '@kontor/persistence';
import { INTERNAL_TOKEN_HEADER, InternalTokens, ServiceDirectory, startService } from '@kontor/service-kit';
import pg from 'pg';
import copy from 'pg-copy-streams';
import { interleaved, rateOf } from '../../../bench/report.mjs';
import { billingService } from '../dist/index.js';

const INVOICES = 2000;
const ALONE = 200;
const LINES = 3;
/** Every row that a run inserts or writes anew. */
const TABLES = ['charge', 'charge_batch', 'subscription_item', 'billing_account', 'outbox'];

/** Of requests of a tenant. */
export function headersFor({ kit }, tenantId) {
  const principal = { tenantId, kind: 'api_key', subjectId: tenantId, permissions: ['*'], scopes: [] };
  return { [INTERNAL_TOKEN_HEADER]: new InternalTokens(kit.config.internalSecret).sign(principal) };
}

/**
 * A sandbox tenant with `customers` customers, each with a subscription of three monthly items, all due on one day;
 * with a coupon on every line where wanted.
 */
export async function tenantOf(service, admin, customers, withCoupon = false) {
  const id = randomUUID();
  const { kit } = service;
  await kit.database.system((sql) => setTenantClock(sql, id, new Date('2026-01-15T09:00:00.000Z')));
  await kit.database.tenant(id, (tx) =>
    kit.replicas.apply(tx, 'tenant', id, 1, { ...tenantChangedV1.example.state, id }, false),
  );
  await answerAtOnce(admin);
  const headers = headersFor(service, id);
  const post = async (path, body) => {
    const answer = await fetch(service.url + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const customer = await post('/customers', {
    email: 'rechnung@backhaus-elbe.example',
    companyName: 'Backhaus Elbe GmbH',
    street: 'Elbchaussee',
    houseNumber: '12',
    zip: '22765',
    city: 'Hamburg',
  });
  const product = await post('/catalogue/products', { name: 'Team', type: 'product' });
  const price = await post('/price-plans', {
    product: product.id,
    type: 'per_unit',
    currencyCode: 'EUR',
    price: { amount: 900 },
    billingInterval: '1M',
  });
  const coupon = withCoupon ? 'TEN' : null;
  if (coupon) await post('/coupons', { code: coupon, type: 'percentage', percentage: '10', frequency: 'lifetime' });
  await post('/subscriptions', {
    customer: customer.id,
    items: Array.from({ length: LINES }, () => ({ pricePlan: price.id, quantity: '5' })),
    coupon,
    billingStart: '2026-02-01T09:00:00.000Z',
    activate: true,
  });
  await clone(admin, id, customers - 1);
  return id;
}

/** Nobody makes documents here: what a run bills counts as answered, so that it does not wait for that. */
const answerAtOnce = (admin) =>
  admin.query(
    `CREATE OR REPLACE FUNCTION answered_at_once() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN NEW.lines_open := 0; NEW.batches_open := 0; RETURN NEW; END';
     CREATE OR REPLACE TRIGGER answered_at_once BEFORE UPDATE ON billing_run FOR EACH ROW EXECUTE FUNCTION answered_at_once()`,
  );

/** The tenant's one customer and subscription, `count` times more. */
async function clone(admin, tenant, count) {
  const columns = async (table, changed) => {
    const { rows } = await admin.query(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 ORDER BY ordinal_position`,
      [table],
    );
    return {
      names: rows.map(({ name }) => `"${name}"`).join(', '),
      values: rows.map(({ name }) => changed[name] ?? `s."${name}"`).join(', '),
    };
  };
  const each = async (table, changed, where = '') => {
    const { names, values } = await columns(table, changed);
    await admin.query(
      `INSERT INTO ${table} (${names}) SELECT ${values} FROM ${table} s, bench_clone n WHERE s.tenant_id = '${tenant}' ${where}`,
    );
  };
  await admin.query('drop table if exists bench_clone');
  await admin.query(
    `CREATE TABLE bench_clone AS SELECT n, uuidv7() AS customer, uuidv7() AS subscription FROM generate_series(1, ${count}) n`,
  );
  // Each statement reads the one original: copies are made in the order in which they refer to each other.
  await admin.query(`CREATE temp TABLE original AS SELECT id FROM customer WHERE tenant_id = '${tenant}'`);
  const original = 'AND s.customer_id = (SELECT id FROM original)';
  await each('customer', { id: 'n.customer', customer_number: "'C-' || n.n" }, 'AND s.id = (SELECT id FROM original)');
  await each('customer_address', { id: 'uuidv7()', customer_id: 'n.customer' }, original);
  await each('subscription', { id: 'n.subscription', customer_id: 'n.customer', number: "'C-' || n.n" }, original);
  await each(
    'subscription_item',
    { id: 'uuidv7()', customer_id: 'n.customer', subscription_id: 'n.subscription' },
    original,
  );
  await each('billing_account', { customer_id: 'n.customer' }, original);
  await each('due_work', { ref: 'n.customer::text' }, `and s.kind = 'billing.account'`);
  await admin.query('drop table original');
  await admin.query('analyze');
}

/** Brings the tenant to its next due day without billing it. */
async function nextDay(service, tenant) {
  const { kit } = service;
  await kit.dueRunner.stop();
  await kit.database.system(async (sql) => setTenantClock(sql, tenant, await kit.dueRunner.nextDue(tenant)));
}

/** Bills everything that is due, as the daily run does: claimed by the runner, batch by batch. */
async function runNext(service, tenant) {
  const { kit } = service;
  const now = await kit.database.now(tenant);
  await kit.database.pool.query(`UPDATE due_work SET poll_at = now() WHERE tenant_id = $1`, [tenant]);
  kit.dueRunner.start();
  for (;;) {
    const { rows } = await kit.database.pool.query(
      'SELECT count(*)::int AS open FROM due_work WHERE tenant_id = $1 AND due_at <= $2',
      [tenant, now],
    );
    if (rows[0].open === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The same work with a transaction for each account: every claim holds one. */
async function runAlone(service, tenant) {
  const { dueRunner } = service.kit;
  const lane = dueRunner.lanes.get('billing.account');
  const { batchSize } = lane;
  lane.batchSize = 1;
  await runNext(service, tenant);
  lane.batchSize = batchSize;
}

async function copyable(admin, tenant, count) {
  const rows = new Map();
  for (const table of TABLES) {
    const per = { charge: LINES, subscription_item: LINES, outbox: 1 }[table] ?? 1;
    const chunks = [];
    const order = table === 'outbox' ? 'order by id desc' : '';
    const out = admin.query(
      copy.to(`copy (SELECT * FROM ${table} WHERE tenant_id = '${tenant}' ${order} LIMIT ${count * per}) to stdout`),
    );
    for await (const chunk of out) chunks.push(chunk);
    rows.set(table, Buffer.concat(chunks));
    await admin.query(`CREATE TABLE bench_${table} (LIKE ${table} including ALL)`);
  }
  return rows;
}

async function copyRows(admin, rows) {
  await admin.query('begin');
  for (const [table, text] of rows) {
    const stream = admin.query(copy.from(`copy bench_${table} from stdin`));
    stream.end(text);
    await once(stream, 'finish');
  }
  await admin.query('commit');
}

async function measure(service, adminUrl, size) {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  const tenant = await tenantOf(service, admin, size);
  const alone = await tenantOf(service, admin, ALONE);
  const discounted = await tenantOf(service, admin, size, true);
  for (const id of [tenant, alone, discounted]) {
    await nextDay(service, id);
    await runNext(service, id);
  }
  const rows = await copyable(admin, tenant, size);
  const rates = await interleaved({
    run: async () => {
      await nextDay(service, tenant);
      return rateOf(size, () => runNext(service, tenant));
    },
    discounted: async () => {
      await nextDay(service, discounted);
      return rateOf(size, () => runNext(service, discounted));
    },
    copied: async () => {
      await admin.query(`truncate ${TABLES.map((table) => `bench_${table}`).join(', ')}`);
      return rateOf(size, () => copyRows(admin, rows));
    },
    alone: async () => {
      await nextDay(service, alone);
      return rateOf(ALONE, () => runAlone(service, alone));
    },
  });
  await admin.end();
  return [
    {
      name: 'billing run, 3 lines, beside COPY',
      measured: rates.run,
      limit: rates.copied,
      goal: 0.4,
      unit: 'invoices/s',
    },
    {
      name: 'billing run, beside a transaction each',
      measured: rates.run,
      limit: rates.alone,
      goal: 10,
      unit: 'invoices/s',
    },
    {
      name: 'billing run, coupons on every line, beside none',
      measured: rates.discounted,
      limit: rates.run,
      goal: 0.9,
      unit: 'invoices/s',
    },
  ];
}

export const run = (size = INVOICES) => onService((service, adminUrl) => measure(service, adminUrl, size));

/** The service on a server of its own, and what is measured with it. */
export async function onService(work) {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-bench-billing-'));
  const server = new EmbeddedPostgres();
  const { adminUrl } = await server.start(folder);
  const urls = await provisionDatabase(adminUrl, 'billing', { owner: 'bench', app: 'bench' });
  const bus = new EmbeddedBus();
  const env = {
    KONTOR_SHAPE: 'embedded',
    LOG_LEVEL: 'silent',
    SECRETS_KEY: '11'.repeat(32),
    DATA_DIR: folder,
    DATABASE_POOL_SIZE: '6',
  };
  const service = await startService(billingService, {
    port: 0,
    host: '127.0.0.1',
    bus,
    databaseUrls: urls,
    directory: new ServiceDirectory(),
    env,
  });
  try {
    const onDatabase = new URL(adminUrl);
    onDatabase.pathname = new URL(urls.appUrl).pathname;
    return await work(service, onDatabase.href);
  } finally {
    await service.stop();
    await bus.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
