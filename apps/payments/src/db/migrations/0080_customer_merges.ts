import { customerMergeTables, type Migration } from '@kontor/persistence';

export const customerMerges: Migration = {
  name: 'payments_0080_customer_merges',
  sql: `
${customerMergeTables}

-- Whose books these are now, once everything has gone there: nobody opens them any more.
ALTER TABLE customer_books ADD COLUMN merged_into uuid;
-- By which merge it came to be the customer's.
ALTER TABLE bank_payer ADD COLUMN merge_id uuid;
`,
};
