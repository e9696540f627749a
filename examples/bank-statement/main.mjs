// `node examples/bank-statement/main.mjs` against a running system (`npm start`): plays the scenario in a sandbox tenant of its own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { play } from './scenario.mjs';

const file = join(process.env.DATA_DIR ?? '.data', 'connection.json');
let connection;
try {
  connection = JSON.parse(readFileSync(file, 'utf8'));
} catch {
  console.error(`Nothing is running here (${file} is missing). Start it with "npm start" first.`);
  process.exit(1);
}
const { baseUrl, apiKey } = connection;
const response = await fetch(`${baseUrl}/sandbox/tenants`, {
  method: 'POST',
  headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'Kontoauszug', plan: 'enterprise', features: ['WalletTopUp'] }),
});
const tenant = await response.json();
if (!response.ok) throw new Error(JSON.stringify(tenant));
console.log(`tenant ${tenant.tenantId}, API key ${tenant.apiKey}`);
await play(baseUrl, tenant.apiKey, console.log);
