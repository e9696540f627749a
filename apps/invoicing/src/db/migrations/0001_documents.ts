import { type Migration, tenantTable } from '@kontor/persistence';

export const documents: Migration = {
  name: '0001_documents',
  sql: `
create table invoice (
  tenant_id uuid not null,
  id uuid not null,
  version int not null,
  type text not null check (type in ('TYPE_INVOICE', 'TYPE_CREDIT', 'TYPE_REFUND', 'TYPE_REMINDER', 'TYPE_CANCEL', 'TYPE_DUNNING')),
  number text,
  status text not null check (status in ('STATUS_DRAFT', 'STATUS_PAID', 'STATUS_CANCELLED', 'STATUS_CLOSED', 'STATUS_REFUNDED', 'STATUS_REMINDED', 'STATUS_UNPAID', 'STATUS_NEW', 'STATUS_FINALIZING')),
  source_type text not null check (source_type in ('cart', 'subscription', 'manual')),
  customer_id uuid not null,
  currency_code text not null,
  language text not null check (language in ('de', 'en')),
  created_at timestamptz not null,
  finalized_at timestamptz,
  due_at timestamptz,
  pay_date timestamptz,
  title text,
  introduction text,
  closing text,
  internal_note text,
  custom_fields json,
  payment_method_id uuid,
  invoice_address_id uuid,
  invoice_address json,
  net_minor bigint not null,
  discount_minor bigint not null,
  tax_minor bigint not null,
  gross_minor bigint not null,
  unpaid_minor bigint not null,
  service_from timestamptz,
  service_last timestamptz,
  exchange_rates json not null,
  media_id text,
  referenced_invoice_id uuid,
  intent_id uuid,
  intent_version int not null,
  intent_status text,
  intent_amount_minor bigint,
  intent_open_minor bigint,
  intent_payment_method_id uuid,
  run_id uuid,
  billing_day text,
  grouping_key text,
  joinable boolean not null,
  blocked_reason text,
  dunning_disabled boolean not null,
  primary key (tenant_id, id),
  check (net_minor + tax_minor = gross_minor),
  check ((status = 'STATUS_DRAFT') = (number is null)),
  check ((number is null) = (finalized_at is null)),
  check (number is null or (due_at is not null and media_id is not null and invoice_address is not null and title is not null)),
  check (not joinable or status = 'STATUS_DRAFT')
);
create unique index invoice_number on invoice (tenant_id, number) where number is not null;
-- Lines of one customer and due day join its open draft: there is at most one.
create unique index invoice_join on invoice (tenant_id, customer_id, billing_day, grouping_key, currency_code) where joinable;
create index invoice_created on invoice (tenant_id, created_at, id);
create index invoice_customer on invoice (tenant_id, customer_id, created_at, id);
create index invoice_status on invoice (tenant_id, status, created_at, id);
create index invoice_type on invoice (tenant_id, type, created_at, id);
create index invoice_source_type on invoice (tenant_id, source_type, created_at, id);
create index invoice_due on invoice (tenant_id, due_at, id);
create index invoice_finalized on invoice (tenant_id, finalized_at, id);
create index invoice_blocked on invoice (tenant_id, customer_id) where blocked_reason is not null;
${tenantTable('invoice')}

create table invoice_position (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  ordinal int not null,
  parent_id uuid,
  group_id text,
  group_name text,
  group_ranking int,
  type text not null check (type in ('product', 'discount', 'setup', 'dunning_fee', 'invoice')),
  name text not null,
  description text,
  quantity text not null,
  unit_id text,
  unit_name text,
  price_amount bigint not null,
  price_precision int not null,
  price_currency_code text not null,
  rated_net_minor bigint,
  rated_discount_minor bigint,
  discount_percentage text,
  discount_fixed_minor bigint,
  tax_group_id text not null,
  is_good boolean not null,
  product json,
  subscription_item json,
  subscription json,
  charge_id uuid,
  service_from timestamptz,
  service_last timestamptz,
  created_at timestamptz not null,
  net_minor bigint not null,
  discount_minor bigint not null,
  tax_minor bigint not null,
  gross_minor bigint not null,
  tax_category text,
  tax_rate text not null,
  tax_note_key text,
  tax json,
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id) on delete cascade deferrable initially deferred,
  check (net_minor - discount_minor + tax_minor = gross_minor),
  check (discount_percentage is null or discount_fixed_minor is null),
  check (parent_id <> id)
);
create index invoice_position_invoice on invoice_position (tenant_id, invoice_id, ordinal);
-- A charge is on one document only, whatever happens to the events.
create unique index invoice_position_charge on invoice_position (tenant_id, charge_id) where charge_id is not null;
${tenantTable('invoice_position')}

create table invoice_subscription (
  tenant_id uuid not null,
  subscription_id uuid not null,
  invoice_id uuid not null,
  primary key (tenant_id, subscription_id, invoice_id),
  foreign key (tenant_id, invoice_id) references invoice (tenant_id, id) on delete cascade deferrable initially deferred
);
create index invoice_subscription_invoice on invoice_subscription (tenant_id, invoice_id);
${tenantTable('invoice_subscription')}

create table document_snapshot (
  tenant_id uuid not null,
  invoice_id uuid not null,
  snapshot json not null,
  primary key (tenant_id, invoice_id)
);
-- Written once, read once: compressing it would cost more than the room that it saves.
alter table document_snapshot alter column snapshot set storage external;
${tenantTable('document_snapshot')}

create table media (
  tenant_id uuid not null,
  id text not null,
  invoice_id uuid not null,
  kind text not null check (kind in ('pdf', 'preview')),
  file_name text not null,
  mime_type text not null,
  blob_key text,
  size_bytes int,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create unique index media_one_per_kind on media (tenant_id, invoice_id, kind);
${tenantTable('media')}

create table invoice_history (
  tenant_id uuid not null,
  invoice_id uuid not null,
  version int not null,
  type text not null,
  at timestamptz not null,
  metadata json,
  primary key (tenant_id, invoice_id, version, type)
);
${tenantTable('invoice_history')}

create table charge_batch (
  tenant_id uuid not null,
  batch_id uuid not null,
  invoice_id uuid,
  run_id uuid,
  customer_id uuid not null,
  subscription_ids json not null,
  created_at timestamptz not null,
  primary key (tenant_id, batch_id)
);
create index charge_batch_invoice on charge_batch (tenant_id, invoice_id) where invoice_id is not null;
${tenantTable('charge_batch')}

create table number_series (
  tenant_id uuid not null,
  series text not null,
  year int not null,
  next bigint not null check (next > 0),
  primary key (tenant_id, series, year)
) with (fillfactor = 20);
${tenantTable('number_series')}

create table stored_notice (
  tenant_id uuid not null,
  id uuid not null,
  data json not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
${tenantTable('stored_notice')}
`,
};
