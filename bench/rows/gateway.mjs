// A request with 1,000 usage events through the gateway (token, limits, proxy) beside the same request to the service itself.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSystem } from '@kontor/embedded';
import { INTERNAL_TOKEN_HEADER } from '@kontor/service-kit';
import { freePort } from '../../tools/free-port.mjs';
import { interleaved, rateOf } from '../report.mjs';

const REQUESTS = 20;
const EVENTS = 1000;

async function post(url, headers, body) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await answer.text();
  if (answer.status >= 300) throw new Error(`${url}: ${answer.status} ${text.slice(0, 200)}`);
  return JSON.parse(text);
}

export async function run() {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-bench-'));
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    RATE_LIMIT_SANDBOX_USAGE: '10000000',
  };
  const system = await startSystem(env);
  try {
    const { baseUrl, apiKey, tenantId } = system.connection;
    const bearer = { authorization: `Bearer ${apiKey}` };
    const customer = await post(
      `${baseUrl}/customers`,
      bearer,
      JSON.stringify({ email: 'bench@backhaus-elbe.example', companyName: 'Backhaus Elbe GmbH' }),
    );
    const usage = system.services.find((service) => service.name === 'usage');
    const principal = {
      tenantId,
      kind: 'api_key',
      subjectId: 'bench',
      permissions: ['*'],
      scopes: [],
      mode: 'sandbox',
    };
    let batch = 0;
    const bodyOf = () => {
      batch += 1;
      const timestamp = new Date().toISOString();
      const event = (_, n) => ({
        transactionId: `${batch}-${n}`,
        eventName: 'api_call',
        timestamp,
        customerId: customer.id,
        properties: { status: 200, bytes: n },
      });
      return JSON.stringify({ events: Array.from({ length: EVENTS }, event) });
    };
    const send = async (url, headers) => {
      const bodies = Array.from({ length: REQUESTS }, bodyOf);
      return rateOf(REQUESTS * EVENTS, async () => {
        for (let i = 0; i < bodies.length; i += 4)
          await Promise.all(bodies.slice(i, i + 4).map((body) => post(`${url}/api/usage-events`, headers, body)));
      });
    };
    const direct = { [INTERNAL_TOKEN_HEADER]: usage.kit.tokens.sign(principal) };
    await send(baseUrl, bearer);
    const rates = await interleaved({ gateway: () => send(baseUrl, bearer), service: () => send(usage.url, direct) });
    return [
      {
        name: 'gateway hop, 1,000 events a request',
        measured: rates.gateway,
        limit: rates.service,
        goal: 0.75,
        unit: 'events/s',
      },
    ];
  } finally {
    await system.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
