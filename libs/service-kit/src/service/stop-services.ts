import type { Kit } from './kit-module.js';

/** What ends in which order; each step waits until its work in hand is done. */
export const STOP_STEPS = ['listener', 'requests', 'claims', 'consumers', 'relay', 'pool'] as const;
export type StopStep = (typeof STOP_STEPS)[number];

export interface RunningService {
  readonly name: string;
  /** `http://127.0.0.1:40123` */
  readonly url: string;
  readonly kit: Kit;
  /** A provider of the running application. */
  get<T>(token: (abstract new (...args: never[]) => T) | string | symbol): T;
  stop(): Promise<void>;
  readonly steps: Readonly<Record<StopStep, () => Promise<void>>>;
}

/** For all steps together: what they use, the databases, is ended after them, before the process gives up. */
const LIMIT_MS = 25_000;
/** What each step has at least. */
const STEP_MS = 1_000;

/**
 * Stops services together, step by step over all of them: nobody is asked any more before those who ask have finished.
 * A step that hangs does not keep the others: everything that was committed is safe.
 */
export async function stopServices(services: readonly RunningService[], limit = LIMIT_MS): Promise<void> {
  const deadline = performance.now() + limit;
  for (const step of STOP_STEPS) {
    const limitMs = Math.max(STEP_MS, deadline - performance.now());
    await Promise.all(
      services.map(async ({ steps, kit }) => {
        let timer: NodeJS.Timeout | undefined;
        const late = new Promise<void>((resolve) => {
          timer = setTimeout(() => {
            kit.log.warn({ step }, 'a step of the shutdown takes too long and is left');
            resolve();
          }, limitMs);
        });
        await Promise.race([
          steps[step]().catch((error: unknown) => kit.log.warn({ err: error, step }, 'a step of the shutdown failed')),
          late,
        ]);
        clearTimeout(timer);
      }),
    );
  }
}
