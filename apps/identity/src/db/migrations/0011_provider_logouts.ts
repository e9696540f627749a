import type { Migration } from '@kontor/persistence';

/** Logouts that an identity provider has reported, for sign-ins that are under way. */
export const providerLogouts: Migration = {
  name: '0011_provider_logouts',
  sql: `
CREATE INDEX person_token_logout ON person_token ((payload->>'tenantId')) WHERE purpose = 'company_logout';
`,
};
