import { type Migration, tenantTable } from '@kontor/persistence';

/**
 * `entitlement.status` is what was announced last; what it is now follows from the row, its feature and its subscription.
 * What a product or price gives to an item is a row like any grant, so that it can be disabled and announced by itself.
 */
export const entitlements: Migration = {
  name: 'billing_0170_entitlements',
  sql: `
CREATE TABLE feature (
  tenant_id uuid NOT NULL,
  id text NOT NULL,
  version int NOT NULL,
  name text NOT NULL,
  description text,
  status text NOT NULL CHECK (status IN ('draft', 'active', 'archived')),
  type text NOT NULL CHECK (type IN ('switch', 'custom', 'quantity', 'range')),
  config jsonb,
  unit_id uuid,
  usage_metric_id uuid,
  activated_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, unit_id) REFERENCES unit (tenant_id, id)
);
CREATE INDEX feature_created ON feature (tenant_id, created_at, id);
CREATE INDEX feature_unit ON feature (tenant_id, unit_id) WHERE unit_id IS NOT NULL;
${tenantTable('feature')}

CREATE TABLE feature_assignment (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  feature_id text NOT NULL,
  product_id uuid,
  price_plan_id uuid,
  value text NOT NULL,
  valid_from timestamptz,
  valid_until timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, feature_id) REFERENCES feature (tenant_id, id),
  FOREIGN KEY (tenant_id, product_id) REFERENCES product (tenant_id, id),
  FOREIGN KEY (tenant_id, price_plan_id) REFERENCES price_plan (tenant_id, id),
  CHECK ((product_id IS NULL) <> (price_plan_id IS NULL)),
  CHECK (valid_until > valid_from)
);
CREATE INDEX feature_assignment_feature ON feature_assignment (tenant_id, feature_id, created_at, id);
CREATE INDEX feature_assignment_product ON feature_assignment (tenant_id, product_id) WHERE product_id IS NOT NULL;
CREATE INDEX feature_assignment_price ON feature_assignment (tenant_id, price_plan_id) WHERE price_plan_id IS NOT NULL;
${tenantTable('feature_assignment')}

CREATE TABLE entitlement (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version int NOT NULL,
  feature_id text NOT NULL,
  customer_id uuid NOT NULL,
  subscription_id uuid,
  subscription_item_id uuid,
  source text NOT NULL CHECK (source IN ('subscription', 'item', 'customer', 'product', 'price')),
  assignment_id uuid,
  value text NOT NULL,
  active boolean NOT NULL,
  valid_from timestamptz,
  valid_until timestamptz,
  ended_at timestamptz,
  status text NOT NULL CHECK (status IN ('active', 'pending', 'disabled', 'expired')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, feature_id) REFERENCES feature (tenant_id, id),
  FOREIGN KEY (tenant_id, customer_id) REFERENCES customer (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, subscription_id) REFERENCES subscription (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, subscription_item_id) REFERENCES subscription_item (tenant_id, id) ON DELETE CASCADE,
  CHECK ((source = 'customer') = (subscription_id IS NULL)),
  CHECK ((source IN ('item', 'product', 'price')) = (subscription_item_id IS NOT NULL)),
  CHECK ((source IN ('product', 'price')) = (assignment_id IS NOT NULL))
);
CREATE INDEX entitlement_customer ON entitlement (tenant_id, customer_id, created_at, id);
CREATE INDEX entitlement_subscription ON entitlement (tenant_id, subscription_id, created_at, id)
  WHERE subscription_id IS NOT NULL;
CREATE INDEX entitlement_item ON entitlement (tenant_id, subscription_item_id, created_at, id)
  WHERE subscription_item_id IS NOT NULL;
CREATE INDEX entitlement_feature ON entitlement (tenant_id, feature_id, id);
CREATE UNIQUE INDEX entitlement_once ON entitlement (tenant_id, assignment_id, subscription_item_id)
  WHERE assignment_id IS NOT NULL;
${tenantTable('entitlement')}
`,
};
