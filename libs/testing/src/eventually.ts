import { setTimeout as sleep } from 'node:timers/promises';

// Against what never comes: on a machine that does other work, what takes a second may take a minute.
const LIMIT_MS = 180_000;

/** What `probe` gives as soon as that is neither undefined, null nor false. @throws Error that names `what` after minutes. */
export async function eventually<T>(
  probe: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  what = 'the condition',
  { limitMs = LIMIT_MS, pollMs = 10 }: { limitMs?: number; pollMs?: number } = {},
): Promise<T> {
  for (const end = Date.now() + limitMs; ;) {
    const found = await probe();
    if (found !== undefined && found !== null && found !== false) return found;
    if (Date.now() > end) throw new Error(`did not happen within ${limitMs} ms: ${what}`);
    await sleep(pollMs);
  }
}
