/**
 * How many turns others have on the event loop while something is done, were each of its pieces long: each look at the clock is a second
 * after the one before, however fast the machine is.
 */
export async function turnsOfOthers<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly turns: number }> {
  const clock = performance.now;
  let [now, turns, isDone] = [clock.call(performance), 0, false];
  const other = (): void => {
    if (isDone) return;
    turns += 1;
    setImmediate(other);
  };
  performance.now = () => (now += 1000);
  setImmediate(other);
  try {
    const result = await work();
    return { result, turns };
  } finally {
    isDone = true;
    performance.now = clock;
  }
}
