// `npm run stack`: the distributed shape on this machine without containers. A process per service, a real Kafka, PostgreSQL
// and Redis. What is not given by KAFKA_BROKERS, DATABASE_ADMIN_URL or REDIS_URL is started here and stops with us.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withoutNegativeTimers } from '@kontor/messaging';
import { claimDatabase, EmbeddedPostgres, provisionDatabase } from '@kontor/persistence';
import {
  ConfigurationError,
  databasePasswords,
  EnvReader,
  INTERNAL_TOKEN_HEADER,
  InternalTokens,
  kafkaConnection,
  ServiceConfig,
  startAdvice,
  usableFolder,
} from '@kontor/service-kit';
import { ConnectionFile } from '../embedded/dist/connection-file.js';
import { secretsKey } from '../embedded/dist/data-folder.js';
import { screen } from '../embedded/dist/screen.js';
import { refuseTakenPort } from '../embedded/dist/taken-port.js';
import { whenAskedToEnd } from '../embedded/dist/when-asked-to-end.js';
import { freePort } from '../free-port.mjs';
import { kafkaMissing, startKafka } from '../kafka/start.mjs';
import { redisMissing, startRedis } from '../redis/start.mjs';
import { CannotStart, replicasOf, SERVICES } from './options.mjs';
import { Supervised } from './processes.mjs';

withoutNegativeTimers();

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** A process that ends is found sooner: this is for one that hangs, and a busy machine takes minutes for all of them. */
const READY_MS = 8 * 60_000;
const PROGRESS_MS = 30_000;
const began = performance.now();
const { env } = process;
const stops = [];
let stopping = false;

async function stopAll() {
  if (stopping) return;
  stopping = true;
  for (const stop of stops.reverse()) await stop().catch((error) => process.stderr.write(`${error.message}\n`));
}

/** What would stop every process is said once, before any server is started. */
function refuseUnusable(env) {
  const read = new EnvReader(env);
  read.databaseUrl('DATABASE_ADMIN_URL');
  read.url('REDIS_URL', ['redis', 'rediss']);
  if (read.text('KAFKA_BROKERS')) kafkaConnection(read);
  for (const name of ['KAFKA_TLS', 'KAFKA_USERNAME', 'KAFKA_PASSWORD', 'KAFKA_SASL_MECHANISM'])
    if (read.text(name) && !read.text('KAFKA_BROKERS'))
      throw new ConfigurationError(
        `${name} is set without KAFKA_BROKERS: the Kafka that is started here has none of that.`,
      );
  read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https']);
  read.integer('METRICS_PORT', 0, { min: 0, max: 65_535 });
  return new ServiceConfig('api-gateway', env);
}

async function refuseMissing() {
  const missing = [env.KAFKA_BROKERS ? null : await kafkaMissing(), env.REDIS_URL ? null : await redisMissing()].filter(
    Boolean,
  );
  if (missing.length === 0) return;
  const packages = [...new Set(missing.flatMap((line) => /install -y ([^)]*)\)/.exec(line)?.[1]?.split(' ') ?? []))];
  throw new CannotStart(
    `${missing.map((line) => line.replace(/ \(.*/, '')).join('; ')}. Install with: apt-get install -y ${packages.join(' ')}`,
  );
}

async function postgres(dataDir) {
  if (env.DATABASE_ADMIN_URL) return env.DATABASE_ADMIN_URL;
  const server = new EmbeddedPostgres();
  const { adminUrl } = await server.start(dataDir);
  stops.push(() => server.stop());
  return adminUrl;
}

async function kafka(dataDir) {
  if (env.KAFKA_BROKERS) return env.KAFKA_BROKERS;
  const broker = await startKafka({ dataDir: join(dataDir, 'kafka') }).catch((error) => {
    throw new CannotStart(error.message);
  });
  stops.push(() => broker.stop());
  return broker.brokers.join(',');
}

async function redis(dataDir) {
  if (env.REDIS_URL) return env.REDIS_URL;
  const server = await startRedis({ dataDir: join(dataDir, 'redis') });
  stops.push(() => server.stop());
  return server.url;
}

/** `{ billing: [41001, 41002], … }`; the first gateway gets PORT. */
async function portsOf(replicas, port) {
  const ports = {};
  for (const [app, count] of Object.entries(replicas)) {
    ports[app] = [];
    for (let n = 0; n < count; n++) ports[app].push(app === 'api-gateway' && n === 0 ? port : await freePort());
  }
  return ports;
}

/** 200 from every process, of which each has its URL: a balanced answer would say nothing of a second replica. */
async function ready(urls, processes) {
  const deadline = Date.now() + READY_MS;
  let nextNote = Date.now() + PROGRESS_MS;
  for (const [n, url] of urls.entries()) {
    while (
      !(await fetch(url).then(
        (answer) => answer.ok,
        () => false,
      ))
    ) {
      const hopeless = processes.find(({ failures }) => failures >= 5);
      if (hopeless) throw new CannotStart(`${hopeless.name} does not start: ${hopeless.lastLine}`);
      const { name, lastLine } = processes[n];
      if (Date.now() > deadline) throw new CannotStart(`${name} does not become ready: ${lastLine || url}`);
      if (stopping) return;
      if (Date.now() > nextNote) {
        process.stderr.write(`waiting for ${name} (${n + 1} of ${urls.length})\n`);
        nextNote += PROGRESS_MS;
      }
      await sleep(50);
    }
  }
}

