// One consumer process of the built lib, to be frozen from outside: `consumer-process.mjs <database> <brokers> <prefix> <type> <where it waits>`.
import pg from 'pg';
import { KafkaBus, Messaging } from '@kontor/messaging';

const [url, brokers, prefix, type, where] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 4 });
const transaction = async (tx, work) => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work({ ...tx, query: async (sql, params) => (await client.query(sql, params)).rows });
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
};
const database = {
  serviceName: 'invoicing',
  tenant: (tenantId, work, options) => transaction({ tenantId, now: options?.now ?? new Date() }, work),
  system: (work) => transaction({}, work),
  statement: async (sql, params) => (await pool.query(sql, params)).rows,
  connect: async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return client;
  },
};
// The definition lives in the test; here its type and topic are enough.
const { defineEvent } = await import('@kontor/contracts');
const { Type } = await import('@sinclair/typebox');
defineEvent({ type, topic: 'billing.customer', description: 'only in tests', schema: Type.Unknown(), example: null });

const wait = async (place) => {
  if (place !== where) return;
  process.send('began');
  await new Promise((resolve) => setTimeout(resolve, 400));
};
const bus = new KafkaBus({
  brokers: brokers.split(','),
  clientId: 'frozen',
  prefix,
  sessionTimeoutMs: 6_000,
  heartbeatMs: 1_000,
});
const subscribe = bus.subscribe.bind(bus);
bus.subscribe = (subscription) =>
  subscribe({
    ...subscription,
    async handle(events) {
      for (const event of events) {
        await wait('between');
        await subscription.handle([event]);
      }
    },
  });
const messaging = new Messaging({ database, bus });
messaging.register({
  consumer: 'recorder',
  types: [type],
  batch: false,
  async invoke(event, tx) {
    await wait('inside');
    await tx.query("INSERT INTO effect (consumer, tenant_id, aggregate_id, seq) VALUES ('recorder', $1, $2, $3)", [
      tx.tenantId,
      event.aggregateId,
      event.aggregateSeq,
    ]);
  },
});
messaging.strategy.listen((error) => process.send(error ? String(error) : 'listening'));
process.on('message', () => void messaging.strategy.close().then(() => process.exit(0)));
