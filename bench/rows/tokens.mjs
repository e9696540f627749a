// The same request through the gateway with an app's signed access token beside one with a customer's opaque token, both cached.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSystem } from '@kontor/embedded';
import { Issuers } from '@kontor/identity';
import { freePort } from '../../tools/free-port.mjs';
import { interleaved, rateOf } from '../report.mjs';

const REQUESTS = 400;
const CLIENTS = 8;

async function call(url, token, body) {
  const answer = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  if (answer.status >= 300) throw new Error(`${url}: ${answer.status} ${text.slice(0, 200)}`);
  return JSON.parse(text);
}

/** An access token as the token endpoint gives it. */
async function accessToken(issuers, clientId, accountId) {
  const { provider } = await issuers.of('sandbox');
  const client = await provider.Client.find(clientId);
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope('entitlements.read');
  const token = new provider.AccessToken({
    client,
    accountId,
    grantId: await grant.save(),
    scope: 'entitlements.read',
  });
  return token.save();
}

export async function run() {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-bench-'));
  const env = { ...process.env, DATA_DIR: dataDir, PORT: String(await freePort()), RATE_LIMIT_SANDBOX: '10000000' };
  const system = await startSystem(env);
  try {
    const { baseUrl, apiKey } = system.connection;
    const customer = await call(`${baseUrl}/customers`, apiKey, { email: 'bench@example.com', companyName: 'Bench' });
    const session = await call(`${baseUrl}/customers/${customer.id}/authenticate`, apiKey, {});
    const redirectUris = ['https://app.example/callback'];
    const { clientId } = await call(`${baseUrl}/oauth/clients`, apiKey, { name: 'Bench', redirectUris });
    const identity = system.services.find((service) => service.name === 'identity');
    const signed = await accessToken(identity.get(Issuers), clientId, customer.id);
    const ask = (token) =>
      rateOf(REQUESTS, async () => {
        const client = async () => {
          for (let n = 0; n < REQUESTS / CLIENTS; n++) await call(`${baseUrl}/entitlements`, token);
        };
        await Promise.all(Array.from({ length: CLIENTS }, client));
      });
    await ask(signed);
    const rates = await interleaved({
      signed: () => ask(signed),
      opaque: () => ask(session.data.accessToken),
    });
    return [
      {
        name: 'gateway, signed access tokens',
        measured: rates.signed,
        limit: rates.opaque,
        goal: 0.95,
        unit: 'requests/s',
      },
    ];
  } finally {
    await system.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
