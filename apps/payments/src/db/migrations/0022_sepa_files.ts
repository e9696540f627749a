import { type Migration, tenantTable } from '@kontor/persistence';
import { fileLookup } from '@kontor/service-kit';

export const sepaFiles: Migration = {
  name: 'payments_0022_sepa_files',
  sql: `
-- Money that goes by file: one row per transaction, and in at most one file.
CREATE TABLE sepa_order (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('debit', 'transfer')),
  customer_id uuid NOT NULL,
  intent_id uuid,
  payment_method_id uuid,
  amount_minor bigint NOT NULL CHECK (amount_minor > 0 AND amount_minor <= 99999999999),
  end_to_end_id text NOT NULL CHECK (length(end_to_end_id) <= 35),
  remittance text NOT NULL,
  requested_on text NOT NULL,
  party_name text NOT NULL,
  iban_secret text,
  bic text,
  sequence_type text CHECK (sequence_type IN ('FRST', 'RCUR', 'OOFF', 'FNAL')),
  status text NOT NULL CHECK (status IN ('waiting', 'exported', 'settled', 'returned', 'cancelled')),
  status_reason text,
  file_id uuid,
  payment_information_id text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  -- Without a name, nothing is known of the party any more.
  CHECK ((kind = 'transfer') = (iban_secret IS NOT NULL) OR party_name = ''),
  CHECK ((file_id IS NOT NULL) = (status IN ('exported', 'settled', 'returned')))
);
CREATE UNIQUE INDEX sepa_order_end_to_end ON sepa_order (tenant_id, end_to_end_id);
CREATE INDEX sepa_order_waiting ON sepa_order (tenant_id, requested_on, id) WHERE status = 'waiting';
CREATE INDEX sepa_order_file ON sepa_order (tenant_id, file_id, id) WHERE file_id IS NOT NULL;
CREATE INDEX sepa_order_batch ON sepa_order (tenant_id, payment_information_id)
  WHERE payment_information_id IS NOT NULL;
CREATE INDEX sepa_order_method ON sepa_order (tenant_id, payment_method_id) WHERE payment_method_id IS NOT NULL;
CREATE INDEX sepa_order_intent ON sepa_order (tenant_id, intent_id) WHERE intent_id IS NOT NULL;

CREATE TABLE sepa_file (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('debit', 'transfer')),
  format text NOT NULL,
  message_id text NOT NULL CHECK (length(message_id) <= 35),
  file_name text NOT NULL,
  order_count integer NOT NULL CHECK (order_count > 0),
  sum_minor bigint NOT NULL CHECK (sum_minor > 0),
  batches jsonb NOT NULL,
  blob_key text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX sepa_file_message ON sepa_file (tenant_id, message_id);
CREATE INDEX sepa_file_kind ON sepa_file (tenant_id, kind, id);
CREATE INDEX sepa_file_date ON sepa_file (tenant_id, created_at DESC NULLS LAST, id DESC);
${['sepa_order', 'sepa_file'].map(tenantTable).join('\n')}
${fileLookup('sepa_file', 'blob_key')}
`,
};
