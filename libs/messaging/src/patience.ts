/** How long a start waits for a bus that is away before it goes on without. */
const PATIENCE_MS = 5_000;

/** Resolves or rejects with `work`, or resolves when `ms` are over; the work goes on. */
export async function withPatience(work: Promise<unknown>, ms = PATIENCE_MS): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  work.catch(() => undefined);
  await Promise.race([work.then(() => undefined), over]);
  clearTimeout(timer);
}
