import { spawn } from 'node:child_process';
import { expect, it } from '@jest/globals';

const MODULE = new URL('../src/service/end-process.ts', import.meta.url).href;

/** How a process ends that stops in this way. */
function endOf(stop: string): Promise<{ code: number | null; signal: string | null; said: string }> {
  const script = `const { endProcess } = await import('${MODULE}'); setInterval(() => {}, 1000); endProcess(${stop}, 3, 200);`;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal, said })));
}

it.each([
  ['ends', 'async () => undefined', { code: 3, said: '' }],
  ['fails', 'async () => { throw new Error("why") }', { code: 1, said: 'Stopping failed: why\n' }],
  ['hangs', '() => new Promise(() => {})', { signal: 'SIGKILL', said: expect.stringContaining('takes too long') }],
  [
    'hangs, and so does the exit',
    '() => { process.on("exit", () => { for (;;); }); return new Promise(() => {}); }',
    { signal: 'SIGKILL' },
  ],
])('a process whose stop %s ends', async (_case, stop, end) => {
  expect(await endOf(stop)).toMatchObject(end);
});
