import { describe, expect, it } from '@jest/globals';
import { RecordsOfFile } from './read-records.js';

describe('a file of events', () => {
  it.each(['csv', 'ndjson'] as const)('of blank lines (%s) can be paused at each of them', (format) => {
    const records = new RecordsOfFile(format);
    expect([...records.push(Buffer.from('\n \r\n\n')), ...records.end()]).toEqual([null, null, null]);
  });

  it('whose quotes stay open can be paused at each of their lines', () => {
    const records = new RecordsOfFile('csv');
    const header = 'transactionId,eventName,timestamp,customerId\n';
    const steps = [...records.push(Buffer.from(`${header}"\n\n\n`))];
    expect(steps).toEqual([null, null, null]);
    expect([...records.end()]).toEqual([expect.objectContaining({ code: 'broken_quote', line: 2 }), null, null]);
  });
});
