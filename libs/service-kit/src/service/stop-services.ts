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

const STEP_LIMIT_MS = 15_000;

/**
 * Stops services together, step by step over all of them: nobody is asked any more before those who ask have finished.
 * A step that hangs does not keep the others: everything that was committed is safe.
 */
export async function stopServices(services: readonly RunningService[]): Promise<void> {
  for (const step of STOP_STEPS) {
    await Promise.all(
      services.map(async ({ steps, kit }) => {
        let timer: NodeJS.Timeout | undefined;
        const late = new Promise<void>((resolve) => {
          timer = setTimeout(() => {
            kit.log.warn({ step }, 'a step of the shutdown takes too long and is left');
            resolve();
          }, STEP_LIMIT_MS);
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
