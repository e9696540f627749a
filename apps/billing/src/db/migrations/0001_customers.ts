import { tenantTable, type Migration } from '@kontor/persistence';

export const customers: Migration = {
  name: '0001_customers',
  sql: `
create table customer (
  tenant_id uuid not null,
  id uuid not null,
  version int not null,
  customer_number text not null,
  external_id text,
  status text not null check (status in ('STATUS_ACTIVE', 'STATUS_ARCHIVED', 'STATUS_SUSPENDED')),
  email text not null,
  invoice_email text,
  phone text,
  company_name text,
  first_name text,
  last_name text,
  language text not null check (language in ('de', 'en')),
  country_code text not null,
  currency_code text not null,
  time_zone text not null,
  vat_id text,
  vat_id_status text not null check (vat_id_status in ('unchecked', 'valid', 'invalid', 'unavailable')),
  vat_id_validated_at timestamptz,
  parent_customer_id uuid,
  accounting_system_id text,
  custom_fields jsonb,
  settings jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  constraint customer_number_unique unique (tenant_id, customer_number),
  constraint customer_parent_exists foreign key (tenant_id, parent_customer_id) references customer (tenant_id, id),
  check (parent_customer_id <> id)
);
create unique index customer_external_id_unique on customer (tenant_id, external_id) where external_id is not null;
create index customer_created on customer (tenant_id, created_at, id);
create index customer_email on customer (tenant_id, email);
create index customer_company on customer (tenant_id, company_name);
create index customer_status on customer (tenant_id, status, created_at);
create index customer_parent on customer (tenant_id, parent_customer_id) where parent_customer_id is not null;
${tenantTable('customer')}

create table customer_address (
  tenant_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  type text not null check (type in ('TYPE_DEFAULT', 'TYPE_INVOICE')),
  is_default boolean not null,
  status text not null check (status in ('active', 'archived')),
  company_name text,
  salutation text,
  first_name text,
  last_name text,
  street text,
  house_number text,
  zip text,
  city text,
  addition text,
  country_code text not null,
  vat_id text,
  cost_centre text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, customer_id) references customer (tenant_id, id) on delete cascade,
  check (status = 'active' or not is_default)
);
create index customer_address_customer on customer_address (tenant_id, customer_id, created_at);
create unique index customer_address_one_default on customer_address (tenant_id, customer_id, type) where is_default;
${tenantTable('customer_address')}

create table number_series (
  tenant_id uuid not null,
  series text not null,
  next int not null,
  primary key (tenant_id, series)
);
${tenantTable('number_series')}
`,
};
