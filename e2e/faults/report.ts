import type { Fault } from './strike.js';

/** What a round takes anyway, to compare the others with. */
export const NO_FAULT: Fault = { name: 'nothing', begin: () => undefined, end: () => undefined };

/** Against what does not heal. A round of all jobs takes half a minute where nothing fails, and as much more as a machine is busy. */
const MOST_SECONDS = 300;

/**
 * What a fault cost, as a line of a run that somebody watches: seconds of each job from the end of the cause.
 * @throws Error when a job went on for minutes
 */
export function reportHealing(fault: string, seconds: Record<string, number>): void {
  const jobs = Object.entries(seconds);
  if (process.env['TEST_LONG'] === '1')
    process.stderr.write(
      `${fault}; after its end: ${jobs.map(([job, after]) => `${job} ${after.toFixed(1)} s`).join(', ')}\n`,
    );
  const late = jobs.filter(([, after]) => after > MOST_SECONDS);
  if (late.length > 0) throw new Error(`${fault}: not healed after ${MOST_SECONDS} s: ${late.join('; ')}`);
}
