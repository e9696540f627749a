// Rows of `npm run bench`: ingestion through the service's HTTP beside COPY, an empty server and an insert per request.
import { pathToFileURL } from 'node:url';
import { interleaved } from '../../../bench/report.mjs';
import { UsageBench } from './setup.mjs';

export async function run() {
  const bench = await UsageBench.start();
  try {
    const tenant = await bench.tenant();
    const [real, empty, single] = [await bench.service(), await bench.service('empty'), await bench.service('single')];
    const ingest = (url, count, perRequest, connections) => bench.ingest(url, tenant, count, perRequest, connections);
    await ingest(real, 40, 1000, 8);
    for (const url of [real, empty, single]) await ingest(url, 2000, 1, 64);
    const rates = await interleaved({
      copy: () => bench.copy(tenant, 80_000),
      thousand: () => ingest(real, 80, 1000, 8),
      hundred: () => ingest(real, 500, 100, 24),
      one: () => ingest(real, 8000, 1, 64),
      empty: () => ingest(empty, 8000, 1, 64),
      single: () => ingest(single, 2000, 1, 64),
    });
    const unit = 'events/s';
    return [
      { name: 'usage, 1,000 events a request, beside COPY', measured: rates.thousand, limit: rates.copy, goal: 0.7, unit },
      { name: 'usage, 100 events a request, beside COPY', measured: rates.hundred, limit: rates.copy, goal: 0.45, unit },
      { name: 'usage, 1 event a request, beside an empty server', measured: rates.one, limit: rates.empty, goal: 0.8, unit },
      { name: 'usage, 1 event a request, beside an insert each', measured: rates.one, limit: rates.single, goal: 4, unit },
    ];
  } finally {
    await bench.stop();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { report, table } = await import('../../../bench/report.mjs');
  console.log(table((await run()).map(report)));
  process.exit();
}
