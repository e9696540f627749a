import type { Migration } from '@kontor/persistence';

/** Messaging keeps what is too large for an event, for all services. */
export const largeNotices: Migration = {
  name: 'invoicing_0140_large_notices',
  sql: `
ALTER TABLE stored_notice NO FORCE ROW LEVEL SECURITY;
INSERT INTO large_notice (tenant_id, id, data, created_at) SELECT tenant_id, id, data, created_at FROM stored_notice;
DROP TABLE stored_notice;
`,
};
