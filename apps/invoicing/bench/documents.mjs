// Rows of `npm run bench`: rated charges to finalized documents beside COPY of the same rows, and the price of gapless
// numbers. Run it alone with `npm run bench -- documents`.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chargesDueV1 } from '@kontor/contracts';
import pg from 'pg';
import copy from 'pg-copy-streams';
import { interleaved, rateOf } from '../../../bench/report.mjs';
import { DraftCharges } from '../dist/charges/draft-charges.js';
import { tenantOf, withService } from './invoicing-service.mjs';

const BATCH = 500;
const DOCUMENTS = 2000;
const LANES = 4;
const TABLES = [
  'invoice_position',
  'invoice',
  'invoice_subscription',
  'document_snapshot',
  'media',
  'invoice_history',
  'charge_batch',
  'outbox',
];
/** Charges of three lines for `count` of the tenant's customers, as batches of one transaction each. */
function chargesOf(tenant, count) {
  const line = chargesDueV1.example.lines[0];
  const charges = Array.from({ length: count }, (_, i) => {
    const subscriptionId = randomUUID();
    const lines = [0, 1, 2].map(() => ({ ...line, chargeId: randomUUID(), subscriptionId, taxGroupId: tenant.group }));
    return {
      ...chargesDueV1.example,
      batchId: randomUUID(),
      groupingKey: randomUUID(),
      customerId: tenant.customers[i % tenant.customers.length],
      lines,
    };
  });
  return Array.from({ length: Math.ceil(count / BATCH) }, (_, i) => charges.slice(i * BATCH, (i + 1) * BATCH));
}

const draft = (service, tenant, batch) =>
  service.kit.database.tenant(tenant.id, (tx) => service.get(DraftCharges).execute(tx, batch));

/** The rows of the latest documents as COPY text, and empty tables of the same make to put them into. */
async function copyable(admin, count) {
  const rows = new Map();
  for (const table of TABLES) {
    const where =
      table === 'outbox'
        ? `order by id desc limit ${count * 3}`
        : `order by ctid desc limit ${table === 'invoice_position' ? count * 3 : count}`;
    const chunks = [];
    const out = admin.query(copy.to(`copy (select * from ${table} ${where}) to stdout`));
    for await (const chunk of out) chunks.push(chunk);
    rows.set(table, Buffer.concat(chunks));
    await admin.query(`CREATE TABLE bench_${table} (LIKE ${table} INCLUDING ALL)`);
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

async function measure(service, adminUrl) {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  const [shared, ...separate] = await Promise.all(Array.from({ length: LANES + 1 }, () => tenantOf(service, BATCH)));
  for (const batch of chargesOf(shared, DOCUMENTS)) await draft(service, shared, batch);
  const rows = await copyable(admin, DOCUMENTS);

  const plain = await interleaved({
    documents: () => {
      const batches = chargesOf(shared, DOCUMENTS);
      return rateOf(DOCUMENTS, async () => {
        for (const batch of batches) await draft(service, shared, batch);
      });
    },
    copied: async () => {
      await admin.query(`TRUNCATE ${TABLES.map((table) => `bench_${table}`).join(', ')}`);
      return rateOf(DOCUMENTS, () => copyRows(admin, rows));
    },
  });
  // The same work in the same lanes: once with one series for all, once with a series each.
  const lanes = (tenants) => {
    const work = tenants.map((tenant) => chargesOf(tenant, DOCUMENTS / LANES));
    return rateOf(DOCUMENTS, () =>
      Promise.all(
        work.map(async (batches, i) => {
          for (const batch of batches) await draft(service, tenants[i], batch);
        }),
      ),
    );
  };
  const numbers = await interleaved({
    shared: () => lanes(separate.map(() => shared)),
    separate: () => lanes(separate),
  });
  await admin.end();
  return [
    {
      name: 'charges to finalized documents, 3 lines',
      measured: plain.documents,
      limit: plain.copied,
      goal: 0.25,
      unit: 'documents/s',
    },
    {
      name: 'gapless numbers, one tenant',
      measured: numbers.shared,
      limit: numbers.separate,
      goal: 0.9,
      unit: 'documents/s',
    },
  ];
}

export const run = () => withService(LANES + 2, measure);
