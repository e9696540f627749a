/** How long a gateway has before it is asked again; each further time twice as long. */
export const SWEEP_AFTER_MS = 60_000;
const SWEEP_AT_MOST_MS = 3_600_000;
/** How often a charge whose result comes later is looked up, should its call-back get lost. */
export const LOOK_AFTER_MS = 6 * 3_600_000;
/** From this age on, money of unknown whereabouts is an alarm. */
export const ALARM_AFTER_MS = 6 * 3_600_000;

/**
 * The pause before an unanswered charge is asked for again: as long as it has been waiting, from a minute to an hour.
 */
export const sweepPauseMs = (ageMs: number): number => Math.min(Math.max(ageMs, SWEEP_AFTER_MS), SWEEP_AT_MOST_MS);
