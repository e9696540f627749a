import type { Migration } from '@kontor/persistence';

/** A partition whose position is missing begins at 0: of a database that came back older nothing is passed over. */
export const gaplessIntake: Migration = {
  name: 'usage_0062_gapless_intake',
  sql: `
CREATE OR REPLACE FUNCTION usage_intake_advance(of_topic text, of_partition integer, known bigint, next bigint)
  RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE usage_intake_offset o SET next_offset = next
  WHERE o.topic = of_topic AND o.partition = of_partition AND o.next_offset = known;
  IF FOUND THEN RETURN; END IF;
  IF known = 0 THEN
    INSERT INTO usage_intake_offset (topic, partition, next_offset) VALUES (of_topic, of_partition, next)
      ON CONFLICT (topic, partition) DO NOTHING;
    IF FOUND THEN RETURN; END IF;
  END IF;
  RAISE EXCEPTION 'partition % does not stand at % here', of_partition, known USING ERRCODE = 'KU002';
END $$;`,
};
