// Many customers and invoices, made of one of each that came through the API: rows that differ in what lists read.
import pg from 'pg';
import { databasePasswords } from '@kontor/service-kit';

const SHIFT = 1_000_000;
/** Ids in the order of their numbers, as time-ordered ids are. */
const idOf = (kind, n) => `('0190${kind}-' || '0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))`;
export const customerId = (n) => `0190c000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
export const invoiceId = (n) => `0190d000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

export async function ownerOf(system, service, secret) {
  const { pool } = system.services.find(({ name }) => name === service).kit.database;
  const url = new URL(pool.options.connectionString);
  url.username = `kontor_${service}_owner`;
  url.password = databasePasswords(secret, service).owner;
  const client = new pg.Client({ connectionString: url.href });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`SELECT set_config('app.tenant', $1, false)`, [system.connection.tenantId]);
  return client;
}

/** So many copies of the one row that matches, with other values in the named columns (SQL over the number `n`). */
async function multiply(client, table, count, changes, condition = 'true') {
  const changed = Object.entries(changes).map(([column, sql]) => `'${column}', ${sql}`);
  const { rows } = await client.query(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
    [table],
  );
  const columns = rows.map(({ name }) => name);
  // Triggers refuse what no request may do, such as adding to a finalized document.
  await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await client.query(
    `INSERT INTO ${table} (${columns.join(', ')})
     SELECT ${columns.map((name) => `made.${name}`).join(', ')}
     FROM (SELECT * FROM ${table} WHERE ${condition} LIMIT 1) pattern, generate_series(0, ${count - 1}) n,
       LATERAL jsonb_populate_record(NULL::${table}, to_jsonb(pattern) || jsonb_build_object(${changed.join(', ')})) made`,
  );
  await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  await client.query(`VACUUM (ANALYZE) ${table}`);
}

const CUSTOMER = idOf('c000', 'n');
const NAME = `'Backhaus ' || n || ' GmbH'`;

/** Customers as billing has them, and as the named services copy them. */
export async function fillCustomers(clients, customer, count) {
  const seconds = `to_jsonb(timestamptz '2025-01-01' + n * interval '10 minutes')`;
  await multiply(clients.billing, 'customer', count, {
    id: CUSTOMER,
    customer_number: `'B-' || n`,
    external_id: 'NULL',
    email: `'k' || n || '@backhaus-elbe.example'`,
    company_name: NAME,
    created_at: seconds,
    updated_at: seconds,
  });
  await multiply(clients.billing, 'customer_address', count, {
    id: idOf('ca00', 'n'),
    customer_id: CUSTOMER,
    company_name: NAME,
  });
  const copy = `kind = 'customer' AND id = '${customer.id}'`;
  await multiply(clients.invoicing, 'replica', count, { id: CUSTOMER }, copy);
}

/** Finalized invoices of one position each, in turn of all customers. */
export async function fillInvoices(client, invoice, count, customers) {
  const at = `to_jsonb(timestamptz '2025-06-01' + n * interval '5 minutes')`;
  const owner = idOf('c000', `n % ${customers}`);
  await multiply(client, 'invoice', count, {
    id: idOf('d000', 'n'),
    number: `'R-' || (n + ${SHIFT})`,
    customer_id: owner,
    created_at: at,
    finalized_at: at,
    due_at: `to_jsonb(timestamptz '2025-06-15' + (n % 5000) * interval '1 hour')`,
    // Prices repeat, but not in the order of time.
    net_minor: `(n * 7919) % 1000000`,
    tax_minor: '0',
    gross_minor: `(n * 7919) % 1000000`,
    status: `CASE WHEN n % 100 = 0 THEN 'STATUS_UNPAID' ELSE 'STATUS_PAID' END`,
    media_id: `'M' || n`,
    invoice_address: `to_jsonb(pattern) -> 'invoice_address' || jsonb_build_object('companyName', 'Backhaus ' || n % ${customers} || ' GmbH')`,
  });
  await multiply(client, 'document_snapshot', count, {
    invoice_id: idOf('d000', 'n'),
    searched: `'R-' || (n + ${SHIFT}) || ' Backhaus ' || n % ${customers} || ' GmbH Elbchaussee 1 22765 Hamburg'`,
  });
  await multiply(client, 'invoice_position', count, { id: idOf('de00', 'n'), invoice_id: idOf('d000', 'n') });
}
