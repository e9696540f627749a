/**
 * Seconds until the next attempt after `round` failed ones, or null when that was the last: the schedule's step,
 * spread by ±20 % so that a receiver that comes back is not met by everything at once. `random` is in [0, 1).
 */
export function nextDelaySeconds(schedule: readonly number[], round: number, random: number): number | null {
  const step = schedule[round - 1];
  return step === undefined ? null : step * (0.8 + 0.4 * random);
}
