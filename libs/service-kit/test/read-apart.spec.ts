import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { readApart } from '../src/apart/read-apart.js';
import { SAME_RUNTIME } from '../src/apart/same-runtime.js';

const of = (name: string): URL => new URL(`./support/${name}`, import.meta.url);
const TOO_LARGE = { name: 'ApartLimit', of: 'memory' };

describe('what is read apart', () => {
  it('has an end of memory also where that is outside of its heap', async () => {
    const hungry = readApart('a', { worker: of('hungry-worker'), data: null, size: 0, limitMs: 500_000 });
    await expect(hungry).rejects.toMatchObject(TOO_LARGE);
  });

  it('ends nobody else where V8 ends the process', async () => {
    const crash = readApart('a', { worker: of('crashing-worker'), data: null, size: 0, limitMs: 500_000 });
    await expect(crash).rejects.toMatchObject(TOO_LARGE);
  });

  it('is refused with the reason when no file can be opened any more', () => {
    const script = fileURLToPath(of('read-without-files.ts'));
    const command = [process.execPath, ...SAME_RUNTIME, script];
    const code = execFileSync('bash', ['-c', 'ulimit -n 64; exec "$0" "$@"', ...command], { encoding: 'utf8' });
    expect(code).toBe('EMFILE');
  });

  it('keeps no other owner waiting, however much of it one has', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'apart-'));
    const file = join(folder, 'go');
    const patient = of('patient-worker');
    const slow = [1, 2, 3].map(() => readApart('a', { worker: patient, data: file, size: 0, limitMs: 500_000 }));
    expect(await readApart('b', { worker: patient, data: null, size: 0 })).toBeNull();
    writeFileSync(file, '');
    expect(await Promise.all(slow)).toEqual([file, file, file]);
    rmSync(folder, { recursive: true });
  });

  it('reads those first who have taken less time lately', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'apart-'));
    const ask = (owner: string, name: string | null): Promise<unknown> => {
      const data = name && join(folder, name);
      return readApart(owner, { worker: of('patient-worker'), data, size: 0, limitMs: 500_000, patienceMs: 500_000 });
    };
    const go = (name: string): void => writeFileSync(join(folder, name), '');
    // What was asked before has taken an hour.
    const clock = performance.now;
    let hours = 0;
    performance.now = () => clock.call(performance) + hours * 3_600_000;
    const long = ask('slow', 'long');
    hours = 1;
    go('long');
    await long;
    // What it took is noted after its answer.
    await sleep(0);
    performance.now = clock;
    const places = [ask('x', 'all'), ask('y', 'one')];
    const read: string[] = [];
    const waiting = ['slow', 'quick'].map((owner) => ask(owner, null).then(() => read.push(owner)));
    go('one');
    await Promise.all(waiting);
    go('all');
    await Promise.all(places);
    expect(read).toEqual(['quick', 'slow']);
    rmSync(folder, { recursive: true });
  });

  it('waits beside no more than fits into memory, and no longer than somebody wants it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'apart-'));
    const file = join(folder, 'go');
    const ask = (owner: string, size: number, patienceMs = 500_000): Promise<unknown> =>
      readApart(owner, { worker: of('patient-worker'), data: file, size, limitMs: 500_000, patienceMs });
    const overloaded = { reason: 'service_overloaded', kind: 'unavailable' };
    const MIB = 1024 * 1024;
    const first = ask('a', 20 * MIB);
    const second = ask('a', 20 * MIB);
    await expect(ask('a', 20 * MIB)).rejects.toMatchObject(overloaded);
    const small = ask('a', 10 * MIB);
    await expect(ask('a', 1, 10)).rejects.toMatchObject(overloaded);
    const others = [ask('b', 20 * MIB), ask('c', 110 * MIB), ask('d', 110 * MIB)];
    await expect(ask('m', 30 * MIB)).rejects.toMatchObject(overloaded);
    writeFileSync(file, '');
    const answers = await Promise.all([first, second, small, ...others]);
    expect(new Set(answers)).toEqual(new Set([file]));
    rmSync(folder, { recursive: true });
  });

  it('says what failed', async () => {
    await expect(readApart('a', { worker: of('no-worker'), data: null, size: 0 })).rejects.toThrow('no-worker');
  });
});
