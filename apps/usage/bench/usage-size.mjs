// Rows of `npm run bench`: what ten million events do to ingestion and to reading one customer, and a month's aggregate
// of all customers beside counting the raw events. Takes some minutes. USAGE_BENCH_EVENTS sets another size.
import { setTimeout as sleep } from 'node:timers/promises';
import { interleaved, median, percentile, rateOf } from '../../../bench/report.mjs';
import { request, send } from './load.mjs';
import { UsageBench } from './setup.mjs';

const EVENTS = Number(process.env.USAGE_BENCH_EVENTS ?? 10_000_000);
const SMALL = EVENTS / 10;
const CUSTOMERS = 1000;
const ROUNDS = 5;
const PER_ROUND = 80;
const READS = 200;
const LOAD_MS = 20_000;

export async function run() {
  const benches = [await UsageBench.start()];
  benches.unshift(await UsageBench.start(benches[0]));
  try {
    const [small, large] = [await sized(benches[0], SMALL), await sized(benches[1], EVENTS)];
    return [...(await sizes(small, large)), ...(await whileIngesting(large))];
  } finally {
    for (const bench of benches) await bench.stop();
  }
}

/** A service on a database with so many events of one tenant. */
async function sized(bench, events) {
  const tenant = await bench.tenant(CUSTOMERS);
  const url = await bench.service();
  for (let left = events; left > 0; left -= 100_000) await bench.copy(tenant, Math.min(left, 100_000));
  await bench.admin.query('VACUUM (ANALYZE) usage_event, usage_event_key');
  await bench.admin.query('CHECKPOINT');
  const ingest = () => bench.ingest(url, tenant, PER_ROUND, 1000, 8);
  await ingest();
  const list = () => read(lists(bench, url, tenant), url);
  await list();
  return { bench, tenant, url, ingest, list };
}

/** In turn on both: what the machine does meanwhile happens to both. */
async function sizes(small, large) {
  const rates = await interleaved({ small: small.ingest, large: large.ingest }, ROUNDS);
  const lists = await interleaved({ small: small.list, large: large.list }, ROUNDS);
  const [much, little] = [`${EVENTS / 1e6} M`, `${SMALL / 1e6} M`];
  return [
    {
      name: `usage rate at ${much} rows, beside ${little}`,
      measured: rates.large,
      limit: rates.small,
      goal: 0.9,
      unit: 'events/s',
    },
    {
      name: `list of one customer at ${much}, p99, beside ${little}`,
      measured: lists.large,
      limit: lists.small,
      goal: 1.5,
      unit: 'ms',
      lowerIsBetter: true,
    },
  ];
}

async function whileIngesting({ bench, tenant, url, ingest, list }) {
  const metric = await bench.metric(url, tenant, { eventName: 'api_call', aggregationType: 'sum', property: 'bytes' });
  const rate = median([await ingest(), await ingest(), await ingest()]);
  const query = () => read(queries(bench, url, tenant, metric), url);
  await query();
  const underLoad = async (reader) => {
    const end = paced(bench, url, tenant, rate / 2);
    await sleep(500);
    const found = await reader();
    await end();
    return found;
  };
  const times = await interleaved(
    {
      idleList: list,
      busyList: () => underLoad(list),
      idleQuery: query,
      busyQuery: () => underLoad(query),
      month: async () => 1 / (await rateOf(1, () => send(url, [aggregate(bench, url, tenant, metric)], 1))),
      raw: async () => 1 / (await rateOf(1, () => bench.admin.query('SELECT count(*) FROM usage_event'))),
    },
    ROUNDS,
  );
  return [
    {
      name: 'list of one customer while ingesting at half, p99',
      measured: times.busyList,
      limit: times.idleList,
      goal: 5,
      unit: 'ms',
      lowerIsBetter: true,
    },
    {
      name: 'query of one customer while ingesting at half, p99',
      measured: times.busyQuery,
      limit: times.idleQuery,
      goal: 5,
      unit: 'ms',
      lowerIsBetter: true,
    },
    {
      name: 'month of all customers, beside count(*)',
      measured: times.month,
      limit: times.raw,
      goal: 0.15,
      unit: 's',
      lowerIsBetter: true,
    },
  ];
}

const dayOf = (ahead) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
const month = () => `from=${dayOf(-29)}T00:00:00Z&to=${dayOf(2)}T00:00:00Z`;
const anyOf = (list) => list[Math.floor(Math.random() * list.length)];

const lists = (bench, url, tenant) =>
  Array.from({ length: READS }, () =>
    request(url, 'GET', `/api/usage-events?limit=30&customerId=${anyOf(tenant.customers).id}`, bench.headers(tenant)),
  );
const queries = (bench, url, tenant, metric) =>
  Array.from({ length: READS }, () =>
    request(
      url,
      'GET',
      `/api/usage-metrics/${metric}/query?customerId=${anyOf(tenant.customers).id}&granularity=day&${month()}`,
      bench.headers(tenant),
    ),
  );
const aggregate = (bench, url, tenant, metric) =>
  request(url, 'GET', `/api/usage-metrics/${metric}/query?granularity=month&${month()}`, bench.headers(tenant));

/** The 99th percentile of what a reader waits, in ms. */
const read = async (requests, url) => percentile(await send(url, requests, 1), 0.99);

/**
 * Ingests so many events a second, a request of 1,000 at a time and evenly, until the function that it returns is called. Made beforehand:
 * the reader is in this process.
 */
function paced(bench, url, tenant, perSecond) {
  const everyMs = 1_000_000 / perSecond;
  const requests = bench.requests(url, tenant, Math.ceil(LOAD_MS / everyMs), 1000);
  let ended = false;
  const running = (async () => {
    const startedAt = performance.now();
    for (let n = 0; !ended; n++) {
      if (n === requests.length) throw new Error('the load ended before the readers did');
      await Promise.all([
        send(url, [requests[n]], 1),
        sleep(Math.max(0, startedAt + (n + 1) * everyMs - performance.now())),
      ]);
    }
  })();
  return () => {
    ended = true;
    return running;
  };
}
