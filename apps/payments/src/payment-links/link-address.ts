export const LINK_PATH = '/public/payment-methods';
/** How long a link can be used, in real time. */
export const LINK_LIFE_MS = 7 * 86_400_000;
