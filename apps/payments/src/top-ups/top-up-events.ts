import { type autoTopUpDisabledV1, type PayloadOf, type topUpChangedV1 } from '@kontor/contracts';
import type { NewEvent } from '@kontor/messaging';
import type { AutoTopUpRule, TopUp } from '../domain/top-ups/top-up.js';
import { representTopUp } from './represent-top-up.js';

const NOTICES = { pending: null, completed: 'wallet.topped_up', failed: 'wallet.top_up_failed' } as const;

/** A top-up was started or has ended. */
export function topUpEvent(topUp: TopUp): NewEvent<PayloadOf<typeof topUpChangedV1>> {
  const representation = representTopUp(topUp);
  const type = NOTICES[topUp.status];
  const notices = type
    ? [{ type, objectId: topUp.id, data: { topUp: representation }, customerId: topUp.customerId, activity: null }]
    : [];
  return {
    aggregateId: topUp.id,
    aggregateSeq: topUp.version,
    payload: { id: topUp.id, version: topUp.version, deleted: false, state: representation, notices },
  };
}

/** A rule was switched off after too many failures; the customer gets a mail. */
export const ruleDisabledEvent = (
  rule: AutoTopUpRule,
  failReason: string | null,
): NewEvent<PayloadOf<typeof autoTopUpDisabledV1>> => ({
  aggregateId: rule.id,
  aggregateSeq: rule.version,
  payload: {
    ruleId: rule.id,
    customerId: rule.customerId,
    currencyCode: rule.currencyCode,
    consecutiveFailures: rule.consecutiveFailures,
    failureReason: failReason,
  },
});
