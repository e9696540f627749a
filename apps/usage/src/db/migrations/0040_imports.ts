import { type Migration, tenantTable } from '@kontor/persistence';

/**
 * Files of events on their way in. `updated_at` is real time: an import without a report for a while was interrupted.
 */
export const imports: Migration = {
  name: 'usage_0040_imports',
  sql: `
CREATE TABLE usage_import (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  attempt integer NOT NULL,
  format text NOT NULL CHECK (format IN ('csv', 'ndjson')),
  status text NOT NULL CHECK (status IN ('running', 'completed', 'interrupted', 'failed')),
  bytes bigint NOT NULL DEFAULT 0,
  lines bigint NOT NULL DEFAULT 0,
  ingested bigint NOT NULL DEFAULT 0,
  duplicates bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  errors jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX usage_import_created ON usage_import (tenant_id, created_at, id);
${tenantTable('usage_import')}
`,
};
