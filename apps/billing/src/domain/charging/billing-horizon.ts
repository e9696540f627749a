import type { Day } from '@kontor/kernel';
import { lastClosedDay, lastDayOfRequest, lastDayOfRun } from '../periods/due-time.js';
import type { Account, RatingContext } from './rating-context.js';

const NEVER: Day = '0001-01-01';
const later = (a: Day, b: Day): Day => (b > a ? b : a);
const earlier = (a: Day, b: Day): Day => (b < a ? b : a);

/**
 * The last due day of an account that is billed now. Accounts that share invoices wait for each other, so that what falls due on
 * one day is one invoice.
 */
export function billingHorizon(
  context: Pick<RatingContext, 'now' | 'tenantZone' | 'accounts'>,
): (account: Account) => Day {
  const reached = ownHorizon(context);
  const shared = new Map<string, Day>();
  for (const account of context.accounts) {
    if (account.billingDisabled || account.subscriptions.length === 0) continue;
    const known = shared.get(account.payerId);
    shared.set(account.payerId, known === undefined ? reached(account) : earlier(known, reached(account)));
  }
  return (account) => (account.billingDisabled ? NEVER : (shared.get(account.payerId) ?? reached(account)));
}

/** What the daily run has reached of an account by itself, and what a request demands. */
function ownHorizon({ now, tenantZone }: Pick<RatingContext, 'now' | 'tenantZone'>): (account: Account) => Day {
  const reached = new Map<string, Day>();
  return (account) => {
    const { zone, requestedDate } = account;
    const zones = { tenant: tenantZone, customer: zone };
    const day = reached.get(zone) ?? lastDayOfRun(now, zones);
    reached.set(zone, day);
    if (requestedDate !== null) return later(day, lastDayOfRequest(requestedDate, zones));
    return billsUsage(account, day) ? earlier(day, lastClosedDay(now, zone, account.usageGraceHours)) : day;
  };
}

/** Then all of the account waits until usage has had its time to arrive. */
const billsUsage = ({ subscriptions }: Account, until: Day): boolean =>
  subscriptions.some(({ items }) =>
    items.some((item) => item.nextDueMetered && item.nextDueOn !== null && item.nextDueOn <= until),
  );
