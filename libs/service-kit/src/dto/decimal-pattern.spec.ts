import { describe, expect, it } from '@jest/globals';
import { type DecimalLimits, decimalPattern } from './decimal-pattern.js';

describe('the pattern of a decimal', () => {
  it.each<[DecimalLimits, string[], string[]]>([
    [{}, ['0', '-1', '12.50', '9'.repeat(30)], ['', '1.', '.5', '1e3', '+1', '9'.repeat(31), `0.${'1'.repeat(21)}`]],
    [{ min: '0', scale: 2 }, ['0', '1.25'], ['-1', '1.255']],
    [{ min: '0', max: '100', scale: 2 }, ['0', '99.99', '100', '100.00'], ['100.01', '101', '1000', '-1']],
    [{ min: '0', max: '999', scale: 1 }, ['0', '999.9'], ['1000', '-1']],
    [{ min: '-1000', max: '1000' }, ['-1000', '1000.0', '-0.5'], ['1000.1', '-1001']],
    [{ min: '0.01', max: '10', scale: 2 }, ['0.01', '10', '1'], ['0', '0.00', '10.01']],
  ])('of %j', (limits, fitting, others) => {
    const pattern = new RegExp(decimalPattern(limits));
    expect(fitting.filter((text) => !pattern.test(text))).toEqual([]);
    expect(others.filter((text) => pattern.test(text))).toEqual([]);
  });
});
