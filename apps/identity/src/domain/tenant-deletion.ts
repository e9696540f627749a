/**
 * `closing`: the services let it stand still; `waiting`: it can be taken back; `revoking`: it is; `erasing`: what may go goes;
 * `kept`: the rest has to stay for now; `completed`: nothing is left.
 */
export const DELETION_STATUSES = ['closing', 'waiting', 'revoking', 'erasing', 'kept', 'completed'] as const;
export type DeletionStatus = (typeof DELETION_STATUSES)[number];

/** So long a deletion can be taken back. */
export const WAITING_DAYS = 30;

const DAY_MS = 86_400_000;

/** When what may go goes: of a sandbox at once. */
export const eraseTime = (now: Date, wholly: boolean): Date =>
  wholly ? now : new Date(now.getTime() + WAITING_DAYS * DAY_MS);

export const isRevocable = (status: DeletionStatus): boolean => status === 'closing' || status === 'waiting';

/** The first day on which more may go in any of the services; null when nothing is kept. */
export function nextTermOf(parts: readonly { readonly nextTerm: string | null }[]): Date | null {
  const days = parts.flatMap(({ nextTerm }) => nextTerm ?? []).sort();
  return days[0] === undefined ? null : new Date(`${days[0]}T00:00:00.000Z`);
}
