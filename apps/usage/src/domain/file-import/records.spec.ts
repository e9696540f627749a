import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CellError, eventOf, readHeader } from './csv-columns.js';
import { CsvReader, splitCells } from './csv-reader.js';
import { LineReader } from './line-reader.js';
import type { FileRecord, RecordReader } from './file-record.js';

function read(reader: RecordReader, bytes: Buffer, chunk = 7): FileRecord[] {
  const steps: (FileRecord | null)[] = [];
  for (let at = 0; at < bytes.length; at += chunk) steps.push(...reader.push(bytes.subarray(at, at + chunk)));
  return [...steps, ...reader.end()].filter((step) => step !== null);
}
const lines = (text: string | Buffer, chunk?: number, max = 100) =>
  read(new LineReader(max), Buffer.from(text as string), chunk);
const csv = (text: string, chunk?: number, max = 100) => read(new CsvReader(max), Buffer.from(text), chunk);

describe('lines of a file', () => {
  it('are the same however the bytes are cut, with their numbers, without the mark at the start', () => {
    for (const chunk of [1, 2, 3, 1000])
      expect(lines('\ufeffä1\r\n\nzwei\n3', chunk)).toEqual([
        { line: 1, text: 'ä1\r' },
        { line: 2, text: '' },
        { line: 3, text: 'zwei' },
        { line: 4, text: '3' },
      ]);
  });

  it('too long, or no UTF-8, are reported and the next one is read', () => {
    const bytes = Buffer.concat([
      Buffer.from(`${'x'.repeat(500)}\nok\n`),
      Buffer.from([0xff, 0xfe, 0x0a]),
      Buffer.from('end'),
    ]);
    expect(lines(bytes)).toEqual([
      { line: 1, problem: 'line_too_long' },
      { line: 2, text: 'ok' },
      { line: 3, problem: 'invalid_utf8' },
      { line: 4, text: 'end' },
    ]);
  });
});

describe('records of a CSV file', () => {
  it('may hold line breaks in quoted cells', () => {
    expect(csv('a,"b\r\n""c"""\r\nd,e\r\n', 1)).toEqual([
      { line: 1, text: 'a,"b\r\n""c"""' },
      { line: 3, text: 'd,e' },
    ]);
  });

  it('a quote that is never closed costs its own line', () => {
    const texts = (records: FileRecord[]) =>
      records.map((record) => ('text' in record ? record.text : `${record.line}:${record.problem}`));
    expect(texts(csv('a,b\n"c,d\ne,f\ng,h'))).toEqual(['a,b', '2:broken_quote', 'e,f', 'g,h']);
    const many = Array.from({ length: 200 }, (_, n) => `row${n}`);
    expect(texts(csv(['"open', ...many].join('\n')))).toEqual(['1:broken_quote', ...many]);
  });

  it('each of their lines is a step, so that whoever reads can pause', () => {
    const reader = new CsvReader(100);
    expect([...reader.push(Buffer.from('a\n"b\n\n\nc"\n\n'))].map((step) => step?.line ?? null)).toEqual([
      1,
      null,
      null,
      null,
      2,
      6,
    ]);
  });

  it('come back as they were written, whatever the cells hold', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'ß'), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 9 }), (rows, chunk) => {
        const text = rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n');
        const records = csv(text, chunk, 10_000).map((record) => ('text' in record ? splitCells(record.text, ',') : record));
        expect(records).toEqual(rows);
      }),
    ); // prettier-ignore
  });

  it.each([
    ['a,b', ['a', 'b']],
    ['', ['']],
    ['a,', ['a', '']],
    [',', ['', '']],
    ['"a",', ['a', '']],
    ['"","x,y"', ['', 'x,y']],
    ['a"b,c', undefined],
    ['"a"b,c', undefined],
    ['"a', undefined],
  ])('%s has the cells %j', (text, cells) => expect(splitCells(text, ',')).toEqual(cells));
});

describe('columns of a CSV file', () => {
  const columnsOf = (header: string) => {
    const columns = readHeader(header, splitCells);
    if (typeof columns === 'string') throw new Error(columns);
    return columns;
  };
  const base = 'transactionId,eventName,timestamp,customerId';
  const propertiesOf = (header: string, cells: string[]) =>
    eventOf(['t', 'e', 'z', 'c', ...cells], columnsOf(`${base},${header}`)).properties;

  it('become an event', () => {
    expect(eventOf(['t', 'e', 'z', 'c'], columnsOf(base.replaceAll(',', ';')))).toEqual({
      transactionId: 't',
      eventName: 'e',
      timestamp: 'z',
      customerId: 'c',
      properties: {},
    });
    expect(propertiesOf('properties.by.region,properties,properties.n', ['eu', '{"n":1,"x":[2]}', '3'])).toEqual({
      by: { region: 'eu' },
      n: 3,
      x: [2],
    });
    expect(propertiesOf('properties.a,id', ['', 'x'])).toEqual({});
  });

  it.each([
    ['12', 12], ['-0.5', -0.5], ['1e3', 1000], ['007', '007'], ['+1', '+1'], ['1.', '1.'], ['1234567890123456', '1234567890123456'],
    ['0.1234567890123456', '0.1234567890123456'], ['1e999', '1e999'], ['NaN', 'NaN'], ['true', true], ['TRUE', 'TRUE'], ['null', 'null'], [' x ', ' x '],
  ])('the cell "%s" is %j', (cell, value) => expect(propertiesOf('properties.p', [cell])).toEqual({ p: value })); // prettier-ignore

  it('may name their type', () => {
    expect(
      propertiesOf('properties.zip:string,properties.n:number,properties.ok:boolean,properties.j:json', [
        '12',
        '3',
        'false',
        '[1]',
      ]),
    ).toEqual({ zip: '12', n: 3, ok: false, j: [1] });
    for (const [type, cell] of [
      ['number', '007'],
      ['boolean', 'yes'],
      ['json', '{'],
    ])
      // prettier-ignore
      expect(() => propertiesOf(`properties.p:${type}`, [cell!])).toThrow(CellError);
    expect(() => propertiesOf('properties', ['[1]'])).toThrow(CellError);
  });

  it.each([
    'transactionId,eventName,timestamp',
    'a;b',
    `${base},amount`,
    `${base},properties.`,
    `${base},properties.a..b`,
    `${base},properties.__proto__.x`,
    `${base},properties.a:date`,
    `${base},properties.a,properties.a.b`,
    `${base},timestamp`,
    `${base},properties.${Array.from({ length: 9 }, () => 'a').join('.')}`,
  ])('the header %s is refused', (header) => expect(typeof readHeader(header, splitCells)).toBe('string'));
});
