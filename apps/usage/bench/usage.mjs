// Rows of `npm run bench`: ingestion through the service's HTTP beside COPY, an empty server and an insert per request.
import { interleaved } from '../../../bench/report.mjs';
import { UsageBench } from './setup.mjs';

/**
 * A tenant's requests have events of so many customers: of few, as when each sends its own, or each event of another
 * one.
 */
const LOCAL = 10;
const WORST = 1000;
const METRICS = [
  { eventName: 'api_call', aggregationType: 'count' },
  { eventName: 'storage_gauge', aggregationType: 'max', property: 'bytes' },
  { eventName: 'seat_used', aggregationType: 'sum', property: 'bytes' },
];

export async function run() {
  const bench = await UsageBench.start();
  try {
    return [...(await beside(bench)), ...(await withRollups(bench))];
  } finally {
    await bench.stop();
  }
}

async function beside(bench) {
  const tenant = await bench.tenant();
  const urls = {
    real: await bench.service(),
    empty: await bench.service('empty'),
    single: await bench.service('single'),
  };
  const ingest = (url, count, perRequest, connections) => bench.ingest(url, tenant, count, perRequest, connections);
  await ingest(urls.real, 40, 1000, 8);
  for (const url of Object.values(urls)) await ingest(url, 2000, 1, 64);
  const rates = await interleaved({
    copy: () => bench.copy(tenant, 80_000),
    thousand: () => ingest(urls.real, 80, 1000, 8),
    hundred: () => ingest(urls.real, 500, 100, 24),
    oneByOne: () => ingest(urls.real, 8000, 1, 64),
    empty: () => ingest(urls.empty, 8000, 1, 64),
    single: () => ingest(urls.single, 2000, 1, 64),
  });
  bench.end();
  const unit = 'events/s';
  return [
    {
      name: 'usage, 1,000 events a request, beside COPY',
      measured: rates.thousand,
      limit: rates.copy,
      goal: 0.7,
      unit,
    },
    { name: 'usage, 100 events a request, beside COPY', measured: rates.hundred, limit: rates.copy, goal: 0.45, unit },
    {
      name: 'usage, 1 event a request, beside an empty server',
      measured: rates.oneByOne,
      limit: rates.empty,
      goal: 0.8,
      unit,
    },
    {
      name: 'usage, 1 event a request, beside an insert each',
      measured: rates.oneByOne,
      limit: rates.single,
      goal: 4,
      unit,
    },
  ];
}

async function withRollups(bench) {
  const url = await bench.service();
  const [plain, counted] = [await bench.tenant(WORST), await bench.tenant(WORST)];
  for (const metric of METRICS) await bench.metric(url, counted, metric);
  const ingest = (tenant, spread) => bench.ingest(url, tenant, 60, 1000, 8, spread);
  for (const tenant of [plain, counted]) await ingest(tenant, LOCAL);
  const rates = await interleaved({
    local: () => ingest(counted, LOCAL),
    localPlain: () => ingest(plain, LOCAL),
    worst: () => ingest(counted, WORST),
    worstPlain: () => ingest(plain, WORST),
  });
  bench.end();
  const unit = 'events/s';
  return [
    {
      name: 'usage with rollups, 10 customers a request',
      measured: rates.local,
      limit: rates.localPlain,
      goal: 0.92,
      unit,
    },
    {
      name: 'usage with rollups, each event another customer',
      measured: rates.worst,
      limit: rates.worstPlain,
      goal: 0.65,
      unit,
    },
  ];
}
