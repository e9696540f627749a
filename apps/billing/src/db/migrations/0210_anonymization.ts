import { type Migration, tenantTable } from '@kontor/persistence';

/** Customers of whom only what the law asks for is kept. */
export const anonymization: Migration = {
  name: 'billing_0210_anonymization',
  sql: `
ALTER TABLE customer ADD COLUMN anonymized_at timestamptz;

CREATE TABLE anonymization (
  tenant_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  requested_at timestamptz NOT NULL,
  begun_at timestamptz NOT NULL,
  rounds int NOT NULL,
  completed_at timestamptz,
  parts jsonb NOT NULL,
  PRIMARY KEY (tenant_id, customer_id),
  FOREIGN KEY (tenant_id, customer_id) REFERENCES customer (tenant_id, id)
);
${tenantTable('anonymization')}
`,
};
