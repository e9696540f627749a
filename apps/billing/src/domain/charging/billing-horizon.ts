import type { Day } from '@kontor/kernel';
import { lastClosedDay, lastDayOfRequest, lastDayOfRun } from '../periods/due-time.js';
import type { Account, RatingContext } from './rating-context.js';

const NEVER: Day = '0001-01-01';
const later = (a: Day, b: Day): Day => (b > a ? b : a);
const earlier = (a: Day, b: Day): Day => (b < a ? b : a);

/** The last due day of an account that is billed now: what the daily run has reached, and what a request demands. */
export function billingHorizon({
  now,
  tenantZone,
}: Pick<RatingContext, 'now' | 'tenantZone'>): (account: Account) => Day {
  const reached = new Map<string, Day>();
  return (account) => {
    const { zone, billingDisabled, requestedDate } = account;
    if (billingDisabled) return NEVER;
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
