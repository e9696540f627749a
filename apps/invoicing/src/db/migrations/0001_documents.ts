import { type Migration, tenantTable } from '@kontor/persistence';

export const documents: Migration = {
  name: '0001_documents',
  sql: `
CREATE TABLE invoice (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version int NOT NULL,
  type text NOT NULL CHECK (type IN (
    'TYPE_INVOICE', 'TYPE_CREDIT', 'TYPE_REFUND', 'TYPE_REMINDER', 'TYPE_CANCEL', 'TYPE_DUNNING')),
  number text,
  status text NOT NULL CHECK (status IN (
    'STATUS_DRAFT', 'STATUS_PAID', 'STATUS_CANCELLED', 'STATUS_CLOSED', 'STATUS_REFUNDED', 'STATUS_REMINDED',
    'STATUS_UNPAID', 'STATUS_NEW', 'STATUS_FINALIZING')),
  source_type text NOT NULL CHECK (source_type IN ('cart', 'subscription', 'manual')),
  customer_id uuid NOT NULL,
  currency_code text NOT NULL,
  language text NOT NULL CHECK (language IN ('de', 'en')),
  created_at timestamptz NOT NULL,
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
  net_minor bigint NOT NULL,
  discount_minor bigint NOT NULL,
  tax_minor bigint NOT NULL,
  gross_minor bigint NOT NULL,
  unpaid_minor bigint NOT NULL,
  service_from timestamptz,
  service_last timestamptz,
  exchange_rates json NOT NULL,
  media_id text,
  e_invoice_type text CHECK (e_invoice_type IN ('factorx', 'zugferd211')),
  leitweg_id text,
  xml_media_id text,
  referenced_invoice_id uuid,
  intent_id uuid,
  intent_version int NOT NULL,
  intent_status text,
  intent_amount_minor bigint,
  intent_open_minor bigint,
  intent_payment_method_id uuid,
  run_id uuid,
  billing_day text,
  grouping_key text,
  joinable boolean NOT NULL,
  blocked_reason text,
  dunning_disabled boolean NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK (net_minor + tax_minor = gross_minor),
  CHECK ((status = 'STATUS_DRAFT') = (number IS NULL)),
  CHECK ((number IS NULL) = (finalized_at IS NULL)),
  CHECK (number IS NULL
    OR (due_at IS NOT NULL AND media_id IS NOT NULL AND invoice_address IS NOT NULL AND title IS NOT NULL)),
  CHECK (NOT joinable OR status = 'STATUS_DRAFT')
);
CREATE UNIQUE INDEX invoice_number ON invoice (tenant_id, number) WHERE number IS NOT NULL;
-- Lines of one customer and due day join its open draft: there is at most one.
CREATE UNIQUE INDEX invoice_join ON invoice (tenant_id, customer_id, billing_day, grouping_key, currency_code)
  WHERE joinable;
CREATE INDEX invoice_created ON invoice (tenant_id, created_at, id);
CREATE INDEX invoice_customer ON invoice (tenant_id, customer_id, created_at, id);
CREATE INDEX invoice_status ON invoice (tenant_id, status, created_at, id);
CREATE INDEX invoice_type ON invoice (tenant_id, type, created_at, id);
CREATE INDEX invoice_source_type ON invoice (tenant_id, source_type, created_at, id);
CREATE INDEX invoice_due ON invoice (tenant_id, due_at, id);
CREATE INDEX invoice_finalized ON invoice (tenant_id, finalized_at, id);
CREATE INDEX invoice_blocked ON invoice (tenant_id, customer_id) WHERE blocked_reason IS NOT NULL;
${tenantTable('invoice')}

CREATE TABLE invoice_position (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  ordinal int NOT NULL,
  parent_id uuid,
  group_id text,
  group_name text,
  group_ranking int,
  type text NOT NULL CHECK (type IN ('product', 'discount', 'setup', 'dunning_fee', 'invoice')),
  name text NOT NULL,
  description text,
  quantity text NOT NULL,
  unit_id text,
  unit_name text,
  price_amount bigint NOT NULL,
  price_precision int NOT NULL,
  price_currency_code text NOT NULL,
  rated_net_minor bigint,
  rated_discount_minor bigint,
  discount_percentage text,
  discount_fixed_minor bigint,
  tax_group_id text NOT NULL,
  is_good boolean NOT NULL,
  product json,
  subscription_item json,
  subscription json,
  charge_id uuid,
  service_from timestamptz,
  service_last timestamptz,
  created_at timestamptz NOT NULL,
  net_minor bigint NOT NULL,
  discount_minor bigint NOT NULL,
  tax_minor bigint NOT NULL,
  gross_minor bigint NOT NULL,
  tax_category text,
  tax_rate text NOT NULL,
  tax_note_key text,
  tax json,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, invoice_id) REFERENCES invoice (tenant_id, id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  CHECK (net_minor - discount_minor + tax_minor = gross_minor),
  CHECK (discount_percentage IS NULL OR discount_fixed_minor IS NULL),
  CHECK (parent_id <> id)
);
CREATE INDEX invoice_position_invoice ON invoice_position (tenant_id, invoice_id, ordinal);
-- A charge is on one document only, whatever happens to the events.
CREATE UNIQUE INDEX invoice_position_charge ON invoice_position (tenant_id, charge_id) WHERE charge_id IS NOT NULL;
${tenantTable('invoice_position')}

CREATE TABLE invoice_subscription (
  tenant_id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, subscription_id, invoice_id),
  FOREIGN KEY (tenant_id, invoice_id) REFERENCES invoice (tenant_id, id)
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX invoice_subscription_invoice ON invoice_subscription (tenant_id, invoice_id);
${tenantTable('invoice_subscription')}

CREATE TABLE document_snapshot (
  tenant_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  snapshot json NOT NULL,
  PRIMARY KEY (tenant_id, invoice_id)
);
-- Written once, read once: compressing it would cost more than the room that it saves.
ALTER TABLE document_snapshot ALTER COLUMN snapshot SET STORAGE EXTERNAL;
${tenantTable('document_snapshot')}

-- What many snapshots name by its digest.
CREATE TABLE document_logo (
  tenant_id uuid NOT NULL,
  sha256 text NOT NULL,
  data text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, sha256)
);
${tenantTable('document_logo')}

CREATE TABLE media (
  tenant_id uuid NOT NULL,
  id text NOT NULL,
  invoice_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('pdf', 'xml', 'preview')),
  file_name text NOT NULL,
  mime_type text NOT NULL,
  blob_key text,
  size_bytes int,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX media_one_per_kind ON media (tenant_id, invoice_id, kind);
${tenantTable('media')}

CREATE TABLE invoice_history (
  tenant_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  version int NOT NULL,
  type text NOT NULL,
  at timestamptz NOT NULL,
  metadata json,
  PRIMARY KEY (tenant_id, invoice_id, version, type)
);
${tenantTable('invoice_history')}

CREATE TABLE charge_batch (
  tenant_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  invoice_id uuid,
  apart_invoice_id uuid,
  run_id uuid,
  customer_id uuid NOT NULL,
  subscription_ids json NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, batch_id)
);
CREATE INDEX charge_batch_invoice ON charge_batch (tenant_id, invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX charge_batch_apart ON charge_batch (tenant_id, apart_invoice_id) WHERE apart_invoice_id IS NOT NULL;
${tenantTable('charge_batch')}

CREATE TABLE charge_part (
  tenant_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  first_batch_id uuid NOT NULL,
  number int NOT NULL CHECK (number > 0),
  count int NOT NULL CHECK (count >= number),
  customer_id uuid NOT NULL,
  payload json NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, batch_id)
);
CREATE UNIQUE INDEX charge_part_of_invoice ON charge_part (tenant_id, first_batch_id, number);
${tenantTable('charge_part')}

CREATE TABLE number_series (
  tenant_id uuid NOT NULL,
  series text NOT NULL,
  year int NOT NULL,
  next bigint NOT NULL CHECK (next > 0),
  PRIMARY KEY (tenant_id, series, year)
) WITH (fillfactor = 20);
${tenantTable('number_series')}

CREATE TABLE stored_notice (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  data json NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
${tenantTable('stored_notice')}
`,
};
