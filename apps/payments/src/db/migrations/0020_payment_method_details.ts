import type { Migration } from '@kontor/persistence';

export const paymentMethodDetails: Migration = {
  name: 'payments_0020_payment_method_details',
  sql: `
ALTER TABLE payment_method
  ADD COLUMN details jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN secret text,
  ADD COLUMN mandate_reference text,
  ADD COLUMN next_sequence text CHECK (next_sequence IN ('FRST', 'RCUR', 'OOFF', 'FNAL')),
  ADD COLUMN mandate_used_at timestamptz,
  ADD COLUMN status_reason text;
-- Banks read references without regard to case, and one is never given again.
CREATE UNIQUE INDEX payment_method_mandate ON payment_method (tenant_id, upper(mandate_reference))
  WHERE mandate_reference IS NOT NULL;
CREATE INDEX payment_method_reference ON payment_method (tenant_id, gateway_name, reference_id)
  WHERE reference_id IS NOT NULL;
`,
};
