// Four times of what the system can do, for a minute: what it still accepts is answered in time, the rest is refused with
// Retry-After, a tenant that asks for little is served, memory stays, and soon after all is as before.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api } from '../../tools/seed/api.mjs';
import { startOpenLoad } from '../parts/open-load.mjs';
import { memoryMb, start, stop } from '../parts/system-process.mjs';
import { median, percentile } from '../report.mjs';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 60);
const TIMES = 4;
/** Of what the system can do, what a quiet one is asked for, by both tenants. */
const QUIET = 0.1;
const CLIENTS = 64;
const RECOVERY_MS = 10_000;

const address = { street: 'Elbchaussee', houseNumber: '1', zip: '22765', city: 'Hamburg' };
const newCustomer = { email: 'k{n}@backhaus-elbe.example', companyName: 'Backhaus {n} GmbH', ...address };

/** What a tenant's clients ask for: mostly reading, one in ten a write. */
async function prepare(url, key) {
  const api = new Api(url, key);
  const customer = await api.post('/customers', {
    ...newCustomer,
    email: 'rechnung@backhaus-elbe.example',
    companyName: 'Backhaus Elbe GmbH',
  });
  const draft = await api.post('/invoices', {
    customer: customer.id,
    positions: [{ name: 'Beratung', quantity: '1', unitPrice: { amount: 10_000, currencyCode: 'EUR' } }],
  });
  const get = (kind, path) => ({ kind, method: 'GET', path });
  const byId = [get('read', `/customers/${customer.id}`), get('read', `/invoices/${draft.id}`)];
  const write = { kind: 'write', method: 'POST', path: '/customers', body: JSON.stringify(newCustomer) };
  return {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    requests: [...byId, ...byId, get('list', `/invoices?customer=${customer.id}`), ...byId, ...byId, write],
  };
}

export async function run() {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-bench-'));
  const { child, connection } = await start(dataDir, { RATE_LIMIT_SANDBOX: '100000000', LOG_LEVEL: 'warn' });
  const load = startOpenLoad();
  try {
    const { baseUrl: url, apiKey } = connection;
    const other = await new Api(url, apiKey).post('/sandbox/tenants', { name: 'Nachbar GmbH' });
    const greedy = await prepare(url, apiKey);
    const modest = await prepare(url, other.apiKey);
    await load.saturate({ url, ...greedy, clients: CLIENTS, seconds: SECONDS / 3 });
    const capacity = await load.saturate({ url, ...greedy, clients: CLIENTS, seconds: SECONDS / 6 });
    const quiet = (capacity * QUIET) / 2;
    const ask = (rate, seconds) =>
      load.send({
        url,
        seconds,
        streams: [
          { ...greedy, rate },
          { ...modest, rate: quiet },
        ],
      });
    await sleep(RECOVERY_MS);
    const unloaded = await ask(quiet, SECONDS / 3);
    const memory = watchMemory(child.pid, dataDir);
    const loaded = await ask(capacity * TIMES, SECONDS);
    const growth = memory.stop();
    await sleep(RECOVERY_MS);
    const after = await ask(quiet, SECONDS / 3);
    explain({ capacity, unloaded, loaded, after });
    return rowsOf({ capacity, unloaded, loaded, after, growth });
  } finally {
    load.stop();
    await stop(child);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const total = ({ statuses }) => Object.values(statuses).reduce((sum, count) => sum + count, 0);
const acceptedOf = ({ millis }) => Object.values(millis).flat();
const p99 = (answers) => percentile(answers.flatMap(acceptedOf), 0.99);

function rowsOf({ capacity, unloaded, loaded, after, growth }) {
  const [greedy, modest] = loaded;
  const refused = loaded.flatMap(({ statuses }) => Object.keys(statuses)).filter((status) => !status.startsWith('2'));
  const strange = refused.filter((status) => !['429', '503'].includes(status)).length;
  const lower = { lowerIsBetter: true };
  const times = (name, answers, goal) => ({
    name,
    measured: [p99(answers)],
    limit: [p99(unloaded)],
    goal,
    unit: 'ms',
    ...lower,
  });
  return [
    times(`p99 of what is accepted at ${TIMES} ×`, loaded, 10),
    times(`p99 of a tenant that asks for little meanwhile`, [modest], 10),
    times('p99 ten seconds after', after, 1.5),
    {
      name: 'answered of what a tenant asks that asks for little',
      measured: [acceptedOf(modest).length / total(modest)],
      goal: 0.99,
      unit: '',
    },
    {
      name: 'done meanwhile, beside what it can do',
      measured: [(acceptedOf(greedy).length + acceptedOf(modest).length) / SECONDS],
      limit: [capacity],
      goal: 0.75,
      unit: '/s',
    },
    {
      name: 'refusals without Retry-After or with another status',
      measured: [loaded.reduce((sum, { withoutHint }) => sum + withoutHint, 0) + strange],
      goal: 0,
      unit: '',
      ...lower,
    },
    { name: 'memory, last third beside the first', measured: [growth], goal: 1.1, unit: '×', ...lower },
  ];
}

function watchMemory(pid, dataDir) {
  const seen = [];
  const timer = setInterval(() => seen.push(memoryMb(pid, dataDir)), 1000);
  return {
    stop() {
      clearInterval(timer);
      const third = Math.floor(seen.length / 3);
      return median(seen.slice(-third)) / median(seen.slice(0, third));
    },
  };
}

function explain({ capacity, ...phases }) {
  process.stderr.write(`  it can do ${Math.round(capacity)} /s\n`);
  for (const [phase, streams] of Object.entries(phases))
    for (const [of, answers] of streams.entries()) {
      const kinds = Object.entries(answers.millis).map(
        ([kind, millis]) =>
          `${kind} ${[0.5, 0.99].map((p) => percentile(millis, p).toFixed(0)).join(' / ')} ms (${millis.length})`,
      );
      process.stderr.write(
        `  ${phase}, ${of === 0 ? 'greedy' : 'modest'}: ${JSON.stringify(answers.statuses)} p50 / p99: ${kinds.join(', ')}\n`,
      );
    }
}
