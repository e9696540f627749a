import { type Migration, tenantTable } from '@kontor/persistence';

export const bank: Migration = {
  name: 'payments_0030_bank',
  sql: `
CREATE TABLE bank_account (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  name text,
  iban text NOT NULL,
  bic text,
  currency_code text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX bank_account_iban ON bank_account (tenant_id, iban, currency_code);
CREATE INDEX bank_account_created ON bank_account (tenant_id, created_at DESC, id DESC);

-- One booking of a statement as the bank made it; what makes it "the same" in another file. Its lines are its parts.
CREATE TABLE bank_entry (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  bank_account_id uuid NOT NULL,
  booking_day text NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor <> 0),
  fingerprint text NOT NULL,
  occurrence integer NOT NULL,
  format text NOT NULL CHECK (format IN ('camt053', 'mt940', 'json')),
  bank_reference text,
  end_to_end_id text,
  counterparty_iban text,
  text_key text NOT NULL,
  import_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX bank_entry_once ON bank_entry (tenant_id, bank_account_id, fingerprint, occurrence);
CREATE INDEX bank_entry_day ON bank_entry (tenant_id, bank_account_id, booking_day);

-- A line to be assigned: an entry, or one part of a batch entry. Amounts are signed: money in is positive.
CREATE TABLE bank_transaction (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  bank_account_id uuid NOT NULL,
  entry_id uuid NOT NULL,
  import_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('STATUS_RECEIVED', 'STATUS_SUGGESTIONS_AVAILABLE',
    'STATUS_MANUAL_MATCHING_REQUIRED', 'STATUS_OUTSTANDING_AMOUNT', 'STATUS_BOOKED', 'STATUS_IGNORED')),
  is_return boolean NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor <> 0),
  unassigned_minor bigint NOT NULL,
  currency_code text NOT NULL,
  booking_date timestamptz NOT NULL,
  value_date timestamptz NOT NULL,
  reference text NOT NULL,
  end_to_end_id text,
  mandate_reference text,
  counterparty_name text,
  counterparty_iban text,
  remittance_information text,
  return_reason text,
  charges_minor bigint NOT NULL CHECK (charges_minor >= 0),
  batch_ids jsonb NOT NULL,
  suggestions jsonb NOT NULL,
  -- Somebody took an assignment back: from then on it is suggested, never booked by itself.
  by_hand boolean NOT NULL,
  version integer NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK (CASE WHEN amount_minor > 0 THEN unassigned_minor BETWEEN 0 AND amount_minor
    ELSE unassigned_minor BETWEEN amount_minor AND 0 END),
  CHECK ((status = 'STATUS_BOOKED') <= (unassigned_minor = 0))
) WITH (fillfactor = 80);
CREATE INDEX bank_transaction_date ON bank_transaction (tenant_id, booking_date DESC NULLS LAST, id DESC);
CREATE INDEX bank_transaction_status ON bank_transaction (tenant_id, status, id) WHERE status <> 'STATUS_BOOKED';
CREATE INDEX bank_transaction_booked ON bank_transaction (tenant_id, id) WHERE status = 'STATUS_BOOKED';
CREATE INDEX bank_transaction_account ON bank_transaction (tenant_id, bank_account_id, id);
CREATE INDEX bank_transaction_end_to_end ON bank_transaction (tenant_id, end_to_end_id) WHERE end_to_end_id IS NOT NULL;
CREATE INDEX bank_transaction_counterparty ON bank_transaction (tenant_id, counterparty_iban, id)
  WHERE counterparty_iban IS NOT NULL;
CREATE INDEX bank_transaction_import ON bank_transaction (tenant_id, import_id, id);
CREATE INDEX bank_transaction_returns ON bank_transaction (tenant_id, id) WHERE is_return;

CREATE TABLE bank_assignment (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  bank_transaction_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  amount_minor bigint NOT NULL CHECK (amount_minor <> 0),
  revoked_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX bank_assignment_line ON bank_assignment (tenant_id, bank_transaction_id) WHERE revoked_at IS NULL;
CREATE INDEX bank_assignment_payment ON bank_assignment (tenant_id, transaction_id);
CREATE INDEX bank_assignment_invoice ON bank_assignment (tenant_id, invoice_id) WHERE revoked_at IS NULL;

-- Who paid for whom before: what the next transfer of the same payer may be for.
CREATE TABLE bank_payer (
  tenant_id uuid NOT NULL,
  -- 'iban' and 'name' of who has paid for the customer; 'customer': what the customer is called.
  kind text NOT NULL CHECK (kind IN ('iban', 'name', 'customer')),
  value text NOT NULL,
  customer_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, kind, value, customer_id)
);
CREATE INDEX bank_payer_customer ON bank_payer (tenant_id, customer_id) WHERE kind = 'customer';

CREATE TABLE bank_import (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  bank_account_id uuid NOT NULL,
  format text NOT NULL,
  imported integer NOT NULL,
  duplicates integer NOT NULL,
  failed integer NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);

ALTER TABLE payment_transaction ADD COLUMN bank_transaction_id uuid;
CREATE INDEX payment_transaction_bank ON payment_transaction (tenant_id, bank_transaction_id)
  WHERE bank_transaction_id IS NOT NULL;

-- Document numbers as people type them: without spaces, dashes, slashes and case.
ALTER TABLE payment_intent ADD COLUMN document_key text GENERATED ALWAYS AS (upper(regexp_replace(document_number,
  '[^0-9A-Za-z]', '', 'g'))) STORED;
CREATE INDEX payment_intent_document ON payment_intent (tenant_id, document_key);

${['bank_account', 'bank_entry', 'bank_transaction', 'bank_assignment', 'bank_payer', 'bank_import'].map(tenantTable).join('\n')}
`,
};
