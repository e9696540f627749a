import type { RetentionRule } from '@kontor/persistence';
import { BUSINESS_LETTERS } from '@kontor/service-kit';

/** What is known of people who are no customers, and goes by itself: carts that nobody confirmed, notices that found no contract. */
export const retention = (): readonly RetentionRule[] => [
  { table: 'cart', ids: 'uuid', days: 30, since: 't.expired_at', where: `t.status = 'expired'` },
  {
    // A letter that was received, whoever sent it. The form chooses its id.
    table: 'cancellation_notice',
    ids: 'foreign',
    days: 0,
    where: `t.customer_id IS NULL AND t.state <> 'pending' AND legal_term_over($1, t.received_at, ${BUSINESS_LETTERS.years})`,
  },
];
