import { type Migration, tenantTable } from '@kontor/persistence';

/** A coupon in use cannot be deleted: its redemptions refer to it. */
export const coupons: Migration = {
  name: 'billing_0130_coupons',
  sql: `
CREATE TABLE coupon (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version int NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'archived')),
  code text NOT NULL,
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('percentage', 'fixed_amount')),
  percentage text,
  fixed_amount_minor bigint CHECK (fixed_amount_minor > 0),
  currency_code text,
  frequency text NOT NULL CHECK (frequency IN ('once', 'limited', 'lifetime')),
  frequency_interval int CHECK (frequency_interval > 0),
  max_redemptions int CHECK (max_redemptions > 0),
  max_redemptions_per_customer int CHECK (max_redemptions_per_customer > 0),
  valid_until timestamptz,
  is_enabled boolean NOT NULL,
  redemptions int NOT NULL CHECK (redemptions >= 0),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK ((type = 'percentage') = (percentage IS NOT NULL)),
  CHECK ((type = 'fixed_amount') = (fixed_amount_minor IS NOT NULL)),
  CHECK ((type = 'fixed_amount') = (currency_code IS NOT NULL)),
  CHECK ((frequency = 'limited') = (frequency_interval IS NOT NULL))
);
-- People type codes: their case means nothing.
CREATE UNIQUE INDEX coupon_code_unique ON coupon (tenant_id, upper(code));
CREATE INDEX coupon_created ON coupon (tenant_id, created_at, id);
${tenantTable('coupon')}

CREATE TABLE coupon_product (
  tenant_id uuid NOT NULL,
  coupon_id uuid NOT NULL,
  product_id uuid NOT NULL,
  included boolean NOT NULL,
  PRIMARY KEY (tenant_id, coupon_id, product_id),
  FOREIGN KEY (tenant_id, coupon_id) REFERENCES coupon (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, product_id) REFERENCES product (tenant_id, id)
);
CREATE INDEX coupon_product_product ON coupon_product (tenant_id, product_id);
${tenantTable('coupon_product')}

CREATE TABLE coupon_redemption (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  coupon_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  subscription_id uuid,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, coupon_id) REFERENCES coupon (tenant_id, id),
  FOREIGN KEY (tenant_id, customer_id) REFERENCES customer (tenant_id, id)
);
CREATE INDEX coupon_redemption_customer ON coupon_redemption (tenant_id, coupon_id, customer_id);
CREATE INDEX coupon_redemption_of_customer ON coupon_redemption (tenant_id, customer_id);
CREATE INDEX coupon_redemption_subscription ON coupon_redemption (tenant_id, subscription_id)
  WHERE subscription_id IS NOT NULL;
${tenantTable('coupon_redemption')}
`,
};
