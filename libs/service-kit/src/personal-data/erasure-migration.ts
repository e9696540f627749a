import { type Migration, tenantTable } from '@kontor/persistence';

/** What anonymizations have taken away so far, counted in the transactions that do it. */
export const erasureMigration: Migration = {
  name: 'service_kit_0002_customer_erasure',
  sql: `
CREATE TABLE customer_erasure (
  tenant_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  what text NOT NULL,
  removed bigint NOT NULL,
  PRIMARY KEY (tenant_id, customer_id, what)
);
${tenantTable('customer_erasure')}`,
};
