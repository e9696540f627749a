import { type Migration, tenantTable } from '@kontor/persistence';

/** Files that are imported line by line: what became of a line is stored with its effect. */
export const imports: Migration = {
  name: 'billing_0190_imports',
  sql: `
CREATE TABLE import (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('customers', 'products', 'price-plans', 'subscriptions')),
  dry_run boolean NOT NULL,
  file_name text,
  status text NOT NULL CHECK (status IN ('running', 'completed')),
  lines int NOT NULL,
  taken_to int NOT NULL,
  imported int NOT NULL,
  duplicates int NOT NULL,
  failed int NOT NULL,
  created_at timestamptz NOT NULL,
  completed_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX import_created ON import (tenant_id, created_at, id);
${tenantTable('import')}

CREATE TABLE import_line (
  tenant_id uuid NOT NULL,
  import_id uuid NOT NULL,
  line int NOT NULL,
  cells jsonb NOT NULL,
  status text NOT NULL CHECK (status IN ('waiting', 'valid', 'imported', 'failed')),
  object_id uuid,
  code text,
  message text,
  property_path text,
  PRIMARY KEY (tenant_id, import_id, line),
  FOREIGN KEY (tenant_id, import_id) REFERENCES import (tenant_id, id) ON DELETE CASCADE
);
${tenantTable('import_line')}
`,
};
