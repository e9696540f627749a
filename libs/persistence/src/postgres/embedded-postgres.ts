import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  fchmodSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { invariant } from '@kontor/kernel';
import { serverBinaries } from './binaries.js';
import { clusterFolder } from './cluster-folder.js';
import { clearStalePidFile, isAlive, readPostmasterPid } from './postmaster.js';
import { answers, executable, freePort, PostgresStartError, run, signal, spawnOptions } from './server-process.js';
import { type ServerUser, serverUser } from './server-user.js';
import { superviseServer, type Supervision } from './supervise-server.js';
import { FAST, SETTINGS } from './settings.js';
import { emptyFile, madeOnce } from './write-whole.js';

const ADMIN = 'kontor_admin';
/** Ends the name of a cluster that is being made. */
const PARTIAL = '.partial';
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
  private endSupervision: (() => Promise<void>) | undefined;
  private launchAgain: (() => Promise<number>) | undefined;
  private markUnderWay!: () => void;
  /** Resolves when a process of it runs: then it becomes ready while this process is busy with other things. */
  readonly underWay = new Promise<void>((resolve) => (this.markUnderWay = resolve));

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
    const binaries = await serverBinaries(user);
    let port = await this.leftBehind(cluster, password);
    if (port === null) {
      if (!isCluster(cluster)) await this.initialize(binaries, cluster, password, user);
      port = await this.launch(binaries, cluster, dataDir, user, password);
      await answers(adminUrl(port, password)).catch(async (error: unknown) => {
        await this.stop();
        throw error;
      });
    }
    this.launchAgain = () => this.launch(binaries, cluster, dataDir, user, password, port);
    return { adminUrl: adminUrl(port, password) };
  }

  /** From now on a server that has started is restarted when it ends by itself. */
  supervise(supervision: Supervision): void {
    const { cluster, launchAgain: restart } = this;
    invariant(cluster !== undefined && restart !== undefined, 'only a server that was started is supervised');
    const isRunning = (): boolean => readPostmasterPid(cluster) !== null;
    this.endSupervision = superviseServer({ isRunning, restart, ...supervision });
  }

  /** Where its files are; null before the start. */
  get folder(): string | null {
    return this.cluster ?? null;
  }

  /** The server that this process started; undefined when it has ended, or was taken over. */
  get pid(): number | undefined {
    return this.ownPid();
  }

  /** Ends all sessions and the server. Nothing that was committed is lost, also when this is never called. */
  async stop(): Promise<void> {
    await this.endSupervision?.();
    // Also a server whose folder was removed under it.
    const pid = this.ownPid() ?? (this.cluster === undefined ? undefined : readPostmasterPid(this.cluster)?.pid);
    if (pid === undefined) return;
    signal(pid, 'SIGINT');
    const deadline = performance.now() + STOP_TIMEOUT_MS;
    while (this.isRunning(pid)) {
      if (performance.now() > deadline) {
        signal(pid, 'SIGQUIT');
        break;
      }
      await sleep(20);
    }
    this.child = undefined;
  }

  /** The server that this process started, while it lives. */
  private ownPid(): number | undefined {
    const { pid, exitCode, signalCode } = this.child ?? {};
    return exitCode === null && signalCode === null ? pid : undefined;
  }

  private isRunning(pid: number): boolean {
    if (this.child) return this.ownPid() === pid;
    return this.cluster !== undefined && readPostmasterPid(this.cluster) !== null && isAlive(pid);
  }

  /** A server whose parent was killed goes on: its port once it answers; null when there is none, or it ended meanwhile. */
  private async leftBehind(cluster: string, password: string): Promise<number | null> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 500)) {
      const server = readPostmasterPid(cluster);
      if (!server) return null;
      const url = adminUrl(server.port, password);
      if (server.status === 'ready' && (await answers(url))) return server.port;
      if (performance.now() > deadline)
        throw new PostgresStartError(
          `PostgreSQL (process ${server.pid}) neither becomes ready nor stops: end it and start again.`,
        );
      await sleep(pauseMs);
    }
  }

  private async initialize(
    binaries: string,
    cluster: string,
    password: string,
    user: ServerUser | null,
  ): Promise<void> {
    // Made beside its place and moved there when complete, so that an interrupted first start leaves no half cluster. Where that
    // one was killed its initdb goes on, and empties its folder when it fails: each has a folder of its own.
    removePartial(cluster);
    const partial = `${cluster}${PARTIAL}${randomBytes(4).toString('hex')}`;
    mkdirSync(partial, { recursive: true, mode: 0o700 });
    const passwordFile = `${partial}.password`;
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    if (user) for (const path of [partial, passwordFile]) chownSync(path, user.uid, user.gid);
    const args = [
      '-D',
      partial,
      '-U',
      ADMIN,
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
    ];
    args.push(
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(this.options.durable === false ? ['--no-sync'] : []),
    );
    try {
      const made = run(join(binaries, 'bin', executable('initdb')), args, user);
      this.markUnderWay();
      await made;
    } finally {
      rmSync(passwordFile, { force: true });
    }
    renameSync(partial, cluster);
    removePartial(cluster);
  }

  private async launch(
    binaries: string,
    cluster: string,
    dataDir: string,
    user: ServerUser | null,
    password: string,
    /** The port that its clients know; else a free one. */
    knownPort?: number,
  ): Promise<number> {
    const logFile = join(dataDir, 'postgres.log');
    const settings = { ...SETTINGS, ...(this.options.durable === false ? FAST : {}) };
    const deadline = performance.now() + START_TIMEOUT_MS;
    for (let attempt = 1; ; attempt++) {
      await clearStalePidFile(cluster, 10_000);
      const port = knownPort ?? (await freePort());
      const log = openSync(logFile, statSize(logFile) > 20_000_000 ? 'w' : 'a', 0o600);
      // Errors say which values they are about. It may be of a time when others could read it.
      fchmodSync(log, 0o600);
      const args = [
        '-D',
        cluster,
        '-p',
        String(port),
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ];
      const child = spawn(join(binaries, 'bin', executable('postgres')), args, {
        ...spawnOptions(user, cluster),
        detached: true,
        stdio: ['ignore', log, log],
      });
      closeSync(log);
      this.child = child;
      this.markUnderWay();
      let ended = false;
      child.once('exit', () => (ended = true));
      child.once('error', () => (ended = true));
      child.unref();
      for (;;) {
        const server = readPostmasterPid(cluster);
        if (server?.pid === child.pid && server?.status === 'ready') return port;
        // Looked at before the time, which passes as well while this process stands still.
        if (ended || performance.now() > deadline) break;
        await sleep(5);
      }
      // A start that was killed had just begun one, which wrote its file after we had looked for it.
      const left = ended ? await this.leftBehind(cluster, password) : null;
      if (left !== null && left === (knownPort ?? left)) {
        this.child = undefined;
        return left;
      }
      // Most likely the port was taken between asking and binding.
      if (attempt === 5 || performance.now() > deadline)
        throw new PostgresStartError(`PostgreSQL does not start: see ${logFile}.`);
      await sleep(100 * attempt);
    }
  }
}

