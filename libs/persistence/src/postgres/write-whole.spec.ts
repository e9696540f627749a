import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { madeOnce, writeWhole } from './write-whole.js';

describe('a file that is made once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-whole-'));
  const file = join(folder, 'secrets.key');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is made where it is missing, for its owner alone, and kept', () => {
    expect([madeOnce(file, () => 'one\n'), madeOnce(file, () => 'two\n')]).toEqual(['one', 'one']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is not made again where it is empty', () => {
    writeFileSync(file, '');
    expect(madeOnce(file, () => 'two\n')).toBeUndefined();
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  it('leaves nothing behind when it cannot be written', () => {
    const taken = join(folder, 'taken');
    mkdirSync(taken);
    expect(() => writeWhole(taken, 'text')).toThrow();
    expect(existsSync(`${taken}.partial`)).toBe(false);
  });
});
