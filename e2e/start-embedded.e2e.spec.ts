import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Api } from './support/api.js';
import { clusterOf, postgresServer } from './support/postgres-server.js';
import { BegunTool, runTool } from './support/run-tool.js';
import { eventually, freePort } from '@kontor/testing';

const root = join(import.meta.dirname, '..');
const folders: string[] = [];
const folder = (): string => {
  folders.push(mkdtempSync(join(tmpdir(), 'kontor-start-')));
  return folders.at(-1)!;
};
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** What `npm start` runs. */
const START_ARGUMENTS = (
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
).scripts.start
  .split(' ')
  .slice(1);

/** `npm start` as a process: what it prints, when it is ready, how it ends. */
class Start {
  stdout = '';
  stderr = '';
  readonly child;
  readonly ended: Promise<Ended>;

  constructor(
    readonly dataDir: string,
    readonly port: number,
    env: NodeJS.ProcessEnv = {},
  ) {
    this.child = spawn(process.execPath, START_ARGUMENTS, {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: '', DATA_DIR: dataDir, PORT: String(port), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout.on('data', (chunk) => (this.stdout += chunk));
    this.child.stderr.on('data', (chunk) => (this.stderr += chunk));
    this.ended = new Promise((resolve) =>
      this.child.once('exit', (code) => resolve({ code, stdout: this.stdout, stderr: this.stderr })),
    );
  }

  /** Resolves when the start screen is there. */
  async ready(): Promise<void> {
    await eventually(() => {
      if (this.child.exitCode !== null) throw new Error(`ended with ${this.child.exitCode}: ${this.stderr}`);
      return this.stdout.includes('Ctrl-C stops');
    }, 'the start screen');
  }

  get connection(): {
    baseUrl: string;
    apiKey: string;
    tenantId: string;
    docsUrl: string;
    consoleUrl: null;
    startedAt: string;
    pid: number;
  } {
    return JSON.parse(readFileSync(join(this.dataDir, 'connection.json'), 'utf8'));
  }

  get api(): Api {
    return new Api(this.connection.baseUrl, this.connection.apiKey);
  }

  async end(signal: NodeJS.Signals): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }
}

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

describe('npm start', () => {
  const dataDir = folder();
  let start: Start;
  let first: Start['connection'];
  let metricsPort: number;

  beforeAll(async () => {
    metricsPort = await freePort();
    start = new Start(dataDir, await freePort(), { METRICS_PORT: String(metricsPort) });
    await start.ready();
    first = start.connection;
  });
  afterAll(async () => void (await start.end('SIGTERM')));

  it('prints one screen and writes how to reach it, for its owner alone', async () => {
    for (const part of [first.baseUrl, first.docsUrl, first.apiKey, `curl ${first.baseUrl}/customers`])
      expect(start.stdout).toContain(part);
    expect(start.stdout.split('\n').length).toBeLessThan(25);
    expect(start.stderr).toBe('');
    expect(Object.keys(first).sort()).toEqual([
      'apiKey',
      'baseUrl',
      'consoleUrl',
      'docsUrl',
      'pid',
      'startedAt',
      'tenantId',
    ]);
    expect(first).toMatchObject({ consoleUrl: null, pid: start.child.pid, baseUrl: `http://127.0.0.1:${start.port}` });
    expect(statSync(join(dataDir, 'connection.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'secrets.key')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'postgres.log')).mode & 0o777).toBe(0o600);
  });

  it('answers at once: health, documentation, a first request', async () => {
    const health = await start.api.get('/health');
    expect(health.status).toBe(200);
    expect(Object.values(health.body.services)).toEqual(Array(8).fill('ready'));
    expect((await fetch(first.docsUrl)).status).toBe(200);
    expect((await start.api.get('/openapi.json')).body.openapi).toMatch(/^3\.1/);
    expect((await start.api.get('/asyncapi.json')).status).toBe(200);
    expect((await start.api.get('/tenant')).body).toMatchObject({
      id: first.tenantId,
      mode: 'sandbox',
      plan: 'enterprise',
    });
    expect(
      (
        await start.api.post('/customers', {
          email: 'rechnung@backhaus-elbe.example',
          companyName: 'Backhaus Elbe GmbH',
        })
      ).status,
    ).toBe(201);
  });

  it('shows the metrics of the gateway and of all services at METRICS_PORT, each name once', async () => {
    await fetch(first.docsUrl);
    const text = await eventually(async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/`)).text();
      return /http_request_duration_seconds_count\{.*service="api-gateway".*\} \d+/.test(metrics) && metrics;
    }, 'the request is counted');
    const services = [...text.matchAll(/^event_relay_stalled_seconds\{service="(.*)"\} 0$/gm)].map(
      ([, service]) => service,
    );
    expect(services).toHaveLength(8);
    // Nobody has checked yet: 0 would say that all holds.
    expect(text).toContain('# TYPE invariant_violations gauge');
    expect(text).not.toMatch(/^invariant_violations\{/m);
    expect(text).toContain('process_resident_memory_bytes');
    const named = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(named).toEqual([...new Set(named)]);
  });

  it('takes at most 400 MB for all services', () => {
    expect(residentMb(first.pid)).toBeLessThan(400);
  });

  it('refuses a port in use with one line', async () => {
    const ended = await new Start(folder(), start.port).ended;
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr.trim().split('\n')).toEqual([expect.stringMatching(/Port \d+ is in use.*PORT/)]);
  });

  it('refuses a data folder in use with one line', async () => {
    const ended = await new Start(dataDir, await freePort()).ended;
    expect(ended.code).toBe(1);
    expect(ended.stderr.trim().split('\n')).toEqual([expect.stringMatching(/in use by process.*DATA_DIR/)]);
    expect(start.connection).toEqual(first);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s stops it cleanly, and the next start has the same tenant, key and data',
    async (signal) => {
      const listed = (await start.api.get('/customers')).body.meta.pagination.totalItems;
      const ended = await start.end(signal);
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(() => start.connection).toThrow();
      expect(postgresServer(dataDir)).toBeNull();
      start = new Start(dataDir, await freePort());
      await start.ready();
      expect(start.connection).toMatchObject({ tenantId: first.tenantId, apiKey: first.apiKey });
      expect((await start.api.get('/customers')).body.meta.pagination.totalItems).toBe(listed);
    },
  );

  it('recovers after kill -9, whatever was going on', async () => {
    for (let round = 0; round < 2; round++) {
      const created: string[] = [];
      const writing = (async () => {
        for (let n = 0; ; n++) {
          const answer = await start.api
            .post('/customers', { email: `kill-${round}-${n}@example.com`, companyName: 'Kill GmbH' })
            .catch(() => null);
          if (answer?.status !== 201) return;
          created.push(answer.body.id);
        }
      })();
      await eventually(() => created.length >= 20, 'some customers');
      await start.end('SIGKILL');
      await writing;
      start = new Start(dataDir, await freePort());
      await start.ready();
      expect(start.connection.apiKey).toBe(first.apiKey);
      expect(created.length).toBeGreaterThan(0);
      for (const id of created) expect((await start.api.get(`/customers/${id}`)).status).toBe(200);
    }
  });

  it('recovers after kill -9 of itself and of PostgreSQL', async () => {
    const customer = (await start.api.post('/customers', { email: 'power@example.com', companyName: 'Power GmbH' }))
      .body;
    const { pid } = postgresServer(dataDir)!;
    await start.end('SIGKILL');
    process.kill(pid, 'SIGKILL');
    start = new Start(dataDir, await freePort());
    await start.ready();
    expect((await start.api.get(`/customers/${customer.id}`)).status).toBe(200);
  });

  it('PostgreSQL dies: requests fail with 503 for a moment, it is restarted, and nothing was lost', async () => {
    const customer = (await start.api.post('/customers', { email: 'dies@example.com', companyName: 'Dies GmbH' })).body;
    const { pid, port } = postgresServer(dataDir)!;
    process.kill(pid, 'SIGKILL');
    const statuses = new Set<number>();
    for (let back = false; !back;) {
      const { status, headers, body } = await start.api.get(`/customers/${customer.id}`);
      statuses.add(status);
      if (status === 503) {
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
        expect(body.reason).not.toBe('internal_error');
      }
      back = status === 200 && (postgresServer(dataDir)?.pid ?? pid) !== pid;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect([...statuses].every((status) => status === 200 || status === 503)).toBe(true);
    expect(postgresServer(dataDir)!.port).toBe(port);
    expect(start.stderr).toContain('PostgreSQL ended unexpectedly; restart 1 of 3');
    expect((await start.api.post('/customers', { email: 'dies2@example.com', companyName: 'Dies GmbH' })).status).toBe(
      201,
    );
  }, 120_000);

  it('PostgreSQL dies again and again: after the third restart within a minute the process ends with one line', async () => {
    const again = new Start(folder(), await freePort());
    await again.ready();
    let killed = 0;
    while (again.child.exitCode === null) {
      const server = postgresServer(again.dataDir);
      if (server && server.pid !== killed) {
        killed = server.pid;
        process.kill(killed, 'SIGKILL');
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { code, stderr } = await again.ended;
    expect(code).toBe(1);
    expect(stderr.trim().split('\n').at(-1)).toMatch(/^PostgreSQL ended too often within a minute, see .*postgres.log/);
    expect(() => process.kill(killed, 0)).toThrow();
  }, 180_000);

  describe('a data folder that was tampered with: one line, nothing erased', () => {
    const replaced = (path: string, content: string | null) => {
      const before = readFileSync(path, 'utf8');
      if (content === null) rmSync(path);
      else writeFileSync(path, content);
      return () => writeFileSync(path, before);
    };

    it.each([
      ['PG_VERSION is missing', () => replaced(join(clusterOf(dataDir), 'PG_VERSION'), null), /damaged database/],
      ['another secrets.key', () => replaced(join(dataDir, 'secrets.key'), '22'.repeat(32)), /secrets key.*restore it/],
      [
        'a tenant.json of another system',
        () => replaced(join(dataDir, 'tenant.json'), '{"tenantId": "elsewhere", "apiKey": "api_elsewhere"}'),
        /tenant\.json names a tenant or key.*restore/,
      ],
      ['a damaged tenant.json', () => replaced(join(dataDir, 'tenant.json'), '{'), /tenant\.json is damaged/],
      ['an empty secrets.key', () => replaced(join(dataDir, 'secrets.key'), ''), /secrets\.key is empty: restore it/],
      [
        'an empty postgres.password',
        () => replaced(join(dataDir, 'postgres.password'), ''),
        /postgres\.password is empty: restore it/,
      ],
      ['another password', () => replaced(join(dataDir, 'postgres.password'), 'other'), /postgres\.password.*restore/],
    ])('%s', async (_case, tamper, line) => {
      if (start.child.exitCode === null) await start.end('SIGTERM');
      const restore = tamper();
      const refused = await new Start(dataDir, await freePort()).ended;
      restore();
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr.trim().split('\n')).toEqual([expect.stringMatching(line)]);
      expect(postgresServer(dataDir)).toBeNull();
    });

    it.each([
      [
        'a system that stands still, by whatever path',
        () => relative(root, dataDir),
        0,
        /^1 tenants checked, 0 violations$/,
      ],
      ['a folder without a database', () => join(dataDir, 'logs'), 1, /^There is no system in /],
    ])('check:invariants of %s', async (_case, path, code, line) => {
      mkdirSync(join(dataDir, 'logs'), { recursive: true });
      writeFileSync(join(dataDir, 'logs', 'secrets.key'), '22'.repeat(32));
      if (start.child.exitCode === null) await start.end('SIGTERM');
      const check = await runTool('check-invariants.mjs', path());
      const lines = check.output.trim().split('\n');
      expect([check.code, lines.at(-1)]).toEqual([code, expect.stringMatching(line)]);
      expect(postgresServer(dataDir)).toBeNull();
      expect(readdirSync(join(dataDir, 'logs'))).toEqual(['secrets.key']);
    });

    it.each(['check-invariants.mjs', 'parked.mjs'])(
      '%s leaves the database to a system that starts meanwhile',
      async (tool) => {
        if (start.child.exitCode === null) await start.end('SIGTERM');
        const run = new BegunTool(tool, dataDir);
        await eventually(() => postgresServer(dataDir) !== null, 'its database');
        run.child.kill('SIGSTOP');
        const found = postgresServer(dataDir);
        start = new Start(dataDir, await freePort());
        await start.ready();
        expect(postgresServer(dataDir)).toEqual(found);
        run.child.kill('SIGCONT');
        expect(await run.ended).toMatchObject({ code: 0 });
        expect(postgresServer(dataDir)).toEqual(found);
        expect((await start.api.get('/customers')).status).toBe(200);
        await start.end('SIGTERM');
        expect(postgresServer(dataDir)).toBeNull();
      },
    );

    it('parked.mjs leaves no database behind when it is ended while that one starts', async () => {
      if (start.child.exitCode === null) await start.end('SIGTERM');
      const run = new BegunTool('parked.mjs', dataDir);
      await eventually(() => postgresServer(dataDir) !== null, 'its database');
      run.child.kill('SIGTERM');
      expect(await run.ended).toMatchObject({ code: 143 });
      expect(postgresServer(dataDir)).toBeNull();
    });

    it('restored, it has the same tenant and key', async () => {
      start = new Start(dataDir, await freePort());
      await start.ready();
      expect(start.connection).toMatchObject({ tenantId: first.tenantId, apiKey: first.apiKey });
    });
  });

  it('refuses a database from a newer version with one line', async () => {
    const { port } = postgresServer(dataDir)!;
    const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim();
    const client = new pg.Client({
      connectionString: `postgres://kontor_admin:${password}@127.0.0.1:${port}/kontor_billing`,
    });
    await client.connect();
    await client.query(`INSERT INTO schema_migration (name) VALUES ('9999_from_the_future')`);
    await client.end();
    await start.end('SIGTERM');
    const refused = await new Start(dataDir, await freePort()).ended;
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr.trim().split('\n')).toEqual([expect.stringMatching(/newer version/)]);
    expect(postgresServer(dataDir)).toBeNull();
  });
});

/** Read by a service of its own, which has its database then; what concerns all of it is refused before any is made. */
const OF_A_SERVICE = 'AUTH_URL';

describe('a start that cannot be', () => {
  it('an unwritable folder: one line', async () => {
    const parent = folder();
    // Root may write nearly anywhere; a file in the way and /proc are refused to everybody.
    writeFileSync(join(parent, 'file'), '');
    for (const dataDir of [
      join(parent, 'file'),
      join(parent, 'file', 'below'),
      ...(existsSync('/proc/self') ? ['/proc/nothing/here'] : []),
    ]) {
      const ended = await new Start(dataDir, await freePort()).ended;
      expect(ended).toMatchObject({ code: 1, stdout: '' });
      expect(ended.stderr.trim().split('\n')).toEqual([expect.stringMatching(/cannot be written to.*DATA_DIR/)]);
    }
  });

  it.each([
    ['PORT', 'http'],
    ['SECRETS_KEY', 'short'],
    ['RATE_LIMIT_LIVE', 'many'],
    ['SMTP_URL', 'mail.example.com'],
    ['LOG_LEVEL', 'loud'],
    ['TRUST_PROXY', 'maybe'],
    ['PUBLIC_URL', 'https://kontor.example/?from=mail'],
    ['AUTH_URL', 'auth.kontor.example'],
    ['METRICS_PORT', 'http'],
    ['MAIL_FROM', 'Kontor <billing@kontor.example>'],
  ])('%s=%s: one line that names it', async (name, value) => {
    const dataDir = folder();
    const ended = await new Start(dataDir, await freePort(), { [name]: value }).ended;
    expect(ended.code).toBe(1);
    expect(ended.stderr.trim().split('\n')).toEqual([expect.stringContaining(name)]);
    expect(postgresServer(dataDir)).toBeNull();
    if (name !== OF_A_SERVICE) expect(existsSync(clusterOf(dataDir))).toBe(false);
  });

  it('an older Node: one line that says what to do', async () => {
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(older)}`;
    const ended = await new Start(folder(), await freePort(), { NODE_OPTIONS }).ended;
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr.trim().split('\n')).toEqual([expect.stringMatching(/^Node 24 .*20\.19\.0.*npm start/)]);
  });

  it('Ctrl-C while it starts leaves nothing behind', async () => {
    const dataDir = folder();
    const start = new Start(dataDir, await freePort());
    await eventually(() => postgresServer(dataDir), 'PostgreSQL');
    const ended = await start.end('SIGINT');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(postgresServer(dataDir)).toBeNull();
  });

  it('a folder that only its owner may enter works', async () => {
    const parent = folder();
    const dataDir = join(parent, 'data');
    mkdirSync(dataDir);
    chmodSync(parent, 0o700);
    const start = new Start(dataDir, await freePort());
    await start.ready();
    expect((await start.api.get('/tenant')).status).toBe(200);
    expect((await start.end('SIGTERM')).code).toBe(0);
  });
});
