import { afterAll, describe, it } from '@jest/globals';
import { KafkaBus } from '../src/index.js';
import { kafkaFixture, testPostgresUrl } from '@kontor/testing';
import { busContract } from './bus-contract.js';

const kafka = await kafkaFixture();
afterAll(() => kafka?.stop());

if (kafka) {
  busContract(
    'kafka',
    (world) =>
      new KafkaBus({
        brokers: kafka.brokers,
        clientId: 'test',
        prefix: world,
        sessionTimeoutMs: 6_000,
        heartbeatMs: 1_000,
      }),
    testPostgresUrl,
  );
} else {
  describe.skip('the kafka bus', () => {
    it('needs a broker', () => undefined);
  });
}
