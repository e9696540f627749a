import { describe, expect, it } from '@jest/globals';
import { defuseText } from './defuse-text.js';

describe('text for spreadsheets', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1+1', '＋1', '－1', '＠SUM(A1)'])(
    'is no formula: %j',
    (text) => expect(defuseText(text)).toBe(`'${text}`),
  );

  it.each(['', 'a=1', ' =1', '1-1', 'Käse & Brot'])('stays as it is: %j', (text) =>
    expect(defuseText(text)).toBe(text),
  );
});
