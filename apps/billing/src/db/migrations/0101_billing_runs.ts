import { type Migration, tenantTable } from '@kontor/persistence';

export const billingRuns: Migration = {
  name: '0101_billing_runs',
  sql: `
-- Payment methods of a customer, from their copies: operators on jsonb are not leakproof, so no index serves them under
-- row-level security; a stored column has one.
alter table replica add column method_customer_id text generated always as (case when kind = 'payment_method' then data->>'customerId' end) stored;
create index replica_method_customer on replica (tenant_id, method_customer_id) where method_customer_id is not null;

-- One row per customer with subscriptions. Whoever changes what is billed locks it first, and its version tells a run that
-- rated outside of a transaction whether what it read still holds.
create table billing_account (
  tenant_id uuid not null,
  customer_id uuid not null,
  version bigint not null default 1,
  charges_seq bigint not null default 0,
  due_on text,
  requested_run_id uuid,
  requested_date text,
  primary key (tenant_id, customer_id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade
) with (fillfactor = 80);
${tenantTable('billing_account')}

create table billing_run (
  tenant_id uuid not null,
  id uuid not null,
  date text not null,
  kind text not null check (kind in ('daily', 'requested')),
  status text not null check (status in ('running', 'completed')),
  due int not null,
  accounts_open int not null,
  batches_open int not null check (batches_open >= 0),
  opened_at timestamptz not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (tenant_id, id)
);
create index billing_run_created on billing_run (tenant_id, created_at, id);
create index billing_run_status on billing_run (tenant_id, status, created_at);
create unique index billing_run_daily on billing_run (tenant_id, date) where kind = 'daily';
${tenantTable('billing_run')}

create table billing_run_failure (
  tenant_id uuid not null,
  run_id uuid not null,
  subscription_id uuid not null,
  reason text not null,
  primary key (tenant_id, run_id, subscription_id),
  foreign key (tenant_id, run_id) references billing_run (tenant_id, id) on delete cascade
);
${tenantTable('billing_run_failure')}

create table charge_batch (
  tenant_id uuid not null,
  id uuid not null,
  run_id uuid,
  customer_id uuid not null,
  billing_day text not null,
  grouping_key text not null,
  batch text not null,
  subscription_ids jsonb not null,
  settled_at timestamptz,
  invoice_id uuid,
  blocked_reason text,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  constraint charge_batch_once unique (tenant_id, customer_id, billing_day, grouping_key, batch)
);
create index charge_batch_run on charge_batch (tenant_id, run_id) where run_id is not null;
${tenantTable('charge_batch')}

create table charge (
  tenant_id uuid not null,
  id uuid not null,
  batch_id uuid,
  subscription_id uuid not null,
  item_id uuid not null,
  kind text not null check (kind in ('regular', 'credit', 'correction', 'setup')),
  price_plan_id uuid not null,
  quantity text not null,
  currency_code text not null,
  due_on text not null,
  service_from text not null,
  service_to text not null,
  interval_from text not null,
  interval_to text not null,
  net_minor bigint not null,
  discount_minor bigint not null check (discount_minor >= 0),
  used_to text not null,
  used_minor bigint not null,
  credited_charge_id uuid,
  revision int not null,
  explanation jsonb not null,
  created_at timestamptz not null,
  -- The promise that nothing is charged twice: one line of a kind per period of an item and re-rating.
  primary key (tenant_id, item_id, kind, service_from, revision),
  check (service_from < service_to)
);
${tenantTable('charge')}
`,
};
