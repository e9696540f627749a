import { customerMergeTables, type Migration } from '@kontor/persistence';

export const customerMerges: Migration = {
  name: 'billing_0220_customer_merges',
  sql: `
${customerMergeTables}

-- Where the customer stood before: for whoever undoes it.
ALTER TABLE customer_merge ADD COLUMN former jsonb;

ALTER TABLE customer ADD COLUMN merged_into_customer_id uuid;
ALTER TABLE customer ADD CONSTRAINT customer_survivor_exists
  FOREIGN KEY (tenant_id, merged_into_customer_id) REFERENCES customer (tenant_id, id);
ALTER TABLE customer ADD CHECK (merged_into_customer_id IS NULL OR status = 'STATUS_ARCHIVED');
CREATE INDEX customer_merged_into ON customer (tenant_id, merged_into_customer_id)
  WHERE merged_into_customer_id IS NOT NULL;
`,
};
