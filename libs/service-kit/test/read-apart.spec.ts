import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readApart } from '../src/apart/read-apart.js';

const of = (name: string): URL => new URL(`./support/${name}`, import.meta.url);
const TOO_LARGE = { name: 'ApartLimit', of: 'memory' };

describe('what is read apart', () => {
  it('has an end of memory also where that is outside of its heap', async () => {
    const hungry = readApart('a', { worker: of('hungry-worker'), data: null, limitMs: 500_000 });
    await expect(hungry).rejects.toMatchObject(TOO_LARGE);
  });

  it('ends nobody else where V8 ends the process', async () => {
    const crash = readApart('a', { worker: of('crashing-worker'), data: null, limitMs: 500_000 });
    await expect(crash).rejects.toMatchObject(TOO_LARGE);
  });

  it('keeps no other owner waiting, however much of it one has', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'apart-'));
    const file = join(folder, 'go');
    const patient = of('patient-worker');
    const slow = [1, 2, 3].map(() => readApart('a', { worker: patient, data: file, limitMs: 500_000 }));
    expect(await readApart('b', { worker: patient, data: null })).toBeNull();
    writeFileSync(file, '');
    expect(await Promise.all(slow)).toEqual([file, file, file]);
    rmSync(folder, { recursive: true });
  });

  it('says what failed', async () => {
    await expect(readApart('a', { worker: of('no-worker'), data: null })).rejects.toThrow('no-worker');
  });
});
