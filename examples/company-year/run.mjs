// Plays the year in a sandbox tenant of its own of the system that runs: npx node examples/company-year/run.mjs [folder]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collect } from './files.mjs';
import { play } from './play.mjs';

const folder = process.argv[2] ?? 'company-year';
const file = join(process.env.DATA_DIR ?? '.data', 'connection.json');
const { baseUrl, apiKey } = JSON.parse(readFileSync(file, 'utf8'));

const request = async (key, method, path, body) => {
  const answer = await fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (answer.ok) return answer;
  const { reason, detail } = await answer.json();
  throw new Error(`${method} ${path}: ${reason}: ${detail}`);
};
const client = (key) => async (method, path, body) => (await request(key, method, path, body)).json();

const start = '2025-12-31T11:00:00.000Z';
const tenant = await client(apiKey)('POST', '/sandbox/tenants', { name: "A company's year", now: start });
const call = client(tenant.apiKey);
const advance = async (to) => {
  await call('POST', '/sandbox/clock/advance', { to });
  while ((await call('GET', '/sandbox/clock')).status !== 'ready') await new Promise((done) => setTimeout(done, 200));
};

await play(call, advance);
const get = async (path) => Buffer.from(await (await request(tenant.apiKey, 'GET', path)).arrayBuffer());
for (const { number, type, status, grossAmount, customer } of await collect(call, get, folder))
  console.log(number, type, status, grossAmount.amount / 100, grossAmount.currencyCode, customer.companyName);
console.log(`All papers are in ${folder}.`);
