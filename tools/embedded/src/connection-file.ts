import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '@kontor/persistence/postgres';
import { CannotStart } from './data-folder.js';

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

/** `<DATA_DIR>/connection.json` exists exactly while everything answers; the first tenant and its key stay in `tenant.json`. */
export class ConnectionFile {
  readonly tenantPath: string;
  private readonly file: string;
  private readonly pidFile: string;

  constructor(private readonly folder: string) {
    this.file = join(folder, 'connection.json');
    this.tenantPath = join(folder, 'tenant.json');
    this.pidFile = join(folder, 'kontor.pid');
  }

  /** @throws CannotStart when a living process uses this data folder. */
  claim(): void {
    const pid = readJson<number>(this.pidFile);
    if (typeof pid === 'number' && pid !== process.pid && isOneOfUs(pid)) {
      const answers = readJson<Connection>(this.file)?.baseUrl;
      throw new CannotStart(
        `${this.folder} is in use by process ${pid}${answers ? `, which answers at ${answers}` : ''}: stop it, or set DATA_DIR.`,
      );
    }
    write(this.pidFile, process.pid);
    rmSync(this.file, { force: true });
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

  remove(): void {
    rmSync(this.file, { force: true });
    rmSync(this.pidFile, { force: true });
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

/** Complete or not at all, and for its owner alone: it holds a key. */
function write(file: string, value: unknown): void {
  writeFileSync(`${file}.partial`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.partial`, file);
}
