/** Credit of one lot ends; the ref is the lot's id. */
export const EXPIRE_CREDIT = 'payments.expire_credit';
/** Credit may pay a customer's open invoices by a changed setting; the ref is the customer's id. */
export const APPLY_CREDIT = 'payments.apply_credit';
