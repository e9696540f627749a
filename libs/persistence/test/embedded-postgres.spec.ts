import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { EmbeddedPostgres } from '../src/index.js';

const library = join(import.meta.dirname, '..', 'dist', 'index.js');

/** A process of its own that starts the server, prints its address and waits. */
function parent(dataDir: string): Promise<{ process: ChildProcess; adminUrl: string }> {
  const script = `import { EmbeddedPostgres } from ${JSON.stringify(library)};
    const { adminUrl } = await new EmbeddedPostgres().start(${JSON.stringify(dataDir)});
    console.log(adminUrl); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve({ process: child, adminUrl: chunk.toString().trim() }));
    child.once('exit', () => reject(new Error('ended early')));
  });
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('EmbeddedPostgres', () => {
  const server = new EmbeddedPostgres();
  const folders: string[] = [];
  // mkdtemp makes a folder of mode 0700: as root, another user's server could not reach a cluster in it.
  const folder = (): string => folders[folders.push(mkdtempSync(join(tmpdir(), 'kontor-pg-'))) - 1]!;

  afterEach(async () => {
    await server.stop();
    for (const dataDir of folders.splice(0)) {
      const note = join(dataDir, 'postgres.location');
      if (existsSync(note)) rmSync(dirname(readFileSync(note, 'utf8').trim()), { recursive: true, force: true });
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  it('after kill -9 of the process the next start takes the server over, with all that was committed', async () => {
    const dataDir = folder();
    const first = await parent(dataDir);
    await query(first.adminUrl, 'CREATE TABLE kept (a int); INSERT INTO kept VALUES (1)');
    first.process.kill('SIGKILL');
    await new Promise((resolve) => first.process.once('exit', resolve));
    const { adminUrl } = await server.start(dataDir);
    expect(await query(adminUrl, 'SELECT a FROM kept')).toEqual([{ a: 1 }]);
  });

  it('is a release of PostgreSQL, whatever the package is called', async () => {
    const { adminUrl } = await server.start(folder());
    const [row] = await query(adminUrl, 'SELECT version() AS version');
    expect(row!['version']).toMatch(/^PostgreSQL 18\.\d+ on /);
  });

  it('after kill -9 of the server too, the next start recovers', async () => {
    const dataDir = folder();
    const first = await parent(dataDir);
    await query(first.adminUrl, 'CREATE TABLE kept (a int); INSERT INTO kept VALUES (2)');
    const [row] = await query(
      first.adminUrl,
      `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid`,
    );
    first.process.kill('SIGKILL');
    process.kill(row!['pid'] as number, 'SIGKILL');
    const { adminUrl } = await server.start(dataDir);
    expect(await query(adminUrl, 'SELECT a FROM kept')).toEqual([{ a: 2 }]);
  });

  it('a stop is clean and a pid file that a crash left behind misleads nobody', async () => {
    const dataDir = folder();
    const { adminUrl } = await server.start(dataDir);
    const [settings] = await query(
      adminUrl,
      `SELECT current_setting('TimeZone') AS zone, current_setting('synchronous_commit') AS commit, current_setting('server_encoding') AS encoding`,
    );
    expect(settings).toEqual({ zone: 'UTC', commit: 'on', encoding: 'UTF8' });
    await server.stop();
    await expect(query(adminUrl, 'SELECT 1')).rejects.toThrow();
    const note = join(dataDir, 'postgres.location');
    const cluster = existsSync(note) ? readFileSync(note, 'utf8').trim() : join(dataDir, 'postgres');
    expect(existsSync(join(cluster, 'postmaster.pid'))).toBe(false);
    const stranger = spawn('sleep', ['30']);
    writeFileSync(join(cluster, 'postmaster.pid'), `${stranger.pid}\n${cluster}\n0\n5432\n\n127.0.0.1\n\nready   \n`);
    const again = await server.start(dataDir);
    expect(await query(again.adminUrl, 'SELECT 1 AS answer')).toEqual([{ answer: 1 }]);
    stranger.kill();
  });
});
