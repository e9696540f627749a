// Rows of `npm run bench`: how fast the relay drains an outbox (publishing stubbed) beside COPY of the same rows, and how
// long an event takes to a consumer of another service on an idle Kafka. Run it alone with `node libs/messaging/bench/messaging.mjs`.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { customerChangedV1 } from '@kontor/contracts';
import {
  appendEvents,
  configureMessaging,
  EmbeddedBus,
  KafkaBus,
  Messaging,
  messagingMigrations,
} from '@kontor/messaging';
import {
  Database,
  EmbeddedPostgres,
  migrate,
  onCommit,
  persistenceMigrations,
  provisionDatabase,
  rolesOf,
} from '@kontor/persistence';
import pg from 'pg';
import copy from 'pg-copy-streams';
import { interleaved, percentile, rateOf } from '../../../bench/report.mjs';
import { kafkaMissing, startKafka } from '../../../tools/kafka/start.mjs';

const EVENTS = 20_000;
const SAMPLES = 200;

configureMessaging({ afterCommit: (tx, run) => onCommit(tx, run), serviceOf: (tx) => tx.database?.serviceName });

async function service(adminUrl, name) {
  const urls = await provisionDatabase(adminUrl, name, { owner: 'bench', app: 'bench' });
  await migrate(urls.ownerUrl, [...persistenceMigrations, ...messagingMigrations], rolesOf(name));
  const database = await Database.connect({ serviceName: name, appUrl: urls.appUrl, rows: [] });
  const connect = async () => {
    const client = new pg.Client({ connectionString: urls.appUrl });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const port = {
    serviceName: name,
    tenant: (id, work, options) => database.tenant(id, work, options),
    system: (work) => database.system(work),
    hasRoom: () => true,
    statement: (sql, params) => database.statement(sql, params),
    connect,
  };
  return { database, port, appUrl: urls.appUrl };
}

const append = (database, tenantId, count) => {
  const example = customerChangedV1.example;
  const events = Array.from({ length: count }, () => ({
    aggregateId: randomUUID(),
    aggregateSeq: 1,
    payload: example,
  }));
  return database.tenant(tenantId, (tx) => appendEvents(tx, customerChangedV1, events));
};

/** Takes pages and drops them. */
const stub = (onPage) => ({
  kind: 'embedded',
  prepare: async () => {},
  attachLog() {},
  publish: async (page) => onPage(page),
  subscribe: async () => ({ stop: async () => {} }),
  close: async () => {},
});

async function drain({ database, port, appUrl }) {
  const tenantId = randomUUID();
  for (let i = 0; i < EVENTS; i += 500) await append(database, tenantId, 500);
  const client = new pg.Client({ connectionString: appUrl });
  await client.connect();
  // From the second round on the table has been drained before and never vacuumed, as in production between vacuums.
  const last = async () => client.query('UPDATE relay_state SET last_id = 0');
  const rates = await interleaved({
    async copy() {
      return rateOf(EVENTS, async () => {
        const out = client.query(copy.to('copy (select * from outbox) to stdout'));
        out.resume();
        await once(out, 'end');
      });
    },
    async relay() {
      await last();
      let seen = 0;
      let done;
      const all = new Promise((resolve) => (done = resolve));
      const messaging = new Messaging({
        database: port,
        bus: stub((page) => (seen += page.records.length) >= EVENTS && done()),
      });
      const rate = await rateOf(EVENTS, async () => {
        await messaging.startRelay();
        await all;
      });
      await messaging.stopRelay();
      return rate;
    },
  });
  await client.end();
  return {
    name: 'outbox drain, publish stubbed',
    measured: rates.relay,
    limit: rates.copy,
    goal: 0.25,
    unit: 'events/s',
  };
}

/** Milliseconds from the commit to the consumer's transaction, one event at a time; and of an empty commit after each. */
async function latencies(producer, consumer, busOf) {
  const waiting = new Map();
  const [producerBus, consumerBus] = [busOf('billing'), busOf('invoicing')];
  const from = new Messaging({ database: producer.port, bus: producerBus });
  const to = new Messaging({ database: consumer.port, bus: consumerBus });
  to.register({
    consumer: 'bench',
    types: [customerChangedV1.type],
    batch: false,
    invoke: async (event) => waiting.get(event.aggregateId)?.(),
  });
  await producer.port.system((sql) => sql.query('SELECT 1'));
  await from.startRelay();
  await new Promise((resolve, reject) => to.strategy.listen((error) => (error ? reject(error) : resolve())));
  const measured = [];
  const commits = [];
  for (let i = 0; i < SAMPLES + 20; i++) {
    const id = randomUUID();
    const arrived = new Promise((resolve) => waiting.set(id, resolve));
    const began = performance.now();
    const events = [{ aggregateId: id, aggregateSeq: 1, payload: customerChangedV1.example }];
    await producer.database.tenant(randomUUID(), (tx) => appendEvents(tx, customerChangedV1, events));
    await arrived;
    const latency = performance.now() - began;
    waiting.delete(id);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
    const committed = await emptyCommit(producer.database);
    if (i < 20) continue;
    measured.push(latency);
    commits.push(committed);
  }
  await to.strategy.close();
  await from.stopRelay();
  for (const bus of new Set([producerBus, consumerBus])) await bus.close();
  return { measured, commits };
}

/** A transaction of one row that nobody reads. */
async function emptyCommit({ pool }) {
  const began = performance.now();
  await pool.query('INSERT INTO tenant_clock VALUES (gen_random_uuid(), now())');
  return performance.now() - began;
}

const latencyRow = (name, goal, { measured, commits }) => ({
  name,
  measured: [percentile(measured, 0.99)],
  limit: [percentile(commits, 0.99)],
  goal,
  unit: 'ms',
  lowerIsBetter: true,
});

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-bench-'));
  const server = new EmbeddedPostgres();
  const { adminUrl } = await server.start(join(folder, 'postgres'));
  const billing = await service(adminUrl, 'billing');
  const invoicing = await service(adminUrl, 'invoicing');
  const embedded = new EmbeddedBus();
  const rows = [
    latencyRow(
      'event to consumer, embedded, idle, p99, beside that of an empty commit',
      10,
      await latencies(billing, invoicing, () => embedded),
    ),
  ];
  if ((await kafkaMissing()) === null) {
    const kafka = await startKafka({ dataDir: join(folder, 'kafka') });
    const busOf = (clientId) => new KafkaBus({ brokers: kafka.brokers, clientId });
    rows.push(
      latencyRow(
        'event to consumer on Kafka, idle, p99, beside that of an empty commit',
        20,
        await latencies(billing, invoicing, busOf),
      ),
    );
    await kafka.stop();
  }
  rows.push(await drain(billing));
  for (const { database } of [billing, invoicing]) await database.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  return rows;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { report, table } = await import('../../../bench/report.mjs');
  console.log(table((await run()).map(report)));
  process.exit();
}
