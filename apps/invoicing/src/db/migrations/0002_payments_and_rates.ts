import { type Migration, tenantTable } from '@kontor/persistence';

export const paymentsAndRates: Migration = {
  name: '0002_payments_and_rates',
  sql: `
CREATE TABLE payment_operation (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'unknown', 'succeeded', 'refused', 'cancelled')),
  request jsonb NOT NULL,
  idempotency jsonb,
  refusal text,
  created_at timestamptz NOT NULL,
  resolved_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  CHECK ((status IN ('pending', 'unknown')) = (resolved_at IS NULL))
);
-- One payment at a time per document: the next one waits until the outcome of this one is known.
CREATE UNIQUE INDEX payment_operation_open ON payment_operation (tenant_id, invoice_id)
  WHERE status IN ('pending', 'unknown');
${tenantTable('payment_operation')}

CREATE TABLE exchange_rate (
  tenant_id uuid NOT NULL,
  currency_code text NOT NULL,
  date text NOT NULL CHECK (date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  rate text NOT NULL,
  PRIMARY KEY (tenant_id, currency_code, date)
);
${tenantTable('exchange_rate')}

CREATE TABLE exchange_rate_source (
  tenant_id uuid NOT NULL,
  fetched_at timestamptz,
  PRIMARY KEY (tenant_id)
);
${tenantTable('exchange_rate_source')}
`,
};
