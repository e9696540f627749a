import type { Migration } from '@kontor/persistence';

export const stuckLines: Migration = {
  name: '0250_stuck_lines',
  sql: `
-- What of a run's open batches was waited for in vain: it holds up no further ones. Of batches made before stuck_before.
ALTER TABLE billing_run ADD stuck_cost bigint NOT NULL DEFAULT 0 CHECK (stuck_cost >= 0);
ALTER TABLE billing_run ADD stuck_before uuid;
`,
};
