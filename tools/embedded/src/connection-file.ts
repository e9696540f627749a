import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, writeWhole } from '@kontor/persistence/postgres';
import { CannotStart } from './data-folder.js';
import { holdFolder, identityOf, type Release } from './hold-folder.js';

/** Whoever was killed a moment ago holds its folder until it is gone; whoever holds it just now says in a moment who it is. */
const PATIENCE_MS = 3_000;
const AGAIN_MS = 50;

/** What a program on this machine needs to use the running system. @see docs/rules/running.md#connection-file */
export interface Connection {
  readonly baseUrl: string;
  /** `*` and `operator`. */
  readonly apiKey: string;
  readonly tenantId: string;
  readonly docsUrl: string;
  /** Null while there is no console. */
  readonly consoleUrl: null;
  readonly startedAt: string;
  readonly pid: number;
}

interface KnownTenant {
  readonly tenantId: string;
  readonly apiKey: string;
}

/** Whose a data folder is. */
interface Holder {
  readonly pid: number;
  readonly folder: string;
}

/** `<DATA_DIR>/connection.json` exists exactly while everything answers; the first tenant and its key stay in `tenant.json`. */
export class ConnectionFile {
  readonly tenantPath: string;
  private readonly file: string;
  private readonly pidFile: string;
  private release: Release | null = null;

  constructor(private readonly folder: string) {
    this.file = join(folder, 'connection.json');
    this.tenantPath = join(folder, 'tenant.json');
    this.pidFile = join(folder, 'kontor.pid');
  }

  /**
   * Takes the folder: of several starts in one moment, one has it.
   * @throws CannotStart when a living process uses this data folder.
   */
  async claim(patienceMs = PATIENCE_MS): Promise<void> {
    for (const end = performance.now() + patienceMs; this.release === null;) {
      const isLate = performance.now() > end;
      if (!this.isUsed(isLate)) this.release = await holdFolder(this.folder);
      if (this.release !== null) break;
      if (isLate) throw this.inUse('by another process');
      await sleep(AGAIN_MS);
    }
    try {
      this.isUsed(true);
    } catch (error) {
      this.releaseFolder();
      throw error;
    }
    write(this.pidFile, { pid: process.pid, folder: identityOf(this.folder) } satisfies Holder);
    rmSync(this.file, { force: true });
  }

  /**
   * Whether a living process has it that does not answer: it starts, or stops in a moment.
   * @throws CannotStart when it answers, or it is late
   */
  private isUsed(isLate: boolean): boolean {
    const pid = this.holder();
    if (pid === undefined || pid === process.pid || !isOneOfUs(pid)) return false;
    const answers = readJson<Connection>(this.file)?.baseUrl;
    if (answers || isLate) throw this.inUse(`by process ${pid}${answers ? `, which answers at ${answers}` : ''}`);
    return true;
  }

  /** Undefined where nobody wrote one, or it came with a copy of another folder, which that process has. */
  private holder(): number | undefined {
    const written = readJson<Holder | number>(this.pidFile);
    // Earlier versions wrote the process alone.
    if (typeof written === 'number') return written;
    return written?.folder === identityOf(this.folder) ? written.pid : undefined;
  }

  private readonly inUse = (by: string): CannotStart =>
    new CannotStart(`${this.folder} is in use ${by}: stop it, or set DATA_DIR.`);

  private releaseFolder(): void {
    this.release?.();
    this.release = null;
  }

  /**
   * The tenant of an earlier start; undefined before the first.
   * @throws CannotStart when the file is there but cannot be read as one.
   */
  tenant(): KnownTenant | undefined {
    if (!existsSync(this.tenantPath)) return undefined;
    const known = readJson<Partial<KnownTenant>>(this.tenantPath);
    if (typeof known?.tenantId === 'string' && typeof known.apiKey === 'string') return known as KnownTenant;
    throw new CannotStart(`${this.tenantPath} is damaged: restore it, or remove it to get a new tenant.`);
  }

  keepTenant(tenant: KnownTenant): void {
    write(this.tenantPath, tenant);
  }

  publish(connection: Connection): void {
    write(this.file, connection);
  }

  /** It does not answer any more; the folder stays its own. */
  withdraw(): void {
    if (this.release !== null) rmSync(this.file, { force: true });
  }

  /** Last of all: whoever has the folder next finds its database stopped, or takes it over. */
  remove(): void {
    if (this.release === null) return;
    this.withdraw();
    rmSync(this.pidFile, { force: true });
    this.releaseFolder();
  }
}

/** A pid of a killed start may belong to any other program by now. */
function isOneOfUs(pid: number): boolean {
  if (!isAlive(pid)) return false;
  try {
    return /tools.(embedded|stack)/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}

/** For its owner alone: it holds a key. */
const write = (file: string, value: unknown): void => writeWhole(file, `${JSON.stringify(value, null, 2)}\n`);
