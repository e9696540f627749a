import { describe, expect, it } from '@jest/globals';
import type { Tx } from '@kontor/kernel';
import { countMatching } from './count-matching.js';
import { RememberedTotals } from './remembered-totals.js';

describe('remembered totals', () => {
  it('are forgotten after ten seconds', () => {
    let millis = 0;
    const totals = new RememberedTotals(() => millis);
    totals.set('a', 12_000);
    millis = 9_999;
    expect([totals.get('a'), totals.get('b')]).toEqual([12_000, undefined]);
    millis = 10_000;
    expect(totals.get('a')).toBeUndefined();
  });

  it('are of some lists, not of all that were ever asked for', () => {
    const totals = new RememberedTotals(() => 0);
    for (let i = 0; i <= 1000; i++) totals.set(`list ${i}`, i);
    expect([totals.get('list 999'), totals.get('list 1000')]).toEqual([undefined, 1000]);
  });
});

describe('counting', () => {
  /** A transaction in which so many rows match, and what was asked in it. */
  const txOf = (tenantId: string, rows: number) => {
    const asked: string[] = [];
    const query = (sql: string) => {
      asked.push(sql.split(' ')[0]!);
      return Promise.resolve([{ n: Math.min(rows, 10_001), 'QUERY PLAN': [{ Plan: { 'Plan Rows': rows } }] }]);
    };
    return { asked, tx: { tenantId, query } as unknown as Tx };
  };
  const count = ({ tx }: { tx: Tx }, value: unknown) => countMatching(tx, 'FROM a WHERE b = $1', [value]);

  it('asks anew for each short list', async () => {
    const short = txOf('1', 10_000);
    for (let i = 0; i < 2; i++) expect(await count(short, 1n)).toEqual({ items: 10_000, isEstimate: false });
    expect(short.asked).toEqual(['SELECT', 'SELECT']);
  });

  it('asks once for a long list, of each tenant and each value', async () => {
    const [first, second] = [txOf('2', 20_000), txOf('3', 30_000)];
    for (let i = 0; i < 2; i++) {
      expect(await count(first, 1n)).toEqual({ items: 20_000, isEstimate: true });
      expect(await count(second, 1n)).toEqual({ items: 30_000, isEstimate: true });
    }
    expect([first.asked, second.asked]).toEqual([
      ['SELECT', 'EXPLAIN'],
      ['SELECT', 'EXPLAIN'],
    ]);
    await count(first, 2n);
    expect(first.asked).toHaveLength(4);
  });
});
