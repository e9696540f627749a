// Row of `npm run bench`: a dunning run over many open invoices of which some are due, beside INSERT … SELECT of the rows that it
// writes. Run it alone with `npm run bench -- dunning`; `BENCH_OPEN=20000` for fewer.
import { randomUUID } from 'node:crypto';
import { chargesDueV1 } from '@kontor/contracts';
import pg from 'pg';
import { interleaved, rateOf } from '../../../bench/report.mjs';
import { DraftCharges } from '../dist/charges/draft-charges.js';
import { RunDunning } from '../dist/dunning/run-dunning.js';
import { tenantOf, withService } from './invoicing-service.mjs';

const OPEN = Number(process.env.BENCH_OPEN ?? 100_000);
const DUE = OPEN / 10;
const CUSTOMERS = 1_000;
const TABLES = [
  'invoice_position',
  'invoice',
  'document_snapshot',
  'media',
  'invoice_history',
  'dunning_document',
  'outbox',
  'due_work',
];

/** An invoice as any run makes it, of which the others are copies. */
async function originalOf(service, tenant) {
  const charge = {
    ...chargesDueV1.example,
    batchId: randomUUID(),
    customerId: tenant.customers[0],
    lines: [{ ...chargesDueV1.example.lines[0], chargeId: randomUUID(), taxGroupId: tenant.group }],
  };
  await service.kit.database.tenant(tenant.id, (tx) => service.get(DraftCharges).execute(tx, [charge]));
  const [row] = await service.kit.database.tenant(tenant.id, (tx) => tx.query('SELECT id FROM invoice'));
  return row.id;
}

/** So many open invoices, due since `days`. */
async function open(admin, tenant, original, { count, days, series }) {
  const columns = async (table, replaced) => {
    const { rows } = await admin.query(
      `SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
      [table],
    );
    const names = rows.map(({ attname }) => attname);
    return { names: names.join(', '), values: names.map((name) => replaced[name] ?? `o.${name}`).join(', ') };
  };
  const invoice = await columns('invoice', {
    id: 'n.id',
    number: `'${series}-' || n.i`,
    customer_id: '($2::uuid[])[1 + n.i % $3]',
    status: `'STATUS_UNPAID'`,
    unpaid_minor: 'o.gross_minor',
    due_at: `now() - make_interval(days => ${days})`,
  });
  const position = await columns('invoice_position', {
    id: 'gen_random_uuid()',
    invoice_id: 'n.id',
    charge_id: 'NULL',
  });
  await admin.query('BEGIN');
  await admin.query("SET LOCAL session_replication_role = 'replica'");
  await admin.query(
    `CREATE TEMP TABLE n ON COMMIT DROP AS SELECT i, gen_random_uuid() AS id FROM generate_series(1, ${count}) i`,
  );
  await admin.query(
    `INSERT INTO invoice (${invoice.names}) SELECT ${invoice.values} FROM invoice o, n WHERE o.id = $1`,
    [original, tenant.customers, CUSTOMERS],
  );
  await admin.query(
    `INSERT INTO invoice_position (${position.names}) SELECT ${position.values} FROM invoice_position o, n WHERE o.invoice_id = $1`,
    [original],
  );
  await admin.query('COMMIT');
}

/** The rows of the latest run, and empty tables of the same make. */
async function keepRows(admin) {
  for (const table of TABLES) {
    const order = table === 'outbox' ? 'id' : 'ctid';
    const count = table === 'outbox' ? 3 * DUE : table === 'invoice_history' ? 2 * DUE : DUE;
    await admin.query(`CREATE TABLE kept_${table} AS SELECT * FROM ${table} ORDER BY ${order} DESC LIMIT ${count}`);
    await admin.query(`CREATE TABLE bench_${table} (LIKE ${table} INCLUDING ALL)`);
  }
}

async function insertRows(admin) {
  await admin.query('BEGIN');
  for (const table of TABLES)
    await admin.query(`INSERT INTO bench_${table} OVERRIDING SYSTEM VALUE SELECT * FROM kept_${table}`);
  await admin.query('COMMIT');
}

async function measure(service, adminUrl) {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  const tenant = await tenantOf(service, CUSTOMERS);
  const original = await originalOf(service, tenant);
  await service.kit.database.tenant(tenant.id, (tx) =>
    tx.query(
      `INSERT INTO dunning_rule VALUES ($1, gen_random_uuid(), 1, 'reminder', 5, 7, 250, 'EUR', true, true, now(), now())`,
      [tenant.id],
    ),
  );
  await open(admin, tenant, original, { count: OPEN - DUE, days: -30, series: 'open' });
  let round = 0;
  const memory = [];
  const dun = async () => {
    await open(admin, tenant, original, { count: DUE, days: 10, series: `due-${++round}` });
    await admin.query('ANALYZE invoice, invoice_position');
    let issued = 0;
    const rate = await rateOf(DUE, async () => (issued = await service.get(RunDunning).execute(tenant.id)));
    if (issued !== DUE) throw new Error(`${issued} documents instead of ${DUE}`);
    memory.push(process.memoryUsage().rss);
    return rate;
  };
  await dun();
  await keepRows(admin);
  const variants = {
    dunned: dun,
    inserted: async () => {
      await admin.query(`TRUNCATE ${TABLES.map((table) => `bench_${table}`).join(', ')}`);
      return rateOf(DUE, () => insertRows(admin));
    },
  };
  const { dunned, inserted } = await interleaved(variants, 3);
  await admin.end();
  const counts = `${DUE.toLocaleString('en')} due of ${OPEN.toLocaleString('en')}`;
  const growth = memory.at(-1) / memory[0];
  return [
    { name: `dunning run, ${counts}`, measured: dunned, limit: inserted, goal: 0.25, unit: 'documents/s' },
    {
      name: 'dunning run, memory after the last by after the first',
      measured: [growth],
      goal: 1.25,
      unit: '×',
      lowerIsBetter: true,
    },
  ];
}

export const run = () => withService(4, measure);
