import type { Migration } from '@kontor/persistence';

export const linesInHand: Migration = {
  name: '0240_lines_in_hand',
  sql: `
-- How many lines of a tenant invoicing has still to put on documents; what was open before is not counted.
ALTER TABLE charge_batch ADD lines int NOT NULL DEFAULT 0;
ALTER TABLE billing_run ADD lines_open int NOT NULL DEFAULT 0 CHECK (lines_open >= 0);
ALTER TABLE billing_run ADD moved_at timestamptz NOT NULL DEFAULT now();
`,
};
