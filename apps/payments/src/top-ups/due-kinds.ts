/** A balance fell below the threshold of a rule; the ref is the rule's id. On the tenant's clock. */
export const AUTO_TOP_UP = 'payments.auto_top_up';
