import type { Api } from '../../support/api.js';
import type { Meeting } from '../meeting.js';

/** Something that the system does for one tenant, piece by piece. */
export interface Job {
  /** A piece of the work; it ends when all that was ever begun is done exactly once, to the cent. */
  round(meeting: Meeting): Promise<void>;
}

export interface JobKind {
  readonly name: string;
  /** Of the tenant: where its clock stands. */
  readonly now?: string;
  /** In a fresh tenant of its own. */
  start(api: Api): Promise<Job>;
}

/** A part of the work, the middle, and the rest by two at a time. */
export async function throughTheMiddle<T>(
  items: readonly T[],
  meeting: Meeting,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const queue = [...items];
  const part = queue.splice(0, Math.ceil(items.length / 3));
  for (const item of part) await work(item);
  await meeting.middle();
  const lane = async (): Promise<void> => {
    for (let item; (item = queue.shift()) !== undefined;) {
      await work(item);
      meeting.step();
    }
  };
  await Promise.all([lane(), lane()]);
}
