import type { Migration } from '@kontor/persistence';

export const pendingDeletions: Migration = {
  name: '0260_pending_deletions',
  sql: `
-- The version in which the customer is being deleted; once it has a later one, it stays.
ALTER TABLE customer ADD COLUMN deletion_version int;
`,
};
