import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverBinaries } from './binaries.js';
import { clusterFolder } from './cluster-folder.js';
import { clearStalePidFile, isAlive, readPostmasterPid } from './postmaster.js';
import { answers, executable, freePort, PostgresStartError, run, signal, spawnOptions } from './server-process.js';
import { type ServerUser, serverUser } from './server-user.js';
import { FAST, SETTINGS } from './settings.js';

const ADMIN = 'kontor_admin';
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;

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

const adminUrl = (port: number, password: string): string => `postgres://${ADMIN}:${password}@127.0.0.1:${port}/postgres`;
const statSize = (file: string): number => (existsSync(file) ? statSync(file).size : 0);

function adminPassword(dataDir: string): string {
  const file = join(dataDir, 'postgres.password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}
