import { addDays, type Day } from '@kontor/kernel';
import type { RatedAccount } from './rated-account.js';
import type { Account, BillableItem } from './rating-context.js';

/** About so many lines of one account are rated and stored at once, however far behind it is. */
export const PORTION = 2_000;

/** So many lines of all accounts of a batch, with their documents; accounts that come after them wait for the next one. */
export const PORTION_OF_BATCH = 5 * PORTION;

/** A document costs as much as so many lines, beside its own: one of a single line is almost all document. */
export const DOCUMENT_AS_LINES = 20;

/** What an account's charges cost those who make documents of them: about one for each day. */
export function costOf({ rated }: Pick<RatedAccount, 'rated'>): number {
  const charges = rated.flatMap((subscription) => subscription.charges);
  return charges.length + DOCUMENT_AS_LINES * new Set(charges.map(({ charge }) => charge.dueOn)).size;
}

export const isDue = ({ nextDueOn }: Pick<BillableItem, 'nextDueOn'>, until: Day): boolean =>
  nextDueOn !== null && nextDueOn <= until;

/**
 * The last day that is rated at once of some items, which is a day like any other unless their account is far behind: an
 * item has one line a day at most. Whole days from the items' own first, so that the lines of a day stay together and
 * what cannot be rated holds up nothing else.
 */
export function portionOf(
  { subscriptions }: Pick<Account, 'subscriptions'>,
  until: Day,
): (items: readonly Pick<BillableItem, 'nextDueOn'>[]) => Day {
  const due = subscriptions.reduce((sum, { items }) => sum + items.filter((item) => isDue(item, until)).length, 0);
  const days = Math.max(1, Math.floor(PORTION / Math.max(DOCUMENT_AS_LINES, due)));
  return (items) => {
    const starts = items.flatMap(({ nextDueOn }) => (nextDueOn === null ? [] : [nextDueOn])).sort();
    const last = starts[0] === undefined ? until : addDays(starts[0], days - 1);
    return last < until ? last : until;
  };
}
