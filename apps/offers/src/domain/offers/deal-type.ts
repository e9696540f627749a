/** What kind of agreement an offer is about. */
export const DEAL_TYPES = ['new_business', 'expansion', 'renewal', 'one_off'] as const;
export type DealType = (typeof DEAL_TYPES)[number];
