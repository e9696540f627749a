import type { Migration } from '@kontor/persistence';

/** What keeps a customer: methods that a provider is being asked for. */
export const openRegistrations: Migration = {
  name: 'payments_0090_open_registrations',
  sql: `
CREATE INDEX method_registration_asking ON method_registration (tenant_id, customer_id) WHERE state = 'asking';
`,
};
