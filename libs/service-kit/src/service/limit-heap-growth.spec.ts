import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { SAME_RUNTIME } from '../apart/same-runtime.js';

/** Keeps 60 MB, makes 600 MB of which it keeps the last 20, and says how large the heap was at most, in MB. */
const WORK = `
  const kept = Array.from({ length: 600_000 }, (_, n) => ({ n, text: 'n' + n }));
  const ring = Array.from({ length: 100_000 });
  let most = 0;
  for (let n = 0; n < 6_000_000; n += 1) {
    ring[n % ring.length] = { n, list: [n, kept.length] };
    if (n % 50_000 === 0) most = Math.max(most, process.memoryUsage().heapTotal);
  }
  process.stdout.write(String(most / 1024 / 1024));
`;

async function mostMb(before: string): Promise<number> {
  const module = new URL('./limit-heap-growth.ts', import.meta.url).href;
  const program = `import { limitHeapGrowth } from '${module}'; ${before} ${WORK}`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...SAME_RUNTIME,
    '--max-semi-space-size=8',
    '--input-type=module',
    '--eval',
    program,
  ]);
  return Number(stdout);
}

it('what a process has made and thrown away does not come together to a multiple of what it keeps', async () => {
  const [limited, unlimited] = [await mostMb('limitHeapGrowth();'), await mostMb('')];
  expect(limited).toBeLessThan(unlimited * 0.8);
}, 120_000);
