import { describe, expect, it } from '@jest/globals';
import { Metrics } from './metrics.js';

describe('a gauge', () => {
  it('has no value while nobody knows one, alone and among those of other services', async () => {
    const [known, unknown] = [new Metrics('billing'), new Metrics('usage')];
    let value: number | null = null;
    known.gauge('promises', 'x', () => 0);
    unknown.gauge('promises', 'x', () => value);
    const samples = async (): Promise<string[]> =>
      [await unknown.registry.metrics(), await Metrics.together([known, unknown])].flatMap((text) =>
        [...text.matchAll(/^promises.*$/gm)].map(([line]) => line),
      );
    const other = 'promises{service="billing"} 0';
    expect(await samples()).toEqual([other]);
    value = 3;
    const usage = 'promises{service="usage"} 3';
    expect((await samples()).sort()).toEqual([usage, other, usage].sort());
    value = null;
    expect(await samples()).toEqual([other]);
  });
});
