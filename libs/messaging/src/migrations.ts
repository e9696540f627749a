import { DAYS_THAT_IT_RAN, MAINTENANCE, MAINTENANCE_OF_ALL } from './maintenance.js';

/** Same shape as persistence's migrations: forward only, run once, in order of their names. */
export interface MessagingMigration {
  readonly name: string;
  readonly sql: string;
}

const OUTBOX = `
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY (cache 1),
  event_id uuid NOT NULL,
  tenant_id uuid NOT NULL,
  aggregate_id text NOT NULL,
  aggregate_seq bigint NOT NULL CHECK (aggregate_seq > 0),
  topic text NOT NULL,
  type text NOT NULL,
  payload text NOT NULL,
  headers text NOT NULL,
  effective_at timestamptz NOT NULL,
  day date NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')::date,
  PRIMARY KEY (id, day)
) PARTITION BY RANGE (day);
-- Written once, read a moment later: compressing it would cost more than the room that it saves. Partitions inherit it.
ALTER TABLE outbox ALTER COLUMN payload SET STORAGE EXTERNAL;
CREATE TABLE outbox_default PARTITION OF outbox DEFAULT;

CREATE TABLE relay_state (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  leader_epoch bigint NOT NULL DEFAULT 0,
  last_id bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 20);
INSERT INTO relay_state DEFAULT VALUES;

CREATE TABLE published_count (
  tenant_id uuid NOT NULL,
  type text NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (tenant_id, type)
) WITH (fillfactor = 50);

CREATE TABLE outbox_quarantine (
  outbox_id bigint PRIMARY KEY,
  event_id uuid NOT NULL,
  tenant_id uuid NOT NULL,
  topic text NOT NULL,
  aggregate_id text NOT NULL,
  release boolean NOT NULL DEFAULT false,
  quarantined_at timestamptz NOT NULL DEFAULT now()
);`;

const INBOX = `
CREATE TABLE inbox (
  consumer text NOT NULL,
  day date NOT NULL,
  event_id uuid NOT NULL,
  PRIMARY KEY (consumer, day, event_id)
) PARTITION BY RANGE (day);
CREATE TABLE inbox_default PARTITION OF inbox DEFAULT;

CREATE TABLE applied_count (
  tenant_id uuid NOT NULL,
  consumer text NOT NULL,
  type text NOT NULL,
  slot smallint NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (tenant_id, consumer, type, slot)
) WITH (fillfactor = 50);

CREATE TABLE parked (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  consumer text NOT NULL,
  event_id uuid NOT NULL,
  tenant_id uuid NOT NULL,
  type text NOT NULL,
  topic text NOT NULL,
  aggregate_id text NOT NULL,
  envelope text NOT NULL,
  reason text NOT NULL CHECK (reason IN ('poison', 'behind')),
  error text,
  parked_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (consumer, event_id)
);
CREATE INDEX parked_by_aggregate ON parked (consumer, tenant_id, topic, aggregate_id, id);
CREATE INDEX parked_by_tenant ON parked (tenant_id);

CREATE TABLE bus_offset (
  consumer_group text NOT NULL,
  topic text NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (consumer_group, topic)
) WITH (fillfactor = 50);`;

/** Counted by the group's offsets instead of by each consumer: a consumer that is added later changes nothing. */
const COUNTS = `
DROP TABLE applied_count;
DELETE FROM bus_offset;
CREATE TABLE consumed_count (
  tenant_id uuid NOT NULL,
  type text NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (tenant_id, type)
) WITH (fillfactor = 50);`;

const LARGE_NOTICES = `
CREATE TABLE large_notice (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  data json NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);`;

/** Kept beside the position: what a topic holds twice, because its publishing was tried again, is counted once. */
const COUNTED_ONCE = 'ALTER TABLE bus_offset ADD COLUMN log_position bigint NOT NULL DEFAULT -1;';

/** How much each topic has taken since it was last made, and whether what it had before has yet to be published again. */
const PUBLISHED_TOPICS = `
CREATE TABLE published_topic (
  topic text PRIMARY KEY,
  taken bigint NOT NULL,
  lost boolean NOT NULL
) WITH (fillfactor = 50);`;

/** Of brokers: what was published to one is not on another. Null until it is known. */
const PUBLISHED_CLUSTERS = 'ALTER TABLE published_topic ADD COLUMN cluster text;';

/**
 * Which partition an aggregate's events are in follows from the number of its topic's: what comes behind a place of the log was published to so
 * many. Published again, it comes to the partition where it was read, also where somebody has raised their number since.
 */
const PUBLISHED_PARTITIONS = `
CREATE TABLE published_partitions (
  topic text NOT NULL,
  after bigint NOT NULL,
  partitions integer NOT NULL,
  PRIMARY KEY (topic, after)
);`;

/** What was published out of its place: for its producer, should the topic be lost, and for who counts it. */
const RELEASED_ONCE = `
CREATE TABLE outbox_released (outbox_id bigint PRIMARY KEY);
CREATE TABLE counted_apart (
  event_id uuid PRIMARY KEY,
  counted_at timestamptz NOT NULL DEFAULT now()
);`;

/** Tables of this lib in every service's database; they carry no row-level security and are touched by this lib alone. */
export const messagingMigrations: MessagingMigration[] = [
  { name: '0000_messaging_1_outbox', sql: OUTBOX },
  { name: '0000_messaging_2_inbox', sql: INBOX },
  { name: '0000_messaging_3_maintenance', sql: MAINTENANCE },
  { name: '0000_messaging_4_counts_by_group', sql: COUNTS },
  { name: '0000_messaging_5_large_notices', sql: LARGE_NOTICES },
  { name: '0000_messaging_6_counted_once', sql: COUNTED_ONCE },
  { name: '0000_messaging_7_published_topics', sql: PUBLISHED_TOPICS },
  { name: '0000_messaging_8_released_once', sql: RELEASED_ONCE },
  { name: '0000_messaging_9_published_clusters', sql: PUBLISHED_CLUSTERS },
  { name: '0000_messaging_10_maintenance_of_all', sql: MAINTENANCE_OF_ALL },
  { name: '0000_messaging_11_days_that_it_ran', sql: DAYS_THAT_IT_RAN },
  { name: '0000_messaging_12_published_partitions', sql: PUBLISHED_PARTITIONS },
];

/** Tables that carry no row-level security, for the test that lists every table without a policy. */
export const MESSAGING_TABLES_WITHOUT_POLICY = [
  'outbox',
  'relay_state',
  'published_count',
  'outbox_quarantine',
  'inbox',
  'consumed_count',
  'parked',
  'bus_offset',
  'large_notice',
  'published_topic',
  'published_partitions',
  'outbox_released',
  'counted_apart',
] as const;
