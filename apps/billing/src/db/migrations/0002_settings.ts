import { tenantTable, type Migration } from '@kontor/persistence';

export const settings: Migration = {
  name: '0002_settings',
  sql: `
create table billing_settings (
  tenant_id uuid primary key,
  version int not null,
  values jsonb not null,
  updated_at timestamptz not null
);
${tenantTable('billing_settings')}

create table custom_field (
  tenant_id uuid not null,
  id uuid not null,
  object text not null check (object in ('customer', 'subscription', 'invoice', 'product')),
  key text not null,
  name text not null,
  type text not null check (type in ('text', 'number', 'boolean', 'date', 'select')),
  options jsonb not null,
  required boolean not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  constraint custom_field_key_unique unique (tenant_id, object, key)
);
${tenantTable('custom_field')}
`,
};
