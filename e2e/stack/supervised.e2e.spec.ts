import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@kontor/testing';

interface Supervised {
  isSettled: boolean;
  readonly failures: number;
  readonly lastLine: string;
  stop(): Promise<void>;
}
const { Supervised } = (await import(new URL('../../tools/stack/processes.mjs', import.meta.url).href)) as {
  Supervised: new (options: object) => Supervised;
};

let root: string;
let supervised: Supervised;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kontor-supervised-'));
  writeFileSync(
    join(root, 'main.mjs'),
    `console.error('no\\nThe database is from a newer version.'); process.exit(1);`,
  );
  // However short it lived, it counts as one that ran.
  supervised = new Supervised({
    name: 'billing',
    script: 'main.mjs',
    root,
    env: process.env,
    logFile: join(root, 'log'),
    steadyMs: -1,
  });
});
afterEach(async () => {
  await supervised.stop();
  rmSync(root, { recursive: true });
});

it('a process that ends while the system starts is given up, however long its start takes, and says why', async () => {
  await eventually(() => supervised.failures >= 3, 'three failures');
  expect(supervised.lastLine).toBe('The database is from a newer version.');
});

it('one that ran before it ended begins anew', async () => {
  supervised.isSettled = true;
  const counted = new Set<number>();
  for (let n = 0; n < 20; n++) {
    counted.add(supervised.failures);
    await sleep(50);
  }
  expect([...counted].every((failures) => failures <= 1)).toBe(true);
});

it('one that cannot be started for now is tried again', async () => {
  await supervised.stop();
  const later = join(root, 'later');
  supervised = new Supervised({
    name: 'billing',
    script: join(root, 'main.mjs'),
    root: later,
    env: process.env,
    logFile: join(root, 'log'),
    steadyMs: -1,
  });
  await eventually(() => supervised.failures >= 2, 'two attempts');
  expect(supervised.lastLine).toContain('ENOENT');
  mkdirSync(later);
  await eventually(() => supervised.lastLine === 'The database is from a newer version.', 'it runs');
});

it('its output is set aside when it has grown large, in place of what was before', async () => {
  await supervised.stop();
  writeFileSync(join(root, 'main.mjs'), `console.log('x'.repeat(3000)); process.exit(1);`);
  supervised = new Supervised({
    name: 'billing',
    script: 'main.mjs',
    root,
    env: process.env,
    logFile: join(root, 'log'),
    steadyMs: -1,
    logOptions: { largeBytes: 2_000, lookMs: 20 },
  });
  await eventually(() => existsSync(join(root, 'log.1')), 'the large file is set aside');
  await eventually(() => supervised.failures >= 3 && existsSync(join(root, 'log')), 'it goes on');
  expect(statSync(join(root, 'log')).size).toBeLessThan(20_000);
});
