import type { Migration } from '@kontor/persistence';

/** Requests for links are counted where all attempts to sign in are: none is kept to be counted. */
export const uncountedLoginRequests: Migration = {
  name: '0015_uncounted_login_requests',
  sql: `
DROP INDEX login_request_email;
DELETE FROM login_request WHERE starts_with(email, 'sha256:');
`,
};
