import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { usableFolder } from './usable-folder.js';

describe('a folder for files', () => {
  let parent: string;
  beforeAll(() => void (parent = mkdtempSync(join(tmpdir(), 'kontor-folder-'))));
  afterAll(() => rmSync(parent, { recursive: true }));

  it('is made where it is missing', () => {
    const folder = join(parent, 'a', 'b');
    expect([usableFolder(folder), usableFolder(folder)]).toEqual([folder, folder]);
    expect(existsSync(folder)).toBe(true);
  });

  it('is refused in one line where nothing can be written', () => {
    writeFileSync(join(parent, 'file'), '');
    for (const folder of [
      join(parent, 'file'),
      join(parent, 'file', 'below'),
      ...(existsSync('/proc/self') ? ['/proc/nothing/here'] : []),
    ])
      expect(() => usableFolder(folder)).toThrow(`${folder} cannot be written to: set DATA_DIR to a folder of yours.`);
  });
});
