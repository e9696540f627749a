const SECOND = 1_000;
const DAY = 86_400_000;

/** What was on its way when a service said that nothing was left has arrived when all say so once more. */
export const ROUNDS = 2;

/** So long after its end it is looked at daily: until nothing that was published before can come again. */
const WATCHED_DAYS = 32;

/** When the services are asked again; null: never. At first soon, then ever more rarely, at most after a minute. */
export function nextLook(
  { begunAt, completedAt }: { readonly begunAt: Date; readonly completedAt: Date | null },
  now: Date,
): Date | null {
  const age = now.getTime() - begunAt.getTime();
  if (!completedAt) return new Date(now.getTime() + Math.min(Math.max(age / 4, SECOND / 4), 60 * SECOND));
  return now.getTime() - completedAt.getTime() > WATCHED_DAYS * DAY ? null : new Date(now.getTime() + DAY);
}

/** The first day on which more of what is kept may go, in any of the services; null when nothing is kept. */
export function nextTermOf(parts: readonly { readonly nextTerm: string | null }[]): Date | null {
  const [first] = parts.flatMap(({ nextTerm }) => nextTerm ?? []).sort();
  return first === undefined ? null : new Date(`${first}T00:00:00.000Z`);
}
