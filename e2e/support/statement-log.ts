import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from './api.js';
import type { Databases } from './databases.js';

/** Before each line that the server writes; a statement's own further lines begin with a tab. */
const MARK = '§';
const SAID = /^\S* ?LOG: {2}(?:statement|execute [^:]*): ([^]*)$/;

/** In which every service looks for work more than once. */
const IDLE_MS = 3_000;

/** What services ask their databases for, from the server's own log: of an embedded system whose log nobody else reads meanwhile. */
export class StatementLog {
  private readonly file: number;
  private offset = 0;
  /** What is asked while nobody calls. */
  private background: ReadonlySet<string> = new Set();

  private constructor(
    private readonly databases: Databases,
    dataDir: string,
  ) {
    this.file = openSync(join(dataDir, 'postgres.log'), 'r');
  }

  static async begin(databases: Databases, dataDir: string): Promise<StatementLog> {
    const log = new StatementLog(databases, dataDir);
    await log.configure([`log_statement = 'all'`, `log_line_prefix = '${MARK}%a '`, `log_parameter_max_length = 0`]);
    await eventually('statements are written down', async () => {
      await databases.query(databases.names[0]!, 'SELECT 1 AS noted');
      return log.statements().some((text) => text.includes('AS noted'));
    });
    log.statements();
    await sleep(IDLE_MS);
    log.background = new Set(log.statements());
    return log;
  }

  /** Statements since it was asked last, by service, without those that are asked while nobody calls; ids in them are left out. */
  statements(): string[] {
    const { size } = fstatSync(this.file);
    const bytes = Buffer.alloc(size - this.offset);
    readSync(this.file, bytes, 0, bytes.length, this.offset);
    this.offset = size;
    return bytes
      .toString()
      .split(`${MARK}`)
      .flatMap((entry) => {
        const text = SAID.exec(entry)?.[1];
        return text === undefined ? [] : [`${entry.split(' ', 1)[0]}: ${plain(text)}`];
      })
      .filter((text) => !this.background.has(text))
      .sort();
  }

  async end(): Promise<void> {
    closeSync(this.file);
    await this.configure(null);
  }

  private async configure(settings: readonly string[] | null): Promise<void> {
    const [database] = this.databases.names;
    for (const setting of settings ?? ['']) {
      const text = settings ? `ALTER SYSTEM SET ${setting}` : 'ALTER SYSTEM RESET ALL';
      await this.databases.query(database!, text);
    }
    await this.databases.query(database!, 'SELECT pg_reload_conf()');
  }
}

const plain = (text: string): string =>
  text
    .replaceAll(/'[0-9a-f-]{36}'/g, 'id')
    .replaceAll(/\s+/g, ' ')
    .trim();
