// A database of the usage service, processes of it, tenants with customers, events, and COPY of the same rows as the
// limit.
import { fork } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Database, EmbeddedPostgres, migrate, provisionDatabase, Replicas, rolesOf } from '@kontor/persistence';
import { INTERNAL_TOKEN_HEADER, InternalTokens, migrationsOf } from '@kontor/service-kit';
import pg from 'pg';
import { rateOf } from '../../../bench/report.mjs';
import { usageService } from '../dist/index.js';
import { CopyBuffer } from '../dist/event-store/copy-buffer.js';
import { EventIds } from '../dist/event-store/event-ids.js';
import { leafOf } from '../dist/event-store/ingest-lane.js';
import { pipelinedCopy } from '../dist/event-store/pipelined-copy.js';
import { request, send } from './load.mjs';

const SECRETS_KEY = '11'.repeat(32);
/** Rows of one COPY: more make it no faster. */
const COPY_ROWS = 10_000;
const NAMES = ['api_call', 'storage_gauge', 'seat_used'];
const REGIONS = ['eu-central-1', 'eu-west-1', 'us-east-1'];
const tokens = new InternalTokens(
  createHash('sha256').update('internal-tokens').update(Buffer.from(SECRETS_KEY, 'hex')).digest('hex'),
);
const bytesOf = (uuid) => Buffer.from(uuid.replaceAll('-', ''), 'hex');

export class UsageBench {
  #seq = 0;
  #run = randomUUID().slice(0, 8);
  #children = [];

  /** On a server of its own, or on another bench's, so that two sizes can be measured in turn. */
  static async start(beside) {
    const bench = new UsageBench();
    bench.beside = beside;
    bench.folder = mkdtempSync(join(tmpdir(), 'kontor-bench-usage-'));
    bench.server = beside?.server ?? new EmbeddedPostgres();
    bench.adminUrl = beside?.adminUrl ?? (await bench.server.start(bench.folder)).adminUrl;
    const databaseName = beside ? 'kontor_usage_beside' : 'kontor_usage';
    bench.urls = await provisionDatabase(
      bench.adminUrl,
      'usage',
      { owner: 'bench', app: 'bench' },
      { ingest: true, databaseName },
    );
    await migrate(bench.urls.ownerUrl, migrationsOf(usageService), rolesOf('usage'));
    bench.database = await Database.connect({ serviceName: 'usage', appUrl: bench.urls.appUrl, rows: [] });
    const url = new URL(bench.adminUrl);
    url.pathname = `/${databaseName}`;
    bench.admin = new pg.Client({ connectionString: url.href });
    bench.copiers = [0, 1].map(() => new pg.Client({ connectionString: bench.urls.ingestUrl }));
    for (const client of [bench.admin, ...bench.copiers]) await client.connect();
    return bench;
  }

