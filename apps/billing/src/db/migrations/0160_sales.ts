import { type Migration, tenantTable } from '@kontor/persistence';

export const sales: Migration = {
  name: 'billing_0160_sales',
  sql: `
-- What was sold by an offer or a cart, by its id: each has its effect once.
CREATE TABLE sale (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  subscription_id uuid,
  invoice_id uuid,
  buyer_hash text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
${tenantTable('sale')}
`,
};
