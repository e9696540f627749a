import { describe, expect, it } from '@jest/globals';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { csvLine } from './csv-line.js';

const OPTIONS = { delimiter: ';', record_delimiter: 'windows', quote_record_delimiter: true } as const;

describe('a line of a CSV table', () => {
  it('quotes what would end a field or a line', () => {
    expect(csvLine(['a', 'b;c', 'd "e"', 'f\ng', ''])).toBe('a;"b;c";"d ""e""";"f\ng";\r\n');
  });

  it('is what a general library writes', () => {
    const field = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('a', '"', ';', ',', '\r', '\n', "'", ' ') }),
    );
    fc.assert(
      fc.property(fc.array(field, { minLength: 1 }), (fields) => {
        expect(csvLine(fields)).toBe(stringify([fields], OPTIONS));
      }),
    );
  });
});