  async stop() {
    this.end();
    for (const client of [this.admin, ...this.copiers]) await client.end();
    await this.database.close();
    if (!this.beside) await this.server.stop();
    // The cluster may lie elsewhere (as root), and ten million events are not left behind.
    const location = join(this.folder, 'postgres.location');
    if (existsSync(location)) rmSync(dirname(readFileSync(location, 'utf8').trim()), { recursive: true, force: true });
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Ends the processes of the service. */
  end() {
    for (const child of this.#children.splice(0)) child.removeAllListeners('exit').kill();
  }

  async call(url, tenant, method, path, body) {
    const answer = await fetch(url + path, {
      method,
      headers: this.headers(tenant),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    return JSON.parse(text);
  }

  /** A metric of the tenant, its rollups built. */
  async metric(url, tenant, fields) {
    const code = `${fields.eventName}-${fields.aggregationType}`;
    const { id } = await this.call(url, tenant, 'POST', '/api/usage-metrics', { code, name: code, ...fields });
    while ((await this.call(url, tenant, 'GET', `/api/usage-metrics/${id}`)).rollupStatus !== 'ready') await sleep(50);
    return id;
  }

  /** Address of a further process of the service. */
  service(mode = 'real') {
    const env = { KONTOR_SHAPE: 'embedded', LOG_LEVEL: 'silent', SECRETS_KEY, DATA_DIR: this.folder };
    const child = fork(fileURLToPath(new URL('service.mjs', import.meta.url)), [
      JSON.stringify({ databaseUrls: this.urls, env, mode }),
    ]);
    this.#children.push(child);
    return new Promise((resolve, reject) => {
      child.on('message', ({ url }) => resolve(url));
      child.on('exit', (code) => reject(new Error(`the service ended with ${code}`)));
    });
  }

  async tenant(customerCount = 200) {
    const id = randomUUID();
    const customers = Array.from({ length: customerCount }, (_, n) => ({
      id: randomUUID(),
      customerNumber: `K-${n}`,
      externalId: `crm-${n}`,
    }));
    const items = customers.map((customer) => ({ id: customer.id, version: 1, deleted: false, data: customer }));
    await this.database.tenant(id, (tx) => new Replicas().applyMany(tx, 'customer', items));
    return { id, bytes: bytesOf(id), customers, customerBytes: customers.map((customer) => bytesOf(customer.id)) };
  }

  /** As a client sends it. Events of a request come from `spread` customers. */
  event(tenant, customer) {
    const n = ++this.#seq;
    return {
      transactionId: `${this.#run}-${n.toString(36).padStart(8, '0')}`,
      eventName: NAMES[n % 3],
      timestamp: new Date(Date.now() - (n % 60_000)).toISOString(),
      customerId: tenant.customers[customer].externalId,
      properties: { status: 200, bytes: n % 100_000, region: REGIONS[n % 3] },
    };
  }

  headers(tenant) {
    const principal = {
      tenantId: tenant.id,
      kind: 'api_key',
      subjectId: 'bench',
      permissions: ['*'],
      scopes: [],
      mode: 'sandbox',
    };
    return { [INTERNAL_TOKEN_HEADER]: tokens.sign(principal), 'content-type': 'application/json' };
  }

  requests(url, tenant, count, perRequest, spread = tenant.customers.length) {
    return Array.from({ length: count }, (_, r) => {
      const events = Array.from({ length: perRequest }, (_, n) =>
        this.event(tenant, (r * spread + (n % spread)) % tenant.customers.length),
      );
      return request(url, 'POST', '/api/usage-events', this.headers(tenant), JSON.stringify({ events }));
    });
  }

  /** Events a second through the service's HTTP. */
  ingest(url, tenant, count, perRequest, connections, spread) {
    const requests = this.requests(url, tenant, count, perRequest, spread);
    return rateOf(count * perRequest, () => send(url, requests, connections));
  }

  /** Rows a second by binary COPY into the same tables, encoded beforehand, on two connections. */
  async copy(tenant, rows) {
    const at = Date.now();
    const parts = Array.from({ length: Math.ceil(rows / COPY_ROWS) }, () => this.encoded(tenant, COPY_ROWS, at));
    const statements = `COPY usage_event_key_all (digest, tenant_id) FROM STDIN (FORMAT binary);
      COPY ${leafOf(at)} (tenant_id, id,
      customer_id, occurred_at, created_at, transaction_id, event_name, properties) FROM STDIN (FORMAT binary)`;
    let next = 0;
    const lane = async (client) => {
      while (next < parts.length) await pipelinedCopy(client, statements, parts[next++]);
    };
    return rateOf(parts.length * COPY_ROWS, () => Promise.all(this.copiers.map(lane)));
  }

  encoded(tenant, rows, at) {
    const buffer = new CopyBuffer();
    const ids = new EventIds(at);
    const events = Array.from({ length: rows }, (_, n) => ({
      customer: n % tenant.customers.length,
      ...this.event(tenant, n % tenant.customers.length),
    }));
    const digest = (event) =>
      createHash('sha256').update(`${tenant.id}\n${event.transactionId}`).digest().subarray(0, 16);
    buffer.begin();
    for (const key of events.map(digest).sort(Buffer.compare)) {
      buffer.row(2, 0);
      buffer.uuid(key);
      buffer.uuid(tenant.bytes);
    }
    buffer.end();
    buffer.begin();
    events.forEach((event, n) => {
      const properties = JSON.stringify(event.properties);
      buffer.row(8, event.transactionId.length + event.eventName.length + properties.length);
      buffer.uuid(tenant.bytes);
      buffer.uuid(ids.bytesOf(n));
      buffer.uuid(tenant.customerBytes[event.customer]);
      buffer.instant(Date.parse(event.timestamp));
      buffer.instant(at);
      buffer.text(event.transactionId);
      buffer.text(event.eventName);
      buffer.jsonb(properties);
    });
    buffer.end();
    return buffer.content();
  }
}
