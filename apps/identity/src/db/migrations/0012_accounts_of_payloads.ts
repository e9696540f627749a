import type { Migration } from '@kontor/persistence';

/** What the OAuth endpoints remember of one customer: it ends when the customer's address changes, or with the customer. */
export const accountsOfPayloads: Migration = {
  name: '0012_accounts_of_payloads',
  sql: `
CREATE INDEX oidc_payload_account ON oidc_payload ((payload->>'accountId'));
`,
};
