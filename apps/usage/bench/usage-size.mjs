// Rows of `npm run bench`: what ten million events do to ingestion and to reading one customer, and a month's aggregate of all
// customers beside counting the raw events. Takes some minutes. USAGE_BENCH_EVENTS sets another size.
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, percentile, rateOf } from '../../../bench/report.mjs';
import { request, send } from './load.mjs';
import { UsageBench } from './setup.mjs';

const EVENTS = Number(process.env.USAGE_BENCH_EVENTS ?? 10_000_000);
const SMALL = EVENTS / 10;
const CUSTOMERS = 2000;
const ROUNDS = 5;
const PER_ROUND = 80;
const READS = 300;
const LOAD_MS = 40_000;

export async function run() {
  const bench = await UsageBench.start();
  try {
    return await measure(bench);
  } finally {
    await bench.stop();
  }
}

async function measure(bench) {
  const tenant = await bench.tenant(CUSTOMERS);
  const url = await bench.service();
  const metrics = [];
  for (const eventName of ['api_call', 'storage_gauge', 'seat_used'])
    metrics.push(await bench.metric(url, tenant, { eventName, aggregationType: 'sum', property: 'bytes' }));
  const ingest = () => bench.ingest(url, tenant, PER_ROUND, 1000, 8);
  const stored = async () => Number((await bench.admin.query('SELECT count(*) AS n FROM usage_event')).rows[0].n);
  const fill = async (until) => {
    for (let left = until - (await stored()); left > 0; left -= 100_000) await bench.ingest(url, tenant, 100, 1000, 8);
    await bench.admin.query('VACUUM (ANALYZE) usage_event, usage_event_key, usage_rollup');
    await bench.admin.query('CHECKPOINT');
  };
  const rates = async () => {
    const found = [];
    for (let round = 0; round < ROUNDS; round++) found.push(await ingest());
    return found;
  };

  await fill(SMALL);
  const small = { rates: await rates(), list: await read(bench, url, lists(bench, url, tenant)) };
  await fill(EVENTS);
  const large = { rates: await rates() };

  const reads = { list: lists(bench, url, tenant), query: queries(bench, url, tenant, metrics) };
  for (const requests of Object.values(reads)) await send(url, requests.slice(0, 50), 1);
  const idle = { list: await read(bench, url, reads.list), query: await read(bench, url, reads.query) };
  const end = paced(bench, url, tenant, median(large.rates) / 2);
  await sleep(1000);
  const busy = { list: await read(bench, url, reads.list), query: await read(bench, url, reads.query) };
  await end();

  const month = { rollups: [], raw: [] };
  for (let round = 0; round < ROUNDS; round++) {
    month.rollups.push(1 / (await rateOf(1, () => send(url, [aggregate(bench, url, tenant, metrics[round % 3])], 1))));
    month.raw.push(1 / (await rateOf(1, () => bench.admin.query('SELECT count(*) FROM usage_event'))));
  }
  const millions = `${EVENTS / 1e6} M`;
  return [
    { name: `usage rate at ${millions} rows, beside ${SMALL / 1e6} M`, measured: large.rates, limit: small.rates, goal: 0.85, unit: 'events/s' },
    { name: `list of one customer at ${millions}, p99, beside ${SMALL / 1e6} M`, measured: [idle.list], limit: [small.list], goal: 1.5, unit: 'ms', lowerIsBetter: true },
    { name: 'list of one customer while ingesting at half, p99', measured: [busy.list], limit: [idle.list], goal: 5, unit: 'ms', lowerIsBetter: true },
    { name: 'query of one customer while ingesting at half, p99', measured: [busy.query], limit: [idle.query], goal: 5, unit: 'ms', lowerIsBetter: true },
    { name: 'month of all customers, beside count(*)', measured: month.rollups, limit: month.raw, goal: 0.15, unit: 's', lowerIsBetter: true },
  ]; // prettier-ignore
}

const dayOf = (ahead) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
const month = () => `from=${dayOf(-29)}T00:00:00Z&to=${dayOf(2)}T00:00:00Z`;
const anyOf = (list) => list[Math.floor(Math.random() * list.length)];

const lists = (bench, url, tenant) =>
  Array.from({ length: READS }, () =>
    request(url, 'GET', `/api/usage-events?limit=30&customerId=${anyOf(tenant.customers).id}`, bench.headers(tenant)),
  );
const queries = (bench, url, tenant, metrics) =>
  Array.from({ length: READS }, () =>
    request(url, 'GET', `/api/usage-metrics/${anyOf(metrics)}/query?customerId=${anyOf(tenant.customers).id}&granularity=day&${month()}`, bench.headers(tenant)),
  ); // prettier-ignore
const aggregate = (bench, url, tenant, metric) =>
  request(url, 'GET', `/api/usage-metrics/${metric}/query?granularity=month&${month()}`, bench.headers(tenant));

/** The 99th percentile of what a reader waits, in ms. */
const read = async (bench, url, requests) => percentile(await send(url, requests, 1), 0.99);

/** Ingests so many events a second, a request of 1,000 at a time and evenly, until it is told to stop. Made beforehand: the reader is in this process. */
function paced(bench, url, tenant, perSecond) {
  const everyMs = 1_000_000 / perSecond;
  const requests = bench.requests(url, tenant, Math.ceil(LOAD_MS / everyMs), 1000);
  let ended = false;
  const running = (async () => {
    const startedAt = performance.now();
    for (let n = 0; !ended; n++) {
      if (n === requests.length) throw new Error('the load ended before the readers did');
      await Promise.all([send(url, [requests[n]], 1), sleep(Math.max(0, startedAt + (n + 1) * everyMs - performance.now()))]);
    }
  })();
  return () => {
    ended = true;
    return running;
  };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { report, table } = await import('../../../bench/report.mjs');
  console.log(table((await run()).map(report)));
  process.exit();
}
