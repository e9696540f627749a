import { tenantTable, type Migration } from '@kontor/persistence';

/** References inside the catalogue are foreign keys, so that nothing in use can be deleted, whatever runs at the same time. */
export const catalogue: Migration = {
  name: '0003_catalogue',
  sql: `
create table product_family (
  tenant_id uuid not null,
  id uuid not null,
  version int not null,
  status text not null check (status in ('active', 'archived')),
  name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create index product_family_created on product_family (tenant_id, created_at, id);
${tenantTable('product_family')}

create table unit (
  tenant_id uuid not null,
  id uuid not null,
  version int not null,
  status text not null check (status in ('active', 'archived')),
  name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create index unit_created on unit (tenant_id, created_at, id);
${tenantTable('unit')}

create table measurement (
  tenant_id uuid not null,
  id uuid not null,
  version int not null,
  status text not null check (status in ('active', 'archived')),
  code text not null,
  description text,
  unit_id uuid,
  aggregation_type text not null check (aggregation_type in ('count', 'count_unique', 'sum', 'max', 'last_value', 'average')),
  fair_billing boolean not null,
  type text not null check (type in ('recurring', 'metered')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint measurement_code_unique unique (tenant_id, code),
  foreign key (tenant_id, unit_id) references unit (tenant_id, id)
);
create index measurement_created on measurement (tenant_id, created_at, id);
create index measurement_unit on measurement (tenant_id, unit_id) where unit_id is not null;
${tenantTable('measurement')}

create table tax_group (
  tenant_id uuid not null,
  id uuid not null,
  version int not null,
  status text not null check (status in ('active', 'archived')),
  internal_description text not null,
  type text not null check (type in ('standard', 'reduced', 'zero', 'exempt')),
  reverse_charge_type text not null
    check (reverse_charge_type in ('REVERSE_CHARGE_DEACTIVATED', 'REVERSE_CHARGE', 'REVERSE_CHARGE_INTRA_EU_SUPPLY')),
  seeded boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create unique index tax_group_seeded_once on tax_group (tenant_id, type) where seeded;
create index tax_group_created on tax_group (tenant_id, created_at, id);
${tenantTable('tax_group')}

create table product (
  tenant_id uuid not null,
  id uuid not null,
  version int not null,
  status text not null check (status in ('active', 'archived')),
  name text not null,
  type text not null check (type in ('product', 'charge', 'plan')),
  tax_group_id uuid not null,
  product_family_id uuid,
  unit_id uuid,
  measurement_id uuid,
  product_number text,
  description text,
  internal_name text,
  invoice_visibility text not null check (invoice_visibility in ('always', 'only_if_charged')),
  is_good boolean not null,
  custom_fields jsonb,
  translations jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, tax_group_id) references tax_group (tenant_id, id),
  foreign key (tenant_id, product_family_id) references product_family (tenant_id, id),
  foreign key (tenant_id, unit_id) references unit (tenant_id, id),
  foreign key (tenant_id, measurement_id) references measurement (tenant_id, id)
);
create index product_created on product (tenant_id, created_at, id);
create index product_tax_group on product (tenant_id, tax_group_id);
create index product_of_family on product (tenant_id, product_family_id) where product_family_id is not null;
create index product_unit on product (tenant_id, unit_id) where unit_id is not null;
create index product_measurement on product (tenant_id, measurement_id) where measurement_id is not null;
${tenantTable('product')}

create table price_plan (
  tenant_id uuid not null,
  id uuid not null,
  version int not null,
  status text not null check (status in ('active', 'archived')),
  product_id uuid not null,
  type text not null check (type in ('flat_fee', 'per_unit', 'tiered', 'volume', 'stair_step', 'package', 'percentage')),
  currency_code text not null,
  price_amount bigint check (price_amount >= 0),
  price_precision int,
  price_created_at timestamptz,
  price_updated_at timestamptz,
  tiers jsonb not null,
  package_size text,
  percentage text,
  billing_interval text not null,
  show_price_per_interval text,
  pay_in_advance boolean not null,
  pro_rata boolean not null,
  apply_trial boolean not null,
  free_units int not null check (free_units >= 0),
  minimum_price_amount bigint check (minimum_price_amount >= 0),
  customer_id uuid,
  measurement_id uuid not null,
  usage_metric_id uuid,
  group_prices jsonb not null,
  internal_name text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, product_id) references product (tenant_id, id),
  foreign key (tenant_id, measurement_id) references measurement (tenant_id, id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id),
  check ((price_amount is null) = (price_precision is null)),
  check ((type in ('tiered', 'volume', 'stair_step')) = (jsonb_array_length(tiers) > 0)),
  check ((type in ('tiered', 'volume', 'stair_step', 'percentage')) = (price_amount is null)),
  check ((type = 'percentage') = (percentage is not null)),
  -- What is measured is billed afterwards.
  check (usage_metric_id is null or (not pay_in_advance and type <> 'flat_fee'))
);
create index price_plan_created on price_plan (tenant_id, created_at, id);
create index price_plan_product on price_plan (tenant_id, product_id);
create index price_plan_customer on price_plan (tenant_id, customer_id) where customer_id is not null;
create index price_plan_measurement on price_plan (tenant_id, measurement_id);
create index price_plan_usage_metric on price_plan (tenant_id, usage_metric_id) where usage_metric_id is not null;
${tenantTable('price_plan')}

create table plan (
  tenant_id uuid not null,
  id uuid not null,
  version int not null,
  status text not null check (status in ('draft', 'active', 'archived')),
  code text not null,
  name text not null,
  description text,
  family_id uuid,
  origin_product_id uuid,
  allow_checkout boolean not null,
  change_behaviour text not null
    check (change_behaviour in ('upgradeable_and_downgradeable', 'upgradeable', 'downgradeable', 'not_changeable')),
  change_apply_behaviour text not null check (change_apply_behaviour in ('end_of_period', 'immediately')),
  period jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint plan_code_unique unique (tenant_id, code),
  foreign key (tenant_id, family_id) references product_family (tenant_id, id),
  foreign key (tenant_id, origin_product_id) references product (tenant_id, id)
);
create index plan_created on plan (tenant_id, created_at, id);
create index plan_family on plan (tenant_id, family_id) where family_id is not null;
create index plan_origin_product on plan (tenant_id, origin_product_id) where origin_product_id is not null;
${tenantTable('plan')}

create table plan_item (
  tenant_id uuid not null,
  plan_id uuid not null,
  ranking int not null,
  price_plan_id uuid not null,
  quantity text not null,
  primary key (tenant_id, plan_id, ranking),
  foreign key (tenant_id, plan_id) references plan (tenant_id, id) on delete cascade,
  foreign key (tenant_id, price_plan_id) references price_plan (tenant_id, id)
);
create index plan_item_price_plan on plan_item (tenant_id, price_plan_id);
${tenantTable('plan_item')}

create table billing_group (
  tenant_id uuid not null,
  id uuid not null,
  version int not null,
  status text not null check (status in ('active', 'archived')),
  name text not null,
  type text not null check (type in ('start_of_month', 'end_of_month', 'start_of_year', 'end_of_year', 'custom')),
  customer_id uuid,
  custom_day int check (custom_day between 1 and 31),
  custom_month int check (custom_month between 1 and 12),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id)
);
create index billing_group_created on billing_group (tenant_id, created_at, id);
create index billing_group_customer on billing_group (tenant_id, customer_id) where customer_id is not null;
${tenantTable('billing_group')}
`,
};
