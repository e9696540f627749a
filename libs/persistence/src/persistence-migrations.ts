import type { Migration } from './migrate.js';
import { tenantTable } from './tenant-table.js';

/** Tables of this library without a policy: libs alone touch them, by key and tenant. */
export const PERSISTENCE_TABLES_WITHOUT_POLICY = ['due_work', 'tenant_clock', 'idempotency', 'schema_migration'] as const;

/** Tables that every service's database has. They come before messaging's and the service's own. */
export const persistenceMigrations: Migration[] = [
  {
    name: 'persistence_0001_infrastructure',
    sql: `
-- One row per sandbox tenant whose clock was advanced or set: its time is frozen here. No row: real time.
CREATE TABLE tenant_clock (
  tenant_id uuid PRIMARY KEY,
  now timestamptz NOT NULL
);

-- What has to happen at a time. due_at is the tenant's time (real time when wall). poll_at is the real time at which the
-- poll loop may take it, null while a frozen clock has not reached due_at. rescheduled: changed while somebody works on it.
-- lease_until and retry_at (after a failure) are database time.
CREATE TABLE due_work (
  tenant_id uuid NOT NULL,
  kind text NOT NULL,
  ref text NOT NULL,
  due_at timestamptz NOT NULL,
  poll_at timestamptz,
  wall boolean NOT NULL DEFAULT false,
  lease_until timestamptz,
  retry_at timestamptz,
  token bigint NOT NULL DEFAULT 0,
  rescheduled boolean NOT NULL DEFAULT false,
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  PRIMARY KEY (tenant_id, kind, ref)
);
CREATE INDEX due_work_poll ON due_work (poll_at) WHERE poll_at IS NOT NULL;
CREATE INDEX due_work_tenant ON due_work (tenant_id, due_at) WHERE NOT wall;
CREATE INDEX due_work_leased ON due_work (tenant_id) WHERE lease_until IS NOT NULL;
CREATE SEQUENCE due_work_token;

CREATE TABLE idempotency (
  tenant_id uuid NOT NULL,
  operation text NOT NULL,
  key text NOT NULL,
  body_hash text NOT NULL,
  status integer,
  answer jsonb,
  final boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, operation, key)
);
CREATE INDEX idempotency_age ON idempotency (created_at);

CREATE TABLE replica (
  tenant_id uuid NOT NULL,
  kind text NOT NULL,
  id text NOT NULL,
  version bigint NOT NULL,
  deleted boolean NOT NULL,
  data jsonb,
  PRIMARY KEY (tenant_id, kind, id)
);
${tenantTable('replica')}
`,
  },
];
