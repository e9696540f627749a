import { uuidToUlid } from '@kontor/kernel';

/** The mandate that is given with a cart's confirmation has its reference before: the payer reads it on the page. */
export const mandateReferenceOf = (cartId: string, attempt: number): string => `M-${uuidToUlid(cartId)}-${attempt}`;
