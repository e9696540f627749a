import type { Migration } from './migrate.js';
import { presenceTable, presenceUpToNow } from './presence.js';
import { tenantTable } from './tenant-table.js';

/** Tables of this library without a policy: libs alone touch them, by key and tenant. */
export const PERSISTENCE_TABLES_WITHOUT_POLICY = [
  'due_work',
  'tenant_clock',
  'closed_tenant',
  'idempotency',
  'running_process',
  'schema_migration',
] as const;

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
-- lease_until and retry_at (after a failure) are database time. No index has them, and pages have room: a claim touches no index.
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
) WITH (fillfactor = 50);
CREATE INDEX due_work_poll ON due_work (kind, poll_at) WHERE poll_at IS NOT NULL;
CREATE INDEX due_work_turn ON due_work (kind, tenant_id, poll_at) WHERE poll_at IS NOT NULL;
CREATE INDEX due_work_tenant ON due_work (tenant_id, due_at) WHERE NOT wall;
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

-- What a service's SQL uses of these tables. Where a sandbox clock stands; null on real time.
CREATE FUNCTION tenant_frozen_at(tenant uuid) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT c.now FROM public.tenant_clock c WHERE c.tenant_id = tenant
$$;

-- The tenant's time: its sandbox clock's, else the system's.
CREATE FUNCTION tenant_now(tenant uuid) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT c.now FROM public.tenant_clock c WHERE c.tenant_id = tenant),
    date_trunc('milliseconds', clock_timestamp()))
$$;

-- What is scheduled of a kind, for joins.
CREATE FUNCTION due_items(tenant uuid, work text) RETURNS TABLE (ref text, due_at timestamptz) LANGUAGE sql STABLE AS $$
  SELECT d.ref, d.due_at FROM public.due_work d WHERE d.tenant_id = tenant AND d.kind = work
$$;

-- Schedules work for the tenant's present, as scheduleDue does.
CREATE FUNCTION schedule_due_now(tenant uuid, work text, refs text[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO public.due_work AS d (tenant_id, kind, ref, due_at, poll_at)
  SELECT tenant, work, r.ref, coalesce(public.tenant_frozen_at(tenant), now()), now()
  FROM (SELECT DISTINCT u.ref FROM unnest(refs) AS u (ref) ORDER BY u.ref) r
  ON CONFLICT (tenant_id, kind, ref) DO UPDATE
    SET due_at = excluded.due_at, wall = excluded.wall, poll_at = excluded.poll_at, retry_at = NULL, attempts = 0,
      last_error = NULL, rescheduled = coalesce(d.lease_until > now(), false),
      lease_until = CASE WHEN d.lease_until > now() THEN d.lease_until END
$$;
`,
  },
  {
    name: 'persistence_0002_principal_of_a_key',
    // Whose the older rows are is not known: they are nobody's, and a repeat is refused.
    sql: `ALTER TABLE idempotency ADD COLUMN principal text NOT NULL DEFAULT '';`,
  },
  {
    name: 'persistence_0003_store_copies',
    // The tenant is set within the statement, which is a transaction by itself; row-level security holds as everywhere.
    sql: `
CREATE FUNCTION store_copies(tenant uuid, copied text, ids text[], versions bigint[], deletions boolean[], objects jsonb[])
RETURNS void LANGUAGE plpgsql SET search_path FROM current AS $$
BEGIN
  PERFORM set_config('app.tenant', tenant::text, true);
  INSERT INTO replica AS r (tenant_id, kind, id, version, deleted, data)
  SELECT tenant, copied, x.id, x.version, x.deleted, x.data
  FROM unnest(ids, versions, deletions, objects) AS x (id, version, deleted, data)
  ON CONFLICT (tenant_id, kind, id) DO UPDATE
    SET version = excluded.version, deleted = excluded.deleted, data = excluded.data
  WHERE r.version < excluded.version;
END $$;`,
  },
  {
    name: 'persistence_0004_presence',
    // Who works on the request; of older rows, nobody.
    sql: `${presenceTable} ALTER TABLE idempotency ADD COLUMN process uuid;`,
  },
  {
    name: 'persistence_0005_closed_tenants',
    sql: `
-- Tenants that are being deleted: what is due on their time stands still, and nobody gets in to their public pages.
CREATE TABLE closed_tenant (tenant_id uuid PRIMARY KEY);`,
  },
  { name: 'persistence_0006_presence_up_to_now', sql: presenceUpToNow },
];
