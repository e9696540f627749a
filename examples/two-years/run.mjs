// Plays two years in a sandbox tenant of its own of the system that runs: npx node examples/two-years/run.mjs
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { play } from './play.mjs';

const file = join(process.env.DATA_DIR ?? '.data', 'connection.json');
const { baseUrl, apiKey } = JSON.parse(readFileSync(file, 'utf8'));

const client = (key) => async (method, path, body) => {
  const answer = await fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${json.reason}: ${json.detail}`);
  return json;
};

const tenant = await client(apiKey)('POST', '/sandbox/tenants', {
  name: 'Two years',
  now: '2025-12-31T11:00:00.000Z',
  features: ['customer.hierarchy'],
});
const call = client(tenant.apiKey);
const advance = async (to) => {
  await call('POST', '/sandbox/clock/advance', { to });
  while ((await call('GET', '/sandbox/clock')).status !== 'ready') await new Promise((done) => setTimeout(done, 200));
};

const { customer } = await play(call, advance);
const { data: family } = await call('GET', `/customers/${customer}/hierarchy`);
for (const { id, level, companyName } of family) {
  console.log(`${'  '.repeat(level - 1)}${companyName}`);
  const { data } = await call('GET', `/invoices?customer=${id}&order%5Bnumber%5D=asc&limit=100`);
  for (const { number, finalizationDate, netAmount, discountAmount } of data)
    console.log(number, finalizationDate.slice(0, 10), netAmount.amount / 100, discountAmount ? -discountAmount.amount / 100 : '');
}
