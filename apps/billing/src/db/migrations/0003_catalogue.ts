import { tenantTable, type Migration } from '@kontor/persistence';

/** References inside the catalogue are foreign keys, so that nothing in use can be deleted, whatever runs at the same time. */
export const catalogue: Migration = {
  name: '0003_catalogue',
  sql: `
CREATE TABLE product_family (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version int NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'archived')),
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX product_family_created ON product_family (tenant_id, created_at, id);
${tenantTable('product_family')}

CREATE TABLE unit (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version int NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'archived')),
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX unit_created ON unit (tenant_id, created_at, id);
${tenantTable('unit')}

CREATE TABLE measurement (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version int NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'archived')),
  code text NOT NULL,
  description text,
  unit_id uuid,
  aggregation_type text NOT NULL CHECK (aggregation_type IN ('count', 'count_unique', 'sum', 'max', 'last_value', 'average')),
  fair_billing boolean NOT NULL,
  type text NOT NULL CHECK (type IN ('recurring', 'metered')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT measurement_code_unique UNIQUE (tenant_id, code),
  FOREIGN KEY (tenant_id, unit_id) REFERENCES unit (tenant_id, id)
);
CREATE INDEX measurement_created ON measurement (tenant_id, created_at, id);
CREATE INDEX measurement_unit ON measurement (tenant_id, unit_id) WHERE unit_id IS NOT NULL;
${tenantTable('measurement')}

CREATE TABLE tax_group (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version int NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'archived')),
  internal_description text NOT NULL,
  type text NOT NULL CHECK (type IN ('standard', 'reduced', 'zero', 'exempt')),
  reverse_charge_type text NOT NULL
    CHECK (reverse_charge_type IN ('REVERSE_CHARGE_DEACTIVATED', 'REVERSE_CHARGE', 'REVERSE_CHARGE_INTRA_EU_SUPPLY')),
  seeded boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX tax_group_seeded_once ON tax_group (tenant_id, type) WHERE seeded;
CREATE INDEX tax_group_created ON tax_group (tenant_id, created_at, id);
${tenantTable('tax_group')}

CREATE TABLE product (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version int NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'archived')),
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('product', 'charge', 'plan')),
  tax_group_id uuid NOT NULL,
  product_family_id uuid,
  unit_id uuid,
  measurement_id uuid,
  product_number text,
  description text,
  internal_name text,
  invoice_visibility text NOT NULL CHECK (invoice_visibility IN ('always', 'only_if_charged')),
  is_good boolean NOT NULL,
  custom_fields jsonb,
  translations jsonb,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, tax_group_id) REFERENCES tax_group (tenant_id, id),
  FOREIGN KEY (tenant_id, product_family_id) REFERENCES product_family (tenant_id, id),
  FOREIGN KEY (tenant_id, unit_id) REFERENCES unit (tenant_id, id),
  FOREIGN KEY (tenant_id, measurement_id) REFERENCES measurement (tenant_id, id)
);
CREATE INDEX product_created ON product (tenant_id, created_at, id);
CREATE INDEX product_tax_group ON product (tenant_id, tax_group_id);
CREATE INDEX product_of_family ON product (tenant_id, product_family_id) WHERE product_family_id IS NOT NULL;
CREATE INDEX product_unit ON product (tenant_id, unit_id) WHERE unit_id IS NOT NULL;
CREATE INDEX product_measurement ON product (tenant_id, measurement_id) WHERE measurement_id IS NOT NULL;
${tenantTable('product')}

CREATE TABLE price_plan (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version int NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'archived')),
  product_id uuid NOT NULL,
  type text NOT NULL CHECK (type IN ('flat_fee', 'per_unit', 'tiered', 'volume', 'stair_step', 'package', 'percentage')),
  currency_code text NOT NULL,
  price_amount bigint CHECK (price_amount >= 0),
  price_precision int,
  price_created_at timestamptz,
  price_updated_at timestamptz,
  tiers jsonb NOT NULL,
  package_size text,
  percentage text,
  billing_interval text NOT NULL,
  show_price_per_interval text,
  pay_in_advance boolean NOT NULL,
  pro_rata boolean NOT NULL,
  apply_trial boolean NOT NULL,
  free_units int NOT NULL CHECK (free_units >= 0),
  minimum_price_amount bigint CHECK (minimum_price_amount >= 0),
  customer_id uuid,
  measurement_id uuid NOT NULL,
  usage_metric_id uuid,
  group_prices jsonb NOT NULL,
  internal_name text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, product_id) REFERENCES product (tenant_id, id),
  FOREIGN KEY (tenant_id, measurement_id) REFERENCES measurement (tenant_id, id),
  FOREIGN KEY (tenant_id, customer_id) REFERENCES customer (tenant_id, id),
  CHECK ((price_amount IS NULL) = (price_precision IS NULL)),
  CHECK ((type IN ('tiered', 'volume', 'stair_step')) = (jsonb_array_length(tiers) > 0)),
  CHECK ((type IN ('tiered', 'volume', 'stair_step', 'percentage')) = (price_amount IS NULL)),
  CHECK ((type = 'percentage') = (percentage IS NOT NULL)),
  -- What is measured is billed afterwards.
  CHECK (usage_metric_id IS NULL OR (NOT pay_in_advance AND type <> 'flat_fee'))
);
CREATE INDEX price_plan_created ON price_plan (tenant_id, created_at, id);
CREATE INDEX price_plan_product ON price_plan (tenant_id, product_id);
CREATE INDEX price_plan_customer ON price_plan (tenant_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX price_plan_measurement ON price_plan (tenant_id, measurement_id);
CREATE INDEX price_plan_usage_metric ON price_plan (tenant_id, usage_metric_id) WHERE usage_metric_id IS NOT NULL;
${tenantTable('price_plan')}

CREATE TABLE plan (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version int NOT NULL,
  status text NOT NULL CHECK (status IN ('draft', 'active', 'archived')),
  code text NOT NULL,
  name text NOT NULL,
  description text,
  family_id uuid,
  origin_product_id uuid,
  allow_checkout boolean NOT NULL,
  change_behaviour text NOT NULL
    CHECK (change_behaviour IN ('upgradeable_and_downgradeable', 'upgradeable', 'downgradeable', 'not_changeable')),
  change_apply_behaviour text NOT NULL CHECK (change_apply_behaviour IN ('end_of_period', 'immediately')),
  rank int,
  period jsonb,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT plan_code_unique UNIQUE (tenant_id, code),
  FOREIGN KEY (tenant_id, family_id) REFERENCES product_family (tenant_id, id),
  FOREIGN KEY (tenant_id, origin_product_id) REFERENCES product (tenant_id, id)
);
CREATE INDEX plan_created ON plan (tenant_id, created_at, id);
CREATE INDEX plan_family ON plan (tenant_id, family_id) WHERE family_id IS NOT NULL;
CREATE INDEX plan_origin_product ON plan (tenant_id, origin_product_id) WHERE origin_product_id IS NOT NULL;
${tenantTable('plan')}

CREATE TABLE plan_item (
  tenant_id uuid NOT NULL,
  plan_id uuid NOT NULL,
  ranking int NOT NULL,
  price_plan_id uuid NOT NULL,
  quantity text NOT NULL,
  PRIMARY KEY (tenant_id, plan_id, ranking),
  FOREIGN KEY (tenant_id, plan_id) REFERENCES plan (tenant_id, id) ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, price_plan_id) REFERENCES price_plan (tenant_id, id)
);
CREATE INDEX plan_item_price_plan ON plan_item (tenant_id, price_plan_id);
${tenantTable('plan_item')}

CREATE TABLE billing_group (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version int NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'archived')),
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('start_of_month', 'end_of_month', 'start_of_year', 'end_of_year', 'custom')),
  customer_id uuid,
  custom_day int CHECK (custom_day BETWEEN 1 AND 31),
  custom_month int CHECK (custom_month BETWEEN 1 AND 12),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, customer_id) REFERENCES customer (tenant_id, id)
);
CREATE INDEX billing_group_created ON billing_group (tenant_id, created_at, id);
CREATE INDEX billing_group_customer ON billing_group (tenant_id, customer_id) WHERE customer_id IS NOT NULL;
${tenantTable('billing_group')}
`,
};
