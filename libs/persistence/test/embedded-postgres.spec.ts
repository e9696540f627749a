import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@kontor/testing';
import pg from 'pg';
import { EmbeddedPostgres } from '../src/index.js';

const library = join(import.meta.dirname, '..', 'dist', 'index.js');

/** A process of its own that starts the server, prints its address and waits. */
function parent(dataDir: string): { process: ChildProcess; ready: Promise<string> } {
  const script = `import { EmbeddedPostgres } from ${JSON.stringify(library)};
    const { adminUrl } = await new EmbeddedPostgres().start(${JSON.stringify(dataDir)});
    console.log(adminUrl); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once('exit', () => reject(new Error('ended early')));
  });
  return { process: child, ready };
}

/** What initializes the cluster of a data folder. */
function initdbsOf(dataDir: string): number[] {
  const mark = `\0${clusterOf(dataDir)}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandOf(name).includes(mark))
    .map(Number);
}

function commandOf(pid: string): string {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return command.split('\0')[0]!.endsWith('initdb') ? command : '';
  } catch {
    return '';
  }
}

function clusterOf(dataDir: string): string {
  const note = join(dataDir, 'postgres.location');
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : join(dataDir, 'postgres');
}

/** A first start that is killed, whose initdb stands still: its id. */
async function interrupted(dataDir: string): Promise<number> {
  const first = parent(dataDir);
  first.ready.catch(() => undefined);
  const pid = await eventually(() => initdbsOf(dataDir)[0], 'the cluster is being made');
  process.kill(pid, 'SIGSTOP');
  const ended = once(first.process, 'exit');
  first.process.kill('SIGKILL');
  await ended;
  return pid;
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

  it('after kill -9 of the process the next start takes the server over, by another path, with all that was committed', async () => {
    const dataDir = folder();
    const links = folder();
    // The cluster lies in the data folder.
    for (const each of [dataDir, links]) chmodSync(each, 0o755);
    const first = parent(dataDir);
    await query(await first.ready, 'CREATE TABLE kept (a int); INSERT INTO kept VALUES (1)');
    first.process.kill('SIGKILL');
    await new Promise((resolve) => first.process.once('exit', resolve));
    const link = join(links, 'link');
    symlinkSync(dataDir, link);
    const { adminUrl } = await server.start(link);
    expect(adminUrl).toBe(await first.ready);
    expect(await query(adminUrl, 'SELECT a FROM kept')).toEqual([{ a: 1 }]);
  });

  it('is a release of PostgreSQL, whatever the package is called', async () => {
    const { adminUrl } = await server.start(folder());
    const [row] = await query(adminUrl, 'SELECT version() AS version');
    expect(row!['version']).toMatch(/^PostgreSQL 18\.\d+ on /);
  });

  it('after kill -9 of the server too, the next start recovers', async () => {
    const dataDir = folder();
    const first = parent(dataDir);
    await query(await first.ready, 'CREATE TABLE kept (a int); INSERT INTO kept VALUES (2)');
    const [row] = await query(
      await first.ready,
      `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid`,
    );
    first.process.kill('SIGKILL');
    process.kill(row!['pid'] as number, 'SIGKILL');
    const { adminUrl } = await server.start(dataDir);
    expect(await query(adminUrl, 'SELECT a FROM kept')).toEqual([{ a: 2 }]);
  });

  it('begins anew beside what a first start that was killed is still making', async () => {
    const dataDir = folder();
    const orphan = await interrupted(dataDir);
    try {
      const beside = server.start(dataDir);
      await eventually(() => initdbsOf(dataDir).length > 1, 'the cluster is made a second time');
      process.kill(orphan, 'SIGCONT');
      await eventually(() => !initdbsOf(dataDir).includes(orphan), 'the first one has ended');
      const { adminUrl } = await beside;
      expect(await query(adminUrl, 'SELECT 1 AS answer')).toEqual([{ answer: 1 }]);
    } finally {
      if (initdbsOf(dataDir).includes(orphan)) process.kill(orphan, 'SIGKILL');
    }
  });

  it('takes over a server that a killed start has just begun, before its file says so', async () => {
    const dataDir = folder();
    await server.start(dataDir);
    await server.stop();
    const begun = new EmbeddedPostgres();
    try {
      // Both find none.
      const urls = await Promise.all([begun, server].map(async (each) => (await each.start(dataDir)).adminUrl));
      expect(urls[1]).toBe(urls[0]);
      expect(await query(urls[0]!, 'SELECT 1 AS answer')).toEqual([{ answer: 1 }]);
    } finally {
      await begun.stop();
    }
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
    const cluster = clusterOf(dataDir);
    expect(existsSync(join(cluster, 'postmaster.pid'))).toBe(false);
    const stranger = spawn('sleep', ['30']);
    writeFileSync(join(cluster, 'postmaster.pid'), `${stranger.pid}\n${cluster}\n0\n5432\n\n127.0.0.1\n\nready   \n`);
    const again = await server.start(dataDir);
    expect(await query(again.adminUrl, 'SELECT 1 AS answer')).toEqual([{ answer: 1 }]);
    stranger.kill();
  });
});
