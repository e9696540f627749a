// What falls due in this service, and what its reference names.

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
/**
 * A customer has another default method: what failed by the former one is tried with it; the ref is the customer's id.
 * On the tenant's clock.
 */
export const NEW_DEFAULT = 'payments.new_default';
/**
 * A charge that nobody waits for any more is to be stopped at its gateway; the ref is the transaction's id. On real
 * time.
 */
export const CANCEL_CHARGE = 'payments.cancel_charge';
/** An event that a provider reported; the ref is the notice's id. On real time. */
export const GATEWAY_NOTICE = 'payments.gateway_notice';
/** A card's or mandate's last day has passed; the ref is the method's id. On the tenant's clock. */
export const END_METHOD = 'payments.end_method';
/** A provider was asked to make a method and the answer was not noted; the ref is the method's id. On real time. */
export const REGISTER_METHOD = 'payments.register_method';
/** A removed method is to be revoked at its provider; the ref is the method's id. On real time. */
export const REVOKE_METHOD = 'payments.revoke_method';
/** Lines wait to be matched; the ref is an import's id, or one of these: all lines that nobody has touched, or those of returned money alone. */
export const MATCH_BANK = 'payments.match_bank';
export const OPEN_LINES = 'open';
export const OPEN_RETURNS = 'returns';
/** Credit of one lot ends; the ref is the lot's id. */
export const EXPIRE_CREDIT = 'payments.expire_credit';
/** Credit may pay a customer's open invoices by a changed setting; the ref is the customer's id. */
export const APPLY_CREDIT = 'payments.apply_credit';
/** A balance fell below the threshold of a rule; the ref is the rule's id. On the tenant's clock. */
export const AUTO_TOP_UP = 'payments.auto_top_up';
