import { describe, expect, it, test } from '@jest/globals';
import { readCsv, TooManyRecords, UnreadableCsv } from './read-csv.js';

const cells = (text: string) => [...readCsv(text)].map((record) => record.cells);

describe('a CSV file', () => {
  it('has cells between commas, semicolons or tabs, whichever its header has', () => {
    for (const delimiter of [',', ';', '\t'])
      expect(cells(['a', 'b'].join(delimiter) + '\r\n' + ['1, 2'.replace(',', ''), ''].join(delimiter))).toEqual([
        ['a', 'b'],
        ['1 2', ''],
      ]);
    expect(cells('name;price\nTeam;1,50\n')).toEqual([
      ['name', 'price'],
      ['Team', '1,50'],
    ]);
  });

  it('may name its delimiter before the header', () => {
    expect([...readCsv('\uFEFFsep=;\r\na,b\r\n1,2;3')]).toEqual([
      { line: 2, cells: ['a,b'] },
      { line: 3, cells: ['1,2', '3'] },
    ]);
    expect(cells('sep=|\na|b')).toEqual([['sep=|'], ['a|b']]);
  });

  it('may have empty cells behind the last column that has a name', () => {
    expect(cells('a;b;;\n1;2;;\n1;;;\n;;;\n1;2;3;;\n1\n')).toEqual([
      ['a', 'b'],
      ['1', '2'],
      ['1', ''],
      ['', ''],
      ['1', '2', '3'],
      ['1'],
    ]);
  });

  it('counts lines as an editor does, also behind quoted breaks and empty lines', () => {
    const read = [...readCsv('\uFEFFname,note\n"Elbe ""1"", GmbH","two\nlines"\n\n next ,x')];
    expect(read).toEqual([
      { line: 1, cells: ['name', 'note'] },
      { line: 2, cells: ['Elbe "1", GmbH', 'two\nlines'] },
      { line: 5, cells: ['next', 'x'] },
    ]);
  });

  it('is refused where a quote is not closed, or text follows one', () => {
    expect(() => [...readCsv('a\n"b')]).toThrow(UnreadableCsv);
    expect(() => [...readCsv('a\n"b"c')]).toThrow('Line 2');
  });

  it('is left where it has more records than wanted, also where these are blank; empty lines are none', () => {
    expect(() => [...readCsv('a\nb\nc\n"not closed', 2)]).toThrow(TooManyRecords);
    expect(() => [...readCsv('a\n \n \n \n', 3)]).toThrow(TooManyRecords);
    expect([...readCsv(`a${'\n'.repeat(500)}${'\r\n'.repeat(500)}b`, 2)]).toEqual([
      { line: 1, cells: ['a'] },
      { line: 1_001, cells: ['b'] },
    ]);
  });

  test.each([
    ['a plain cell', 'b'.repeat(131_073)],
    ['a quoted cell', `"${'b'.repeat(131_073)}"`],
    ['many cells', ','.repeat(131_073)],
    ['an open quote', `"${'b'.repeat(131_073)}`],
  ])('has no record of more than 131,072 characters: %s', (_name, record) => {
    expect(() => [...readCsv(`a\n${record}\nc`)]).toThrow('Line 2');
    expect(() => [...readCsv(record)]).toThrow('Line 1');
  });

  it('may end anywhere', () => {
    expect(cells('')).toEqual([]);
    expect(cells('a')).toEqual([['a']]);
    expect(cells('a,b\n"x","y"\n')).toEqual([
      ['a', 'b'],
      ['x', 'y'],
    ]);
    expect(cells('a,b\n1,')).toEqual([
      ['a', 'b'],
      ['1', ''],
    ]);
  });
});