async function firstTenant(file, baseUrl, identityUrl, internalSecret) {
  const known = file.tenant();
  const valid =
    known &&
    (await fetch(`${baseUrl}/tenant`, { headers: { authorization: `Bearer ${known.apiKey}` } }).then(
      (answer) => answer.status !== 401,
    ));
  if (valid) return known;
  const token = new InternalTokens(internalSecret).sign({
    tenantId: '',
    kind: 'service',
    subjectId: 'stack',
    permissions: [],
    scopes: [],
  });
  const answer = await fetch(`${identityUrl}/internal/first-tenant`, {
    method: 'POST',
    headers: { [INTERNAL_TOKEN_HEADER]: token },
  });
  if (!answer.ok) throw new Error(`the first tenant could not be made: ${await answer.text()}`);
  const tenant = await answer.json();
  file.keepTenant(tenant);
  return tenant;
}

async function start() {
  const replicas = replicasOf(process.argv.slice(2));
  const read = new EnvReader(env);
  const host = read.text('HOST', '127.0.0.1');
  const port = read.integer('PORT', 3000, { min: 1, max: 65_535 });
  await refuseMissing();
  const dataDir = usableFolder(read.text('DATA_DIR', '.data/stack'));
  const file = new ConnectionFile(dataDir);
  await file.claim();
  await refuseTakenPort(host, port);
  const logs = join(dataDir, 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  stops.push(async () => file.remove());

  const secret = secretsKey(dataDir, env);
  const { internalSecret } = refuseUnusable({ ...env, SECRETS_KEY: secret });
  const [adminUrl, brokers, redisUrl] = await Promise.all([postgres(dataDir), kafka(dataDir), redis(dataDir)]);
  const ports = await portsOf(replicas, port);
  const baseUrl = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
  const urls = Object.fromEntries(
    SERVICES.map((service) => [
      `${service.toUpperCase()}_URL`,
      ports[service].map((port) => `http://127.0.0.1:${port}`).join(','),
    ]),
  );
  const shared = {
    LOG_LEVEL: 'info',
    PUBLIC_URL: baseUrl,
    DATABASE_POOL_SIZE: '8',
    ...env,
    ...urls,
    KONTOR_SHAPE: 'distributed',
    DATA_DIR: dataDir,
    SECRETS_KEY: secret,
    KAFKA_BROKERS: brokers,
    REDIS_URL: redisUrl,
  };
  await claimDatabase(adminUrl, secret, new EnvReader(env).texts('SECRETS_KEY_PREVIOUS'));
  const databases = Object.fromEntries(
    await Promise.all(
      SERVICES.map(async (service) => [
        service,
        await provisionDatabase(adminUrl, service, databasePasswords(secret, service), { ingest: service === 'usage' }),
      ]),
    ),
  );

  const processes = [];
  stops.push(() => Promise.all(processes.map((process) => process.stop())));
  for (const [app, portsOfApp] of Object.entries(ports)) {
    portsOfApp.forEach((portOfApp, n) => {
      const name = portsOfApp.length === 1 ? app : `${app}-${n + 1}`;
      const database = databases[app];
      const urlsOfDatabase = database
        ? {
            DATABASE_URL: database.appUrl,
            DATABASE_OWNER_URL: database.ownerUrl,
            ...(database.ingestUrl ? { DATABASE_INGEST_URL: database.ingestUrl } : {}),
          }
        : {};
      processes.push(
        new Supervised({
          name,
          script: `apps/${app}/dist/main.js`,
          root,
          env: {
            ...shared,
            ...urlsOfDatabase,
            INTERNAL_SECRET: internalSecret,
            PORT: String(portOfApp),
            // Each gateway shows its own.
            ...(app === 'api-gateway' && env.METRICS_PORT
              ? { METRICS_PORT: String(Number(env.METRICS_PORT) + n) }
              : {}),
            HOST: app === 'api-gateway' ? host : '127.0.0.1',
            GATEWAY_HOST: host,
          },
          logFile: join(logs, `${name}.log`),
          onRestart: (_process, reason) =>
            process.stderr.write(`${name} ended (${reason}), it is started again; see ${join(logs, `${name}.log`)}\n`),
        }),
      );
    });
  }
  const health = Object.entries(ports).flatMap(([app, portsOfApp]) =>
    portsOfApp.map((port) => `http://127.0.0.1:${port}${app === 'api-gateway' ? '/health' : '/internal/health'}`),
  );
  await ready(health, processes);
  for (const process of processes) process.isSettled = true;
  if (stopping) return;
  const tenant = await firstTenant(file, baseUrl, `http://127.0.0.1:${ports.identity[0]}`, internalSecret);
  const connection = {
    baseUrl,
    ...tenant,
    docsUrl: `${baseUrl}/docs`,
    consoleUrl: null,
    startedAt: new Date().toISOString(),
    pid: process.pid,
  };
  file.publish(connection);
  writeFileSync(join(dataDir, 'processes.json'), `${JSON.stringify({ ports, brokers, redisUrl }, null, 2)}\n`, {
    mode: 0o600,
  });
  process.stdout.write(
    screen(connection, {
      dataDir,
      seconds: (performance.now() - began) / 1000,
      shape: `${processes.length} processes on Kafka`,
    }),
  );
}

whenAskedToEnd(() => void stopAll().then(() => process.exit(0)));
try {
  await start();
} catch (error) {
  const advice = error.constructor.name === 'CannotStart' ? error.message : startAdvice(error);
  process.stderr.write(`${advice ?? error.stack ?? error}\n`);
  await stopAll();
  process.exit(1);
}
