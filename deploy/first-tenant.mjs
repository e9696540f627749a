// Runs once beside the services: waits until everything answers, makes the first tenant, and keeps how to reach it in
// DATA_DIR/connection.json, from where `docker compose logs first-tenant` and `docker compose cp` get it. Further starts
// find the file and leave the tenant alone.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { INTERNAL_TOKEN_HEADER, InternalTokens, ServiceConfig } from '@kontor/service-kit';

const { env } = process;
const file = join(env.DATA_DIR ?? '/data', 'connection.json');
const known = () => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
};

for (const deadline = Date.now() + 300_000; ; await sleep(500)) {
  if (
    await fetch(`${env.API_GATEWAY_URL}/health`).then(
      (answer) => answer.ok,
      () => false,
    )
  )
    break;
  if (Date.now() > deadline) {
    console.error('The services do not become ready: see "docker compose ps" and their logs.');
    process.exit(1);
  }
}

let connection = known();
if (!connection) {
  const { internalSecret, publicUrl } = new ServiceConfig('first-tenant', env);
  const token = new InternalTokens(internalSecret).sign({
    tenantId: '',
    kind: 'service',
    subjectId: 'first-tenant',
    permissions: [],
    scopes: [],
  });
  const answer = await fetch(`${env.IDENTITY_URL}/internal/first-tenant`, {
    method: 'POST',
    headers: { [INTERNAL_TOKEN_HEADER]: token },
  });
  if (!answer.ok) throw new Error(`the first tenant could not be made: ${await answer.text()}`);
  const tenant = await answer.json();
  connection = {
    baseUrl: publicUrl,
    ...tenant,
    docsUrl: `${publicUrl}/docs`,
    consoleUrl: null,
    startedAt: new Date().toISOString(),
    pid: 1,
  };
  writeFileSync(`${file}.partial`, `${JSON.stringify(connection, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.partial`, file);
}
console.log(
  `Kontor is ready.\n\n  API            ${connection.baseUrl}\n  Documentation  ${connection.docsUrl}\n  API key        ${connection.apiKey}\n`,
);
