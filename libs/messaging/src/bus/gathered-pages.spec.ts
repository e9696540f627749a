import { describe, expect, it } from '@jest/globals';
import { GatheredPages } from './gathered-pages.js';

interface Page {
  readonly lane: string;
  readonly events: readonly number[];
}

const page = (lane: string, ...events: number[]): Page => ({ lane, events });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** Groups are named by the first letter of their lanes; work ends when the test says so. */
function gathered(options: { concurrency?: number; maxEvents?: number } = {}) {
  const begun: { lanes: string; end: (error?: Error) => void }[] = [];
  const pages = new GatheredPages<Page>({
    groupOf: ({ lane }) => lane.charAt(0),
    work: (work) =>
      new Promise((resolve, reject) => {
        const lanes = work.map(({ lane }) => lane).join(' ');
        begun.push({ lanes, end: (error) => (error ? reject(error) : resolve()) });
      }),
    concurrency: 2,
    maxEvents: 3,
    ...options,
  });
  return { begun, pages, lanes: () => begun.map(({ lanes }) => lanes) };
}

describe('pages of many lanes', () => {
  it('are one piece of work with what arrived beside them and while the last one was under way', async () => {
    const { begun, pages, lanes } = gathered();
    const dealt = [pages.deal(page('a1', 1)), pages.deal(page('a2', 1))];
    await turn();
    dealt.push(pages.deal(page('a3', 1)));
    await turn();
    dealt.push(pages.deal(page('a1', 2)));
    await turn();
    expect(lanes()).toEqual(['a1 a2']);
    begun[0]!.end();
    await Promise.all(dealt.slice(0, 2));
    await turn();
    expect(lanes()).toEqual(['a1 a2', 'a3 a1']);
    begun[1]!.end();
    await Promise.all(dealt);
  });

  it('wait while as many groups as may are at work', async () => {
    const { begun, pages, lanes } = gathered();
    const dealt = ['a', 'b', 'c'].map((lane) => pages.deal(page(lane, 1)));
    await turn();
    expect(lanes()).toEqual(['a', 'b']);
    begun[1]!.end();
    await dealt[1];
    await turn();
    expect(lanes()).toEqual(['a', 'b', 'c']);
    for (const { end } of begun) end();
    await Promise.all(dealt);
  });

  it('are no more events together than may be, unless one page is', async () => {
    const { begun, pages, lanes } = gathered();
    const dealt = [page('a1', 1, 2, 3, 4), page('a2', 1, 2), page('a3', 1), page('a4', 1)].map((p) => pages.deal(p));
    for (let n = 0; n < 3; n++) {
      await turn();
      begun[n]!.end();
    }
    await Promise.all(dealt);
    expect(lanes()).toEqual(['a1', 'a2 a3', 'a4']);
  });

  it('fail together, and those behind them go on', async () => {
    const { begun, pages, lanes } = gathered();
    const first = [pages.deal(page('a1', 1)), pages.deal(page('a2', 1))];
    const settled = Promise.allSettled(first);
    await turn();
    const behind = pages.deal(page('a3', 1));
    begun[0]!.end(new Error('away'));
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await turn();
    expect(lanes()).toEqual(['a1 a2', 'a3']);
    begun[1]!.end();
    await behind;
  });
});
