import type { Migration } from '@kontor/persistence';

/**
 * Intake from Kafka: how far each partition of the topic is read, in the same transaction as its events, and the
 * messages that were refused. Infrastructure without row-level security: a message may name no tenant at all.
 */
export const intake: Migration = {
  name: 'usage_0010_intake',
  sql: `
CREATE TABLE usage_intake_offset (
  topic text NOT NULL,
  partition integer NOT NULL,
  next_offset bigint NOT NULL,
  PRIMARY KEY (topic, partition)
);
GRANT SELECT, INSERT, UPDATE ON usage_intake_offset TO {{ingest}};

CREATE TABLE usage_intake_parked (
  topic text NOT NULL,
  partition integer NOT NULL,
  "offset" bigint NOT NULL,
  tenant text,
  code text NOT NULL,
  message text NOT NULL,
  value bytea NOT NULL,
  parked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (topic, partition, "offset")
);

-- Moves a partition's position on; SQLSTATE KU002 when another member of the group has done so since it was read.
CREATE FUNCTION usage_intake_advance(of_topic text, of_partition integer, known bigint, next bigint)
  RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_intake_offset AS o (topic, partition, next_offset) VALUES (of_topic, of_partition, next)
    ON CONFLICT (topic, partition) DO UPDATE SET next_offset = excluded.next_offset WHERE o.next_offset = known;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'partition % is read by another member', of_partition USING ERRCODE = 'KU002';
  END IF;
END $$;
GRANT EXECUTE ON FUNCTION usage_intake_advance(text, integer, bigint, bigint) TO {{ingest}};
`,
};
