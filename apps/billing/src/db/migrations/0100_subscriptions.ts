import { type Migration, tenantTable } from '@kontor/persistence';

/** Calendar days are text (`YYYY-MM-DD`, the customer's zone): they are compared as text and never converted in SQL. */
export const subscriptions: Migration = {
  name: '0100_subscriptions',
  sql: `
create table subscription (
  tenant_id uuid not null,
  id uuid not null,
  version int not null,
  number text not null,
  external_id text,
  customer_id uuid not null,
  plan_id uuid,
  name text,
  status text not null check (status in ('draft', 'active', 'paused', 'cancelled', 'terminated', 'offer')),
  billing_start timestamptz,
  trial_days int not null check (trial_days >= 0),
  trial_ends_on timestamptz,
  trial_ended_at timestamptz,
  billing_group_id uuid,
  payment_method_id uuid,
  invoice_address_id uuid,
  po_number text,
  custom_fields jsonb,
  contract_start timestamptz,
  contract_end timestamptz,
  contract_period_count int,
  contract_period text,
  cancellation_period text,
  anchor_on text,
  pauses jsonb not null,
  ends_on text,
  activated_at timestamptz,
  cancellation_date timestamptz,
  cancelled_at timestamptz,
  cancellation_reason jsonb,
  terminated_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint subscription_number_unique unique (tenant_id, number),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id),
  foreign key (tenant_id, plan_id) references plan (tenant_id, id),
  foreign key (tenant_id, billing_group_id) references billing_group (tenant_id, id)
);
create unique index subscription_external_id_unique on subscription (tenant_id, external_id) where external_id is not null;
create index subscription_customer on subscription (tenant_id, customer_id, created_at, id);
create index subscription_status on subscription (tenant_id, status, created_at, id);
create index subscription_created on subscription (tenant_id, created_at, id);
create index subscription_plan on subscription (tenant_id, plan_id) where plan_id is not null;
create index subscription_billing_group on subscription (tenant_id, billing_group_id) where billing_group_id is not null;
${tenantTable('subscription')}

create table subscription_item (
  tenant_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  customer_id uuid not null,
  ranking int not null,
  type text not null check (type in ('plan', 'addon', 'product')),
  status text not null check (status in ('pending', 'active', 'cancelled', 'terminated')),
  price_plan_id uuid not null,
  quantity text not null,
  name text,
  description text,
  start_date timestamptz,
  start_on text,
  anchor_on text,
  ends_on text,
  billed_from text,
  billed_to text,
  credit_from text,
  credit_due_on text,
  next_price_plan_id uuid,
  next_quantity text,
  next_from text,
  next_due_on text,
  last_billed_at timestamptz,
  revision int not null,
  activated_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, subscription_id) references subscription (tenant_id, id) on delete cascade,
  foreign key (tenant_id, price_plan_id) references price_plan (tenant_id, id),
  foreign key (tenant_id, next_price_plan_id) references price_plan (tenant_id, id)
) with (fillfactor = 80);
create index subscription_item_subscription on subscription_item (tenant_id, subscription_id, ranking);
create index subscription_item_price_plan on subscription_item (tenant_id, price_plan_id);
-- Nothing that a run changes is indexed here: its updates stay on their page (HOT).
create index subscription_item_customer on subscription_item (tenant_id, customer_id);
create index subscription_item_next_price_plan on subscription_item (tenant_id, next_price_plan_id) where next_price_plan_id is not null;
${tenantTable('subscription_item')}
`,
};
