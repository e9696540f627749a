import { tenantTable, type Migration } from '@kontor/persistence';

export const settings: Migration = {
  name: '0002_settings',
  sql: `
CREATE TABLE billing_settings (
  tenant_id uuid PRIMARY KEY,
  version int NOT NULL,
  "values" jsonb NOT NULL,
  updated_at timestamptz NOT NULL
);
${tenantTable('billing_settings')}

CREATE TABLE custom_field (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  object text NOT NULL CHECK (object IN ('customer', 'subscription', 'invoice', 'product')),
  key text NOT NULL,
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('text', 'number', 'boolean', 'date', 'select')),
  options jsonb NOT NULL,
  required boolean NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT custom_field_key_unique UNIQUE (tenant_id, object, key)
);
${tenantTable('custom_field')}
`,
};
