import { type Migration, tenantTable } from '@kontor/persistence';

export const paymentsAndRates: Migration = {
  name: '0002_payments_and_rates',
  sql: `
create table payment_operation (
  tenant_id uuid not null,
  id uuid not null,
  invoice_id uuid not null,
  status text not null check (status in ('pending', 'unknown', 'succeeded', 'refused', 'cancelled')),
  request jsonb not null,
  idempotency jsonb,
  refusal text,
  created_at timestamptz not null,
  resolved_at timestamptz,
  primary key (tenant_id, id),
  check ((status in ('pending', 'unknown')) = (resolved_at is null))
);
-- One payment at a time per document: the next one waits until the outcome of this one is known.
create unique index payment_operation_open on payment_operation (tenant_id, invoice_id) where status in ('pending', 'unknown');
${tenantTable('payment_operation')}

create table exchange_rate (
  tenant_id uuid not null,
  currency_code text not null,
  date text not null check (date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  rate text not null,
  primary key (tenant_id, currency_code, date)
);
${tenantTable('exchange_rate')}

create table exchange_rate_source (
  tenant_id uuid not null,
  fetched_at timestamptz,
  primary key (tenant_id)
);
${tenantTable('exchange_rate_source')}
`,
};
