import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Connection, ConnectionFile } from './connection-file.js';

describe('a data folder', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'kontor-claim-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is one start's, of several in the same moment, and afterwards the next one's", async () => {
    const files = Array.from({ length: 8 }, () => new ConnectionFile(folder));
    const outcomes = await Promise.all(
      files.map((file) =>
        file.claim(50).then(
          () => file,
          (error: Error) => error.message,
        ),
      ),
    );
    const [owner, ...more] = outcomes.filter((outcome) => outcome instanceof ConnectionFile);
    expect(more).toEqual([]);
    expect(
      outcomes.filter((outcome) => outcome === `${folder} is in use by another process: stop it, or set DATA_DIR.`),
    ).toHaveLength(7);
    expect(JSON.parse(readFileSync(join(folder, 'kontor.pid'), 'utf8')).pid).toBe(process.pid);
    owner!.remove();
    expect(existsSync(join(folder, 'kontor.pid'))).toBe(false);
    const next = files.find((file) => file !== owner)!;
    await next.claim();
    next.remove();
  });

  it('is its own until all of it has stopped; who starts meanwhile waits for that', async () => {
    const stopping = new ConnectionFile(folder);
    await stopping.claim();
    stopping.publish({ baseUrl: 'http://127.0.0.1:3000' } as Connection);
    stopping.withdraw();
    expect(existsSync(join(folder, 'connection.json'))).toBe(false);
    const next = new ConnectionFile(folder);
    await expect(next.claim(0)).rejects.toThrow('in use by another process');
    const claimed = next.claim(60_000);
    stopping.remove();
    await claimed;
    // What is another one's by now stays.
    stopping.remove();
    expect(existsSync(join(folder, 'kontor.pid'))).toBe(true);
    next.remove();
  });

  it('waits a while for one that does not answer, and refuses at once where it does', async () => {
    const child = await holder();
    const file = new ConnectionFile(folder);
    const claimed = file.claim(60_000);
    child.kill('SIGKILL');
    await claimed;
    file.remove();
    const other = await holder();
    writeFileSync(join(folder, 'connection.json'), '{ "baseUrl": "http://127.0.0.1:3000" }');
    await expect(file.claim(2 ** 31)).rejects.toThrow('which answers at http://127.0.0.1:3000');
    other.kill('SIGKILL');
    await once(other, 'exit');
  });

  /** A process that has it, and looks like a start. */
  async function holder(): Promise<ChildProcess> {
    const held = `import { ConnectionFile } from ${JSON.stringify(new URL('../dist/connection-file.js', import.meta.url).href)};
      await new ConnectionFile(${JSON.stringify(folder)}).claim(); process.send('held'); setInterval(() => undefined, 1000);`;
    const script = join(folder, 'tools-embedded-holder.mjs');
    writeFileSync(script, held);
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    await once(child, 'message');
    return child;
  }

  it('is free as soon as who had it was killed', async () => {
    const child = await holder();
    const file = new ConnectionFile(folder);
    await expect(file.claim(50)).rejects.toThrow(`in use by process ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await file.claim();
    file.remove();
  });

  it('is free when it is a copy of one that is in use', async () => {
    const child = await holder();
    const copy = mkdtempSync(join(tmpdir(), 'kontor-copy-'));
    try {
      cpSync(folder, copy, { recursive: true });
      const file = new ConnectionFile(copy);
      await file.claim();
      file.remove();
      await expect(new ConnectionFile(folder).claim(50)).rejects.toThrow(`in use by process ${child.pid}`);
    } finally {
      child.kill('SIGKILL');
      rmSync(copy, { recursive: true });
    }
  });
});
