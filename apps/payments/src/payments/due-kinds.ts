/** A batch of collections is to be asked for; the ref is the collection's id. On the tenant's clock. */
export const COLLECT = 'payments.collect';
/** Collections whose outcome stayed unknown are asked for again; the ref is the collection's id. On real time. */
export const SWEEP_COLLECTION = 'payments.sweep_collection';
/** How long a gateway has before it is asked again. */
export const SWEEP_AFTER_MS = 60_000;
