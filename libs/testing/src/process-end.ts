const AT_END = Symbol.for('kontor.test-process-end');

/** Runs `stop` when this test process has no more specs: for what several of them share. Known to tools/jest/worker.mjs. */
export function atProcessEnd(stop: () => Promise<void>): void {
  const stops = ((globalThis as Record<symbol, unknown>)[AT_END] ??= []) as (() => Promise<void>)[];
  stops.push(stop);
}
