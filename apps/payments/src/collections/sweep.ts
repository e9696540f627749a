import { ageMsOf } from './age-of.js';

/** How long a gateway has before it is asked again; each further time twice as long. */
export const SWEEP_AFTER_MS = 60_000;
const SWEEP_AT_MOST_MS = 3_600_000;
/** How often a charge or refund whose result comes later is looked up, should its call-back get lost. */
const LOOK_AFTER_MS = 6 * 3_600_000;
/** From this age on, money of unknown whereabouts is an alarm. */
export const ALARM_AFTER_MS = 6 * 3_600_000;

/**
 * The pause before an unanswered charge is asked for again: as long as it has been waiting, from a minute to an hour.
 */
export const sweepPauseMs = (ageMs: number): number => Math.min(Math.max(ageMs, SWEEP_AFTER_MS), SWEEP_AT_MOST_MS);

/** When to look again: soon where no answer is known, after hours where the provider's word comes later by itself. */
export function nextSweep(open: readonly { readonly id: string }[], isLater: boolean): Date | null {
  if (open.length > 0) return new Date(Date.now() + sweepPauseMs(Math.max(...open.map(({ id }) => ageMsOf(id)))));
  return isLater ? new Date(Date.now() + LOOK_AFTER_MS) : null;
}
