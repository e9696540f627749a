/** A card's or mandate's last day has passed; the ref is the method's id. On the tenant's clock. */
export const END_METHOD = 'payments.end_method';
/** A provider was asked to make a method and the answer was not noted; the ref is the method's id. On real time. */
export const REGISTER_METHOD = 'payments.register_method';
/** A removed method is to be revoked at its provider; the ref is the method's id. On real time. */
export const REVOKE_METHOD = 'payments.revoke_method';
/** How often a method is tried whose provider has no credentials. */
export const UNCONFIGURED_AGAIN_AFTER_MS = 3_600_000;
/** How long a provider has before it is asked again. */
export const ASK_AGAIN_AFTER_MS = 60_000;
