/** `npm run test:long`: all of what takes long by nature. Else a share of it that changes with the commit. */
export const isLong = process.env['TEST_LONG'] === '1';

/** Of the commit, unless `TEST_SEED` says otherwise; printed by `npm test`, so that its share can be run again. */
export const testSeed = Number(process.env['TEST_SEED'] ?? 1);

/** How much of it: steps of a model, rounds, rows. */
export const howMany = (share: number, all: number): number => (isLong ? all : share);

/** `count` of the cases, evenly spread over the list, others with each commit. */
export function shareOf<T>(cases: readonly T[], count: number): T[] {
  if (isLong) return [...cases];
  const share = Math.min(count, cases.length);
  const place = (n: number): number => (testSeed + Math.floor((n * cases.length) / share)) % cases.length;
  return Array.from({ length: share }, (_, n) => cases[place(n)]!);
}

let shownAt = 0;

/** A line every few seconds of a long run. */
export function showProgress(what: string, done: number, all: number): void {
  if (!isLong || Date.now() - shownAt < 5_000) return;
  shownAt = Date.now();
  process.stderr.write(`${what}: ${done} of ${all}\n`);
}
