import { describe, expect, it } from '@jest/globals';
import { RecordsOfFile } from './read-records.js';

describe('a file of events', () => {
  it.each(['csv', 'ndjson'] as const)('of blank lines (%s) can be paused at each of them', (format) => {
    const records = new RecordsOfFile(format);
    expect([...records.push(Buffer.from('\n \r\n\n')), ...records.end()]).toEqual([null, null, null]);
  });

  it('may name its delimiter before the header, and have columns without a name at its end', () => {
    const records = new RecordsOfFile('csv');
    const line = 'e1;call;2026-02-01T10:00:00Z;C-1;5';
    const file = `sep=;\r\ntransactionId;eventName;timestamp;customerId;properties.n;;\r\n${line};;\r\n${line};;x\r\n`;
    const steps = [...records.push(Buffer.from(file)), ...records.end()].filter((step) => step !== null);
    expect(steps).toMatchObject([
      { line: 3, item: { transactionId: 'e1', customerId: 'C-1', properties: { n: 5 } } },
      { line: 4, transactionId: 'e1', code: 'invalid_cell' },
    ]);
  });

  it('whose quotes stay open can be paused at each of their lines', () => {
    const records = new RecordsOfFile('csv');
    const header = 'transactionId,eventName,timestamp,customerId\n';
    const steps = [...records.push(Buffer.from(`${header}"\n\n\n`))];
    expect(steps).toEqual([null, null, null]);
    expect([...records.end()]).toEqual([expect.objectContaining({ code: 'broken_quote', line: 2 }), null, null]);
  });
});
