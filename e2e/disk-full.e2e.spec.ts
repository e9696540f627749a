import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kontor/testing';
import type { Answer } from './support/api.js';
import { System } from './support/system.js';

/** A small file system of its own; undefined where this process may not mount one. */
function smallFileSystem(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-small-disk-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=900m,mode=755', 'tmpfs', folder]).status === 0) return folder;
  rmSync(folder, { recursive: true });
  return undefined;
}

const disk = smallFileSystem();
const onDisk = disk === undefined ? describe.skip : describe;

/** Takes all the room that is left, as somebody else's runaway log would. */
function fill(file: string): void {
  const piece = Buffer.alloc(1024 * 1024);
  const target = openSync(file, 'w');
  try {
    for (let size = piece.length; size >= 4096;) {
      try {
        writeSync(target, piece, 0, size);
      } catch {
        size /= 2;
      }
    }
  } finally {
    closeSync(target);
  }
}

// Skipped where file systems cannot be mounted (no root): the disk of the machine itself is not filled by a test.
onDisk('a full disk', () => {
  let system: System;
  beforeAll(async () => {
    system = await System.embeddedIn(join(disk!, 'data'));
  });
  afterAll(async () => {
    await system.stop();
    spawnSync('umount', [disk!]);
    rmSync(disk!, { recursive: true, force: true });
  });

  it('stops writes, not reads, is shown, and heals by itself; what was accepted is there', async () => {
    const { api } = system;
    const filler = join(disk!, 'filler');
    const made: string[] = [];
    const create = (): Promise<Answer> =>
      api.send('POST', '/customers', { email: 'a@full.example', companyName: 'Full GmbH' });
    const write = async (): Promise<Answer> => {
      const answer = await create();
      if (answer.status < 300) made.push(answer.body.id);
      return answer;
    };
    const health = async (): Promise<Answer> => api.send('GET', '/health');
    expect((await write()).status).toBe(201);

    let filling = true;
    const writing = (async () => {
      while (filling) await write();
    })();
    fill(filler);
    const refused = await eventually(async () => {
      const answer = await create();
      return answer.status === 507 ? answer : undefined;
    }, 'writes are refused');
    expect(refused.body).toMatchObject({ status: 507, reason: 'storage_full' });
    expect(refused.headers.get('retry-after')).toBe('30');
    await eventually(async () => (await health()).body.status === 'read_only', 'health says that only reading goes on');
    expect((await health()).status).toBe(200);
    expect(system.log()).toMatch(
      /The disk of .* is full .*: reading goes on, writes are refused until there is room\./,
    );
    // The ballast was thrown off: a database that ends now has the room that its recovery needs.
    await eventually(() => !existsSync(join(system.dataDir, 'storage.reserve')), 'the ballast is thrown off');
    const server = (): string =>
      readFileSync(join(system.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]!;
    const former = server();
    process.kill(Number(former), 'SIGKILL');
    await eventually(
      () => existsSync(join(system.dataDir, 'postgres', 'postmaster.pid')) && server() !== former,
      'a restart',
    );
    await eventually(async () => (await health()).body.status === 'read_only', 'reading goes on');
    // Somebody takes that room as well.
    fill(`${filler}-2`);
    for (let i = 0; i < 50; i++) {
      expect((await api.send('GET', `/customers/${made[i % made.length]}`)).status).toBe(200);
      expect((await create()).status).toBe(507);
    }
    filling = false;
    await writing;

    rmSync(filler);
    rmSync(`${filler}-2`);
    await eventually(async () => (await write()).status === 201, 'writes are accepted again');
    await eventually(async () => (await health()).body.status === 'ready', 'health says that all is well');
    expect(system.log()).toContain('There is room on the disk again');
    await eventually(
      () => readFileSync(join(system.dataDir, 'kontor.log'), 'utf8').includes('There is room on the disk again'),
      'the log file goes on',
    );
    for (const id of made) expect((await api.send('GET', `/customers/${id}`)).status).toBe(200);
    expect(await invariants(system.dataDir)).toEqual({ code: 0, output: expect.stringContaining(' 0 violations') });

    // Stopping ends, too, when the log has no room.
    fill(filler);
    await eventually(async () => (await create()).status === 507, 'the disk is full again');
    expect(await system.end()).toBe(0);
  });
});

/** `npm run check:invariants` on the running system. */
async function invariants(dataDir: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['tools/check-invariants.mjs'], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, DATA_DIR: dataDir, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { code, output };
}
