import { describe, expect, it } from '@jest/globals';
import { pathInArchive } from './audit-tables.js';

describe('the path of a file in the archive', () => {
  const pathOf = (number: string, stem = number): string => pathInArchive(number, { id: '7', fileName: `${stem}.pdf` });

  it('is the number of its document', () => {
    expect(pathOf('RE-2026-00001')).toBe('belege/RE-2026-00001.pdf');
  });

  it('has the id of the file, too, where the number cannot be a name, or where case alone may tell two apart', () => {
    expect(pathOf('../a/b', '..-a-b')).toBe('belege/..-a-b~7.pdf');
    expect(pathOf('Re-1')).toBe('belege/Re-1~7.pdf');
    expect(pathOf('RE-1')).toBe('belege/RE-1.pdf');
  });
});
