// The same request through the gateway with an app's signed access token beside one with a customer's opaque token, both cached; and the
// token endpoint, which gives two signed tokens for a refresh token, beside signing two tokens, and beside the least that a request can cost
// which gives them and leaves something durable: the same gateway, the same service frame, one INSERT.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSystem } from '@kontor/embedded';
import { Issuers } from '@kontor/identity';
import { EmbeddedBus } from '@kontor/messaging';
import { EmbeddedPostgres } from '@kontor/persistence';
import { ServiceConfig } from '@kontor/service-kit';
import { freePort } from '../../tools/free-port.mjs';
import { startOneInsertService } from '../parts/one-insert-service.mjs';
import { interleaved, rateOf } from '../report.mjs';

const REQUESTS = 2_000;
const REFRESHES = 200;
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

/** Tokens as the token endpoint gives them. */
async function tokensOf({ provider }, clientId, accountId) {
  const client = await provider.Client.find(clientId);
  const scope = 'openid offline entitlements.read';
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope(scope);
  const granted = { client, accountId, grantId: await grant.save(), scope };
  const refreshToken = new provider.RefreshToken({ ...granted, gty: 'authorization_code', authTime: 1_700_000_000 });
  return { access: await new provider.AccessToken(granted).save(), refresh: await refreshToken.save() };
}

/** Each client does its part of `count`, one after the other. */
const inTurns = (count, work) => () =>
  rateOf(count, () =>
    Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        for (let n = 0; n < count / CLIENTS; n++) await work(client);
      }),
    ),
  );

/** Signs two tokens, as an exchange does. */
function signerOf({ tokens }, { clientId, accountId }) {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { jti: 'j', sub: accountId, clientId, scope: 'openid', iat, exp: iat + 3600 };
  return () => Promise.all([tokens.sign(claims), tokens.sign(claims)]);
}

/** Exchanges refresh tokens, each for the next; `frame` answers with what `sign` gives after one INSERT. */
async function tokenEndpoint(made, { baseUrl, credentials, accountId, sign, frame }) {
  const chains = [];
  for (let n = 0; n < CLIENTS; n++) chains.push((await tokensOf(made, credentials.client_id, accountId)).refresh);
  const refresh = async (client) => {
    const body = new URLSearchParams({ ...credentials, grant_type: 'refresh_token', refresh_token: chains[client] });
    const answer = await fetch(`${baseUrl}/oauth2/token`, { method: 'POST', body });
    const tokens = await answer.json();
    if (!tokens.id_token) throw new Error(`the token endpoint answered ${answer.status} ${JSON.stringify(tokens)}`);
    chains[client] = tokens.refresh_token;
  };
  const variants = {
    endpoint: inTurns(REFRESHES, refresh),
    frame: inTurns(REFRESHES, frame),
    signing: inTurns(REFRESHES, sign),
  };
  for (const variant of Object.values(variants)) await variant();
  return interleaved(variants);
}

export async function run() {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-bench-'));
  const { adminUrl } = await new EmbeddedPostgres().start(dataDir);
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    SECRETS_KEY: randomBytes(32).toString('hex'),
    RATE_LIMIT_SANDBOX: '10000000',
    RATE_LIMIT_ANONYMOUS: '10000000',
  };
  const system = await startSystem(env);
  let bare;
  try {
    const { baseUrl, apiKey } = system.connection;
    const customer = await call(`${baseUrl}/customers`, apiKey, { email: 'bench@example.com', companyName: 'Bench' });
    const session = await call(`${baseUrl}/customers/${customer.id}/authenticate`, apiKey, {});
    const redirectUris = ['https://app.example/callback'];
    const client = await call(`${baseUrl}/oauth/clients`, apiKey, { name: 'Bench', redirectUris });
    const identity = system.services.find((service) => service.name === 'identity');
    const made = await identity.get(Issuers).of('sandbox');
    const { access } = await tokensOf(made, client.clientId, customer.id);
    const ask = (token) => inTurns(REQUESTS, () => call(`${baseUrl}/entitlements`, token));
    const variants = { signed: ask(access), opaque: ask(session.data.accessToken) };
    for (const variant of Object.values(variants)) await variant();
    const rates = await interleaved(variants);
    const credentials = { client_id: client.clientId, client_secret: client.clientSecret };
    const sign = signerOf(made, { clientId: client.clientId, accountId: customer.id });
    const internal = { KONTOR_SHAPE: 'embedded', INTERNAL_SECRET: new ServiceConfig('bench', env).internalSecret };
    bare = await startOneInsertService({
      adminUrl,
      bus: new EmbeddedBus(),
      system,
      sign,
      env: { ...env, ...internal },
    });
    const frame = () => call(`${bare.url}/bench-rows/signed`, apiKey, { refreshToken: 'x'.repeat(43) });
    const tokens = await tokenEndpoint(made, { baseUrl, credentials, accountId: customer.id, sign, frame });
    return [
      {
        name: 'gateway, signed access tokens',
        measured: rates.signed,
        limit: rates.opaque,
        goal: 0.95,
        unit: 'requests/s',
      },
      {
        name: 'token endpoint, beside signing alone',
        measured: tokens.endpoint,
        limit: tokens.signing,
        goal: 0.5,
        unit: 'pairs/s',
      },
      {
        name: 'token endpoint, beside one INSERT and signing',
        measured: tokens.endpoint,
        limit: tokens.frame,
        goal: 0.5,
        unit: 'pairs/s',
      },
      {
        name: 'one INSERT and signing, beside signing alone',
        measured: tokens.frame,
        limit: tokens.signing,
        goal: 0.5,
        unit: 'pairs/s',
      },
    ];
  } finally {
    await bare?.stop();
    await system.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
