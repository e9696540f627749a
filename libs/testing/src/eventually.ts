import { setTimeout as sleep } from 'node:timers/promises';

// Against what never comes: on a machine that does other work, what takes a second may take a minute.
const LIMIT_MS = 180_000;

/**
 * What `probe` gives as soon as that is neither undefined, null nor false. Asks after `pollMs`, and the longer it waits the more rarely,
 * because each question takes of the time of what it waits for. @throws Error that names `what` after minutes.
 */
export async function eventually<T>(
  probe: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  what = 'the condition',
  { limitMs = LIMIT_MS, pollMs = 10 }: { limitMs?: number; pollMs?: number } = {},
): Promise<T> {
  for (const begin = Date.now(); ;) {
    const found = await probe();
    if (found !== undefined && found !== null && found !== false) return found;
    const waited = Date.now() - begin;
    if (waited > limitMs) throw new Error(`did not happen within ${limitMs} ms: ${what}`);
    await sleep(Math.min(Math.max(pollMs, waited / 10), 10 * pollMs));
  }
}
