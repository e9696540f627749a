import { describe, expect, it, test } from '@jest/globals';
import { formatNumber, seriesOf } from './number-format.js';

describe('numbers', () => {
  test.each([
    ['RE-{year}-{seq:5}', 2026, 7n, 'RE-2026-00007'],
    ['RE-{year}-{seq:5}', 2026, 123_456n, 'RE-2026-123456'],
    ['{seq}/{year}', 2027, 1n, '1/2027'],
  ])('%s in %d with %s', (format, year, sequence, expected) => {
    expect(formatNumber(format, year, sequence)).toBe(expected);
  });

  it('formats that could give the same number share a series', () => {
    expect(seriesOf('RE-{year}-{seq:5}', 2026)).toEqual(seriesOf('RE-{year}-{seq:6}', 2026));
    expect(seriesOf('RE-{year}-{seq:5}', 2026)).not.toEqual(seriesOf('RE-{year}-{seq:5}', 2027));
    expect(seriesOf('RE-{seq}', 2026)).toEqual(seriesOf('RE-{seq}', 2027));
  });
});
