import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, shareOf } from '@kontor/testing';
import pg from 'pg';
import { BANK, bankAccount, line, lines } from './bank-world.js';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
let account: string;
let owner: pg.Client;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
  account = await bankAccount(tenant);
  owner = new pg.Client({ connectionString: world.test.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await world.stop();
});

const service = fileURLToPath(new URL('bank-service.mjs', import.meta.url));

/** The service as a process of its own, on the same database. */
async function start(): Promise<{ process: ChildProcess; url: string }> {
  const { ownerUrl, appUrl } = world.test;
  const child = spawn(process.execPath, [service], {
    env: { ...process.env, OWNER_URL: ownerUrl, APP_URL: appUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [first] = (await once(child.stdout!, 'data')) as [Buffer];
  return { process: child, url: first.toString().trim() };
}

const call = (url: string, method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`${url}${path}`, {
    method,
    headers: {
      'x-kontor-principal': world.service.kit.tokens.sign(tenant.key),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** Runs `work` while nobody can write the table, kills the service there, and releases the table. */
async function killedAt(table: string, work: (url: string) => Promise<unknown>): Promise<void> {
  const { process: child, url } = await start();
  await owner.query(`BEGIN; LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
  const answer = work(url).then(
    () => 'answered',
    () => 'interrupted',
  );
  const waits = `SELECT 1 FROM pg_locks l JOIN pg_class c ON c.oid = l.relation WHERE NOT l.granted AND c.relname = $1`;
  await eventually(async () => ((await owner.query(waits, [table])).rowCount ?? 0) > 0, `the service at ${table}`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await owner.query('ROLLBACK');
  expect(await answer).toBe('interrupted');
  const busy = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle' AND xact_start IS NOT NULL`;
  await eventually(async () => (await owner.query(busy)).rowCount === 0, 'the end of the killed transaction');
}

const STEPS = [
  'ledger_transfer',
  'payment_intent',
  'payment_transaction',
  'payment_allocation',
  'bank_transaction',
  'bank_assignment',
  'outbox',
];

it('a bank transaction over several invoices of several customers, killed at each step: all or nothing', async () => {
  for (const table of shareOf(STEPS, 3)) {
    const customers = await Promise.all([1, 2, 3].map(() => tenant.customer()));
    const invoices = await tenant.finalize(...customers.map((customerId) => ({ customerId, gross: 1000 })));
    const [found] = await lines(tenant, account, [line({ amount: '30.00' })]);
    const path = `${BANK}/${found.id}/assign-with-disposition`;
    const body = { invoiceIds: invoices, disposition: 'open' };
    await killedAt(table, (url) => call(url, 'POST', path, body));
    expect(await tenant.ok('GET', `${BANK}/${found.id}`)).toMatchObject({ unassignedAmount: 3000, assignments: [] });
    for (const invoice of invoices) expect((await tenant.intent(invoice)).openAmount.amount).toBe(1000);
    expect(await tenant.broken()).toEqual([]);
    // Nothing is left behind that stops the next one.
    expect(await tenant.ok('POST', path, body)).toMatchObject({ status: 'STATUS_BOOKED', unassignedAmount: 0 });
    expect(await tenant.broken()).toEqual([]);
  }
}, 120_000);

it('an assignment that is taken back, killed at each step: all or nothing', async () => {
  for (const table of ['payment_transaction', 'bank_assignment']) {
    const [invoice] = await tenant.finalize({ customerId: await tenant.customer(), gross: 1000 });
    const [found] = await lines(tenant, account, [line({ amount: '10.00' })]);
    await tenant.ok('PUT', `${BANK}/${found.id}/assign`, { invoiceIds: [invoice] });
    const { assignments } = await tenant.ok('GET', `${BANK}/${found.id}`);
    await killedAt(table, (url) => call(url, 'DELETE', `${BANK}/${found.id}/assignments/${assignments[0].id}`));
    expect(await tenant.ok('GET', `${BANK}/${found.id}`)).toMatchObject({ unassignedAmount: 0, assignments });
    expect((await tenant.intent(invoice!)).status).toBe('succeeded');
    expect(await tenant.broken()).toEqual([]);
  }
}, 60_000);

it('one of several invoices of a payment, or all of them, taken back and killed at each step: all or nothing', async () => {
  const customerId = await tenant.customer();
  const steps = ['ledger_transfer', 'payment_intent', 'payment_transaction', 'payment_allocation', 'outbox'];
  for (const table of shareOf(steps, 2)) {
    const invoices = await tenant.finalize(
      { customerId, gross: 1000 },
      { customerId, gross: 2000 },
      { customerId, gross: 3000 },
    );
    const [found] = await lines(tenant, account, [line({ amount: '60.00' })]);
    await tenant.ok('PUT', `${BANK}/${found.id}/assign`, { invoiceIds: invoices });
    const { assignments } = await tenant.ok('GET', `${BANK}/${found.id}`);
    const [payment] = await tenant.rows<{ id: string }>(
      'SELECT id FROM payment_transaction WHERE bank_transaction_id = $1',
      [found.id],
    );
    const open = (): Promise<number[]> =>
      Promise.all(invoices.map(async (id) => (await tenant.intent(id)).openAmount.amount));
    await killedAt(table, (url) => call(url, 'DELETE', `${BANK}/${found.id}/assignments/${assignments[1].id}`));
    expect([await open(), (await tenant.ok('GET', `${BANK}/${found.id}`)).assignments]).toEqual([
      [0, 0, 0],
      assignments,
    ]);
    expect((await tenant.call('DELETE', `${BANK}/${found.id}/assignments/${assignments[1].id}`)).status).toBe(204);
    await killedAt(table, (url) =>
      call(url, 'POST', `/payment/transactions/${payment!.id}/return`, { reason: 'killed' }),
    );
    expect(await open()).toEqual([0, 2000, 0]);
    expect(await tenant.broken()).toEqual([]);
    await tenant.ok('POST', `/payment/transactions/${payment!.id}/return`, { reason: 'again' });
    expect(await open()).toEqual([1000, 2000, 3000]);
    expect(await tenant.broken()).toEqual([]);
  }
}, 120_000);

it('an import, killed before its lines are matched: they are matched by whoever comes next, once', async () => {
  const [invoice] = await tenant.finalize({
    customerId: await tenant.customer(),
    gross: 4400,
    number: 'RE-2026-88001',
  });
  const body = {
    bankAccountId: account,
    transactions: [line({ amount: '44.00', remittanceInformation: 'RE-2026-88001', reference: 'killed' })],
  };
  await killedAt('bank_assignment', (url) => call(url, 'POST', `${BANK}/import`, body));
  const found = async (): Promise<Json> =>
    (await tenant.ok('GET', `${BANK}?limit=100`)).data.find((item: Json) => item.reference === 'killed');
  expect(await found()).toMatchObject({ status: 'STATUS_RECEIVED', unassignedAmount: 4400 });
  expect(await tenant.broken()).toEqual([]);
  // The sender sends it again: nothing comes twice.
  expect((await tenant.ok('POST', `${BANK}/import`, body)).duplicates).toBe(1);
  await owner.query(`UPDATE due_work SET due_at = now(), poll_at = now() WHERE kind = 'payments.match_bank'`);
  await eventually(async () => (await found()).status === 'STATUS_BOOKED', 'the matching');
  expect((await tenant.intent(invoice!)).status).toBe('succeeded');
  expect(await tenant.broken()).toEqual([]);
}, 60_000);
