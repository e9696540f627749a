import { describe } from '@jest/globals';

// Plain JavaScript shared with `npm run stack` and the bench.
const kafka = (await import(new URL('../../tools/kafka/start.mjs', import.meta.url).href)) as {
  kafkaMissing(): Promise<string | null>;
};

const missing = process.env['KAFKA_BROKERS'] ? null : await kafka.kafkaMissing();
if (missing !== null && process.env['REQUIRE_KAFKA'] === '1') throw new Error(`REQUIRE_KAFKA is set: ${missing}`);

export const hasKafka = missing === null;

/** Scenarios that need a real Kafka; reported as skipped where none can be had, a failure with REQUIRE_KAFKA=1. */
export const describeOnKafka = hasKafka ? describe : describe.skip;
