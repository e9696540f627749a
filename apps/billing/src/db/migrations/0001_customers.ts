import { tenantTable, type Migration } from '@kontor/persistence';

export const customers: Migration = {
  name: '0001_customers',
  sql: `
CREATE TABLE customer (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version int NOT NULL,
  customer_number text NOT NULL,
  external_id text,
  status text NOT NULL CHECK (status IN ('STATUS_ACTIVE', 'STATUS_ARCHIVED', 'STATUS_SUSPENDED')),
  email text NOT NULL,
  invoice_email text,
  phone text,
  company_name text,
  first_name text,
  last_name text,
  language text NOT NULL CHECK (language IN ('de', 'en')),
  country_code text NOT NULL,
  currency_code text NOT NULL,
  time_zone text NOT NULL,
  vat_id text,
  vat_id_status text NOT NULL CHECK (vat_id_status IN ('unchecked', 'valid', 'invalid', 'unavailable')),
  vat_id_validated_at timestamptz,
  parent_customer_id uuid,
  invoices_to text NOT NULL DEFAULT 'self' CHECK (invoices_to IN ('self', 'parent')),
  accounting_system_id text,
  custom_fields jsonb,
  settings jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT customer_number_unique UNIQUE (tenant_id, customer_number),
  CONSTRAINT customer_parent_exists FOREIGN KEY (tenant_id, parent_customer_id) REFERENCES customer (tenant_id, id),
  CHECK (parent_customer_id <> id),
  CHECK (invoices_to = 'self' OR parent_customer_id IS NOT NULL)
);
CREATE UNIQUE INDEX customer_external_id_unique ON customer (tenant_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX customer_created ON customer (tenant_id, created_at, id);
CREATE INDEX customer_email ON customer (tenant_id, email);
-- Who declares a cancellation types it as people do.
CREATE INDEX customer_email_any_case ON customer (tenant_id, lower(email));
CREATE INDEX customer_company ON customer (tenant_id, company_name);
CREATE INDEX customer_status ON customer (tenant_id, status, created_at);
CREATE INDEX customer_parent ON customer (tenant_id, parent_customer_id) WHERE parent_customer_id IS NOT NULL;
CREATE INDEX customer_paid_for ON customer (tenant_id, parent_customer_id) WHERE invoices_to = 'parent';
${tenantTable('customer')}

CREATE TABLE customer_address (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  type text NOT NULL CHECK (type IN ('TYPE_DEFAULT', 'TYPE_INVOICE')),
  is_default boolean NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'archived')),
  company_name text,
  salutation text,
  first_name text,
  last_name text,
  street text,
  house_number text,
  zip text,
  city text,
  addition text,
  country_code text NOT NULL,
  vat_id text,
  cost_centre text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, customer_id) REFERENCES customer (tenant_id, id) ON DELETE CASCADE,
  CHECK (status = 'active' OR NOT is_default)
);
CREATE INDEX customer_address_customer ON customer_address (tenant_id, customer_id, created_at);
CREATE UNIQUE INDEX customer_address_one_default ON customer_address (tenant_id, customer_id, type) WHERE is_default;
${tenantTable('customer_address')}

CREATE TABLE number_series (
  tenant_id uuid NOT NULL,
  series text NOT NULL,
  next int NOT NULL,
  PRIMARY KEY (tenant_id, series)
);
${tenantTable('number_series')}
`,
};
