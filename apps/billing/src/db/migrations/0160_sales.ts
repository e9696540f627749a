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

-- Published offers: the subscription that waits for acceptance; its own was made for the offer.
CREATE TABLE offered_sale (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  subscription_id uuid,
  is_own boolean NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
${tenantTable('offered_sale')}

-- Prices that are offered: nobody changes or deletes them meanwhile.
CREATE TABLE offered_price (
  tenant_id uuid NOT NULL,
  offer_id uuid NOT NULL,
  price_plan_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, offer_id, price_plan_id),
  FOREIGN KEY (tenant_id, offer_id) REFERENCES offered_sale (tenant_id, id),
  FOREIGN KEY (tenant_id, price_plan_id) REFERENCES price_plan (tenant_id, id)
);
CREATE INDEX offered_price_price_plan ON offered_price (tenant_id, price_plan_id);
${tenantTable('offered_price')}
`,
};
