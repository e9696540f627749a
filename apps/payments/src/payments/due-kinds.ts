/** A batch of collections is to be asked for; the ref is the collection's id. On the tenant's clock. */
export const COLLECT = 'payments.collect';
/** Collections whose outcome stayed unknown are asked for again; the ref is the collection's id. On real time. */
export const SWEEP_COLLECTION = 'payments.sweep_collection';
/** A batch of refunds is to be sent; the ref is the batch's id. On the tenant's clock. */
export const REFUND = 'payments.refund';
/** Refunds whose outcome stayed unknown are sent again; the ref is the batch's id. On real time. */
export const SWEEP_REFUND = 'payments.sweep_refund';
/** What failed is tried again by the schedule; the ref is the intent's id. On the tenant's clock. */
export const RETRY_COLLECTION = 'payments.retry_collection';
/** A customer has another default method: what failed by the former one is tried with it; the ref is the customer's id. On the tenant's clock. */
export const NEW_DEFAULT = 'payments.new_default';
/** A charge that nobody waits for any more is to be stopped at its gateway; the ref is the transaction's id. On real time. */
export const CANCEL_CHARGE = 'payments.cancel_charge';
/** Something that a provider told by itself; the ref is the notice's id. On real time. */
export const GATEWAY_NOTICE = 'payments.gateway_notice';

/** How long a gateway has before it is asked again; each further time twice as long. */
export const SWEEP_AFTER_MS = 60_000;
const SWEEP_AT_MOST_MS = 3_600_000;
/** How often a charge whose result comes later is looked up, should its call-back get lost. */
export const LOOK_AFTER_MS = 6 * 3_600_000;
/** From this age on, money of unknown whereabouts is an alarm. */
export const ALARM_AFTER_MS = 6 * 3_600_000;

/** The pause before an unanswered charge is asked for again: as long as it has been waiting, from a minute to an hour. */
export const sweepPauseMs = (ageMs: number): number => Math.min(Math.max(ageMs, SWEEP_AFTER_MS), SWEEP_AT_MOST_MS);