/**
 * Whether a folder holds a cluster; false for one that is absent or empty.
 * @throws PostgresStartError when it holds anything else, which an initialization would erase.
 */
function isCluster(folder: string): boolean {
  if (existsSync(join(folder, 'PG_VERSION'))) return true;
  if (!existsSync(folder) || readdirSync(folder).length === 0) return false;
  throw new PostgresStartError(
    `${folder} holds files but no PG_VERSION, so it is a damaged database: restore it from a backup, or move the folder away.`,
  );
}

/** What interrupted first starts left; that to which one of them still writes goes another time. */
function removePartial(cluster: string): void {
  const [folder, start] = [dirname(cluster), `${basename(cluster)}${PARTIAL}`];
  for (const name of readdirSync(folder).filter((name) => name.startsWith(start))) {
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    }
  }
}

const adminUrl = (port: number, password: string): string =>
  `postgres://${ADMIN}:${password}@127.0.0.1:${port}/postgres`;
const statSize = (file: string): number => (existsSync(file) ? statSync(file).size : 0);

function adminPassword(dataDir: string): string {
  const file = join(dataDir, 'postgres.password');
  const password = madeOnce(file, () => randomBytes(24).toString('hex'));
  if (password === undefined) throw new PostgresStartError(emptyFile(file));
  return password;
}
