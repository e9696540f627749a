import { type Day, DomainError } from '@kontor/kernel';
import { isUnmeasured, type MeteredPeriod, type MeteredQuantity, type QuantityRequest } from '../metering/metered.js';
import { startText } from '../calendar/calendar-cache.js';
import type { RatingScope } from './rated-account.js';
import type { Account, RatingContext } from './rating-context.js';

const NOT_MEASURED: MeteredQuantity = { quantity: '0', groups: [], closingId: null };

/** Reads measured quantities of one subscription. */
export type QuantityReader = (period: MeteredPeriod) => MeteredQuantity;

/** Reads what was measured; of a period that was not, adds a request for its quantity. */
export const quantityReader =
  (
    { customerId, zone }: Account,
    subscriptionId: string,
    context: Pick<RatingContext, 'closingIdOf'>,
    { measured }: RatingScope,
    requests: QuantityRequest[],
  ): QuantityReader =>
  (period) => {
    const key = context.closingIdOf(period);
    const found = measured?.get(key);
    if (found && isUnmeasured(found)) throw new DomainError(found.reason);
    if (found) return found;
    const instant = (day: Day): Date => new Date(startText(day, zone));
    requests.push({
      ...period,
      key,
      customerId,
      subscriptionId,
      fromInstant: instant(period.from),
      toInstant: instant(period.to),
    });
    return NOT_MEASURED;
  };
