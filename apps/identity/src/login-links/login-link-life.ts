/** Kind of the due work that sends links. */
export const LOGIN_REQUEST = 'identity.login-request';
/** How long a link can be used, in real time. */
export const LOGIN_LINK_MINUTES = 15;
export const LOGIN_PATH = '/public/customer/login';
/** Links in one mail. */
export const MAX_LINKS = 50;
