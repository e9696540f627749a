import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { serverBinaries } from './binaries.js';
import { clusterFolder } from './cluster-folder.js';
import { clearStalePidFile, isAlive, readPostmasterPid } from './postmaster.js';
import { type ServerUser, serverUser } from './server-user.js';

const ADMIN = 'kontor_admin';
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;

/** Tuned for one small machine that runs all services. Durable: a commit that was answered is on disk. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  synchronous_commit: 'on',
  wal_level: 'minimal',
  max_wal_senders: '0',
  wal_compression: 'on',
  min_wal_size: '128MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  io_method: 'sync',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  autovacuum_naptime: '30s',
};

/** For tests: nothing has to survive the machine. Killing processes loses nothing either way. */
const FAST: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
};

/** The server cannot be started. The message is one line that says what to do. */
export class PostgresStartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PostgresStartError';
  }
}

export interface EmbeddedPostgresOptions {
  /** False only in tests: commits survive a killed process, not a power cut. */
  readonly durable?: boolean;
}

/** A real PostgreSQL from an npm package, as a child in a process group of its own so that Ctrl-C reaches only us. */
export class EmbeddedPostgres {
  private child: ChildProcess | undefined;
  private cluster: string | undefined;

  constructor(private readonly options: EmbeddedPostgresOptions = {}) {}

  /**
   * Starts the server of a data folder, making the cluster at first; a server that outlived its parent is taken over.
   * @throws PostgresStartError with one line that says what to do.
   */
  async start(dataDir: string): Promise<{ adminUrl: string }> {
    const user = serverUser();
    mkdirSync(dataDir, { recursive: true });
    const cluster = clusterFolder(dataDir, user);
    this.cluster = cluster;
    const password = adminPassword(dataDir);
    const left = await this.leftBehind(cluster, password);
    if (left) return { adminUrl: left };
    const binaries = await serverBinaries(user);
    if (!existsSync(join(cluster, 'PG_VERSION'))) await this.initialize(binaries, cluster, password, user);
    const port = await this.launch(binaries, cluster, dataDir, user);
    return { adminUrl: adminUrl(port, password) };
  }

  /** Ends all sessions and the server. Nothing that was committed is lost, also when this is never called. */
  async stop(): Promise<void> {
    const server = this.cluster === undefined ? null : readPostmasterPid(this.cluster);
    if (!server) return;
    signal(server.pid, 'SIGINT');
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    while (this.isRunning(server.pid)) {
      if (Date.now() > deadline) {
        signal(server.pid, 'SIGQUIT');
        break;
      }
      await sleep(20);
    }
    this.child = undefined;
  }

  private isRunning(pid: number): boolean {
    if (this.child && (this.child.exitCode !== null || this.child.signalCode !== null)) return false;
    return this.cluster !== undefined && readPostmasterPid(this.cluster) !== null && isAlive(pid);
  }

  /** A server whose parent was killed goes on: its address once it answers; null when there is none, or it ended meanwhile. */
  private async leftBehind(cluster: string, password: string): Promise<string | null> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 500)) {
      const server = readPostmasterPid(cluster);
      if (!server) return null;
      const url = adminUrl(server.port, password);
      if (server.status === 'ready' && (await answers(url))) return url;
      if (Date.now() > deadline)
        throw new PostgresStartError(`PostgreSQL (process ${server.pid}) neither becomes ready nor stops: end it and start again.`);
      await sleep(pauseMs);
    }
  }

  private async initialize(binaries: string, cluster: string, password: string, user: ServerUser | null): Promise<void> {
    // Made beside its place and moved there when complete, so that an interrupted first start leaves no half cluster.
    const partial = `${cluster}.partial`;
    rmSync(partial, { recursive: true, force: true });
    rmSync(cluster, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true, mode: 0o700 });
    const passwordFile = `${partial}.password`;
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    if (user) for (const path of [partial, passwordFile]) chownSync(path, user.uid, user.gid);
    const args = ['-D', partial, '-U', ADMIN, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8', '--locale=C'];
    args.push(
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(this.options.durable === false ? ['--no-sync'] : []),
    );
    try {
      await run(join(binaries, 'bin', executable('initdb')), args, user);
    } finally {
      rmSync(passwordFile, { force: true });
    }
    renameSync(partial, cluster);
  }

  private async launch(binaries: string, cluster: string, dataDir: string, user: ServerUser | null): Promise<number> {
    const logFile = join(dataDir, 'postgres.log');
    const settings = { ...SETTINGS, ...(this.options.durable === false ? FAST : {}) };
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (let attempt = 1; ; attempt++) {
      await clearStalePidFile(cluster, 10_000);
      const port = await freePort();
      const log = openSync(logFile, statSize(logFile) > 20_000_000 ? 'w' : 'a');
      const args = ['-D', cluster, '-p', String(port), ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
      const child = spawn(join(binaries, 'bin', executable('postgres')), args, {
        ...spawnOptions(user, cluster),
        detached: true,
        stdio: ['ignore', log, log],
      });
      closeSync(log);
      this.child = child;
      let ended = false;
      child.once('exit', () => (ended = true));
      child.once('error', () => (ended = true));
      child.unref();
      while (!ended && Date.now() < deadline) {
        if (readPostmasterPid(cluster)?.status === 'ready') return port;
        await sleep(5);
      }
      // Most likely the port was taken between asking and binding.
      if (attempt === 5 || Date.now() > deadline) throw new PostgresStartError(`PostgreSQL does not start: see ${logFile}.`);
      await sleep(100 * attempt);
    }
  }
}

const executable = (name: string): string => (process.platform === 'win32' ? `${name}.exe` : name);
const adminUrl = (port: number, password: string): string => `postgres://${ADMIN}:${password}@127.0.0.1:${port}/postgres`;
const statSize = (file: string): number => (existsSync(file) ? statSync(file).size : 0);

/** A fixed, small environment: no LANG that is not installed, no PG* variables of the machine. */
const spawnOptions = (user: ServerUser | null, cwd: string) => ({
  cwd,
  env: {
    PATH: process.env['PATH'] ?? '',
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] } : {}),
  },
  ...(user ? { uid: user.uid, gid: user.gid } : {}),
});

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone already.
  }
}

function adminPassword(dataDir: string): string {
  const file = join(dataDir, 'postgres.password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

function run(command: string, args: string[], user: ServerUser | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...spawnOptions(user, dirname(command)), stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new PostgresStartError(`${command} failed: ${stderr.trim().replaceAll('\n', ' ')}`)),
    );
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
