import { type Migration, tenantTable } from '@kontor/persistence';

/** Rules of dunning, the reminders and dunning letters, and how far an invoice has come. */
export const dunning: Migration = {
  name: 'invoicing_0170_dunning',
  sql: `
ALTER TABLE invoice
  ADD COLUMN dunning_level int NOT NULL DEFAULT 0 CHECK (dunning_level >= 0),
  ADD COLUMN dunning_status text NOT NULL DEFAULT 'none' CHECK (dunning_status IN ('reminder', 'dunning', 'none')),
  ADD COLUMN last_reminder_at timestamptz,
  ADD COLUMN dunning json;
-- Open invoices by the day from which their next level counts.
CREATE INDEX invoice_overdue ON invoice (tenant_id, (coalesce(last_reminder_at, due_at)), id)
  WHERE status = 'STATUS_UNPAID' AND type = 'TYPE_INVOICE' AND NOT dunning_disabled;
CREATE INDEX invoice_dunning_status ON invoice (tenant_id, dunning_status, created_at, id)
  WHERE dunning_status <> 'none';

CREATE TABLE dunning_rule (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  level int NOT NULL CHECK (level > 0),
  type text NOT NULL CHECK (type IN ('reminder', 'dunning')),
  days_overdue int NOT NULL CHECK (days_overdue >= 0),
  due_in_days int NOT NULL CHECK (due_in_days >= 0),
  fee_minor bigint NOT NULL CHECK (fee_minor >= 0),
  fee_currency_code text NOT NULL,
  attach_original_invoice boolean NOT NULL,
  is_enabled boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT dunning_rule_level UNIQUE (tenant_id, level)
);
${tenantTable('dunning_rule')}

-- Each is a row of invoice, too: with its number, its snapshot, its file and the amount of its fees.
CREATE TABLE dunning_document (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  level int NOT NULL,
  type text NOT NULL CHECK (type IN ('reminder', 'dunning')),
  status text NOT NULL CHECK (status IN ('open', 'cancelled', 'paid')),
  document_day text NOT NULL,
  created_at timestamptz NOT NULL,
  open_minor bigint NOT NULL,
  earlier_fees_minor bigint NOT NULL,
  fee_minor bigint NOT NULL,
  interest_minor bigint NOT NULL,
  interest_to text,
  lump_sum_minor bigint NOT NULL,
  claim_minor bigint NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK (claim_minor = open_minor + earlier_fees_minor + fee_minor + interest_minor + lump_sum_minor)
);
-- At most one a day and invoice, whoever runs at the same time.
CREATE UNIQUE INDEX dunning_document_daily ON dunning_document (tenant_id, invoice_id, document_day);
CREATE INDEX dunning_document_created ON dunning_document (tenant_id, created_at, id);
CREATE INDEX dunning_document_customer ON dunning_document (tenant_id, customer_id, created_at, id);
${tenantTable('dunning_document')}

CREATE TABLE document_template (
  tenant_id uuid NOT NULL,
  kind text NOT NULL,
  language text NOT NULL,
  texts json NOT NULL,
  version int NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, kind, language)
);
${tenantTable('document_template')}
`,
};
