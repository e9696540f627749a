// Row of `npm run bench`: customers from a CSV file, from the upload to the last line, beside COPY of the rows that they become. Run it
// alone with `npm run bench -- imports`.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tenantChangedV1 } from '@kontor/contracts';
import { EmbeddedBus } from '@kontor/messaging';
import { EmbeddedPostgres, provisionDatabase } from '@kontor/persistence';
import { INTERNAL_TOKEN_HEADER, InternalTokens, ServiceDirectory, startService } from '@kontor/service-kit';
import pg from 'pg';
import copy from 'pg-copy-streams';
import { rateOf } from '../../../bench/report.mjs';
import { billingService } from '../dist/index.js';

const CUSTOMERS = Number(process.env.BENCH_IMPORT ?? 100_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
/** Every row that an import inserts. */
const TABLES = ['customer', 'customer_address', 'import_line', 'outbox'];

async function tenantOf({ kit }) {
  const id = randomUUID();
  await kit.database.tenant(id, (tx) =>
    kit.replicas.apply(tx, 'tenant', id, 1, { ...tenantChangedV1.example.state, id }, false),
  );
  const token = new InternalTokens(kit.config.internalSecret).sign({
    tenantId: id,
    kind: 'api_key',
    subjectId: id,
    permissions: ['*'],
    scopes: [],
  });
  return { id, headers: { [INTERNAL_TOKEN_HEADER]: token } };
}

const FILE = [
  'customerNumber,email,companyName,street,houseNumber,zip,city',
  ...Array.from(
    { length: CUSTOMERS },
    (_, n) => `I-${n},k${n}@backhaus-elbe.example,Backhaus ${n} GmbH,Elbchaussee,${n},22765,Hamburg`,
  ),
].join('\n');

async function take({ url }, { headers }) {
  const form = new FormData();
  form.set('file', new Blob([FILE], { type: 'text/csv' }), 'customers.csv');
  const started = await fetch(`${url}/customers/import`, { method: 'POST', headers, body: form });
  const { id } = await started.json();
  for (;;) {
    const answer = await (await fetch(`${url}/imports/${id}`, { headers })).json();
    if (answer.status === 'completed') {
      if (answer.imported !== CUSTOMERS) throw new Error(`imported ${JSON.stringify(answer)}`);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The rows of a tenant once more, into empty tables with the same indexes. */
async function copied(admin, { id }) {
  const files = [];
  for (const table of TABLES) {
    const chunks = [];
    for await (const chunk of admin.query(copy.to(`COPY (SELECT * FROM ${table} WHERE tenant_id = '${id}') TO STDOUT`)))
      chunks.push(chunk);
    files.push([table, Buffer.concat(chunks)]);
    await admin.query(`DROP TABLE IF EXISTS bench_${table}`);
    await admin.query(`CREATE TABLE bench_${table} (LIKE ${table} INCLUDING ALL)`);
  }
  return rateOf(CUSTOMERS, async () => {
    await admin.query('BEGIN');
    for (const [table, text] of files) {
      const stream = admin.query(copy.from(`COPY bench_${table} FROM STDIN`));
      stream.end(text);
      await once(stream, 'finish');
    }
    await admin.query('COMMIT');
  });
}

async function measure(service, adminUrl) {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  const rates = { measured: [], limit: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const tenant = await tenantOf(service);
    rates.measured.push(await rateOf(CUSTOMERS, () => take(service, tenant)));
    rates.limit.push(await copied(admin, tenant));
  }
  await admin.end();
  const name = `${CUSTOMERS.toLocaleString('en')} customers from CSV, beside COPY`;
  return [{ name, ...rates, goal: 0.25, unit: 'customers/s' }];
}

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-bench-import-'));
  const server = new EmbeddedPostgres();
  const { adminUrl } = await server.start(folder);
  const urls = await provisionDatabase(adminUrl, 'billing', { owner: 'bench', app: 'bench' });
  const bus = new EmbeddedBus();
  const env = { KONTOR_SHAPE: 'embedded', LOG_LEVEL: 'silent', SECRETS_KEY: '11'.repeat(32), DATA_DIR: folder };
  const directory = new ServiceDirectory();
  const service = await startService(billingService, {
    port: 0,
    host: '127.0.0.1',
    bus,
    databaseUrls: urls,
    directory,
    env,
  });
  try {
    const onDatabase = new URL(adminUrl);
    onDatabase.pathname = new URL(urls.appUrl).pathname;
    return await measure(service, onDatabase.href);
  } finally {
    await service.stop();
    await bus.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
