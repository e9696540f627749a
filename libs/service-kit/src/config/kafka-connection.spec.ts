import { describe, expect, it } from '@jest/globals';
import { EnvReader } from './env-reader.js';
import { kafkaConnection } from './kafka-connection.js';

describe('how Kafka is reached', () => {
  const of = (env: Record<string, string>) =>
    kafkaConnection(new EnvReader({ KAFKA_BROKERS: 'a:9092,b:9092', ...env }));
  const login = { KAFKA_USERNAME: 'kontor', KAFKA_PASSWORD: 'secret' };

  it.each([
    [{}, { ssl: false }],
    [{ KAFKA_TLS: 'true' }, { ssl: true }],
    [login, { ssl: false, sasl: { mechanism: 'scram-sha-512', username: 'kontor', password: 'secret' } }],
    [
      { ...login, KAFKA_TLS: 'true', KAFKA_SASL_MECHANISM: 'plain' },
      { ssl: true, sasl: { mechanism: 'plain', username: 'kontor', password: 'secret' } },
    ],
  ])('is read from %j', (env, expected) => expect(of(env)).toEqual({ brokers: ['a:9092', 'b:9092'], ...expected }));

  it.each([
    [{ KAFKA_TLS: 'yes' }, 'KAFKA_TLS must be one of true, false, not "yes".'],
    [{ KAFKA_USERNAME: 'kontor' }, 'KAFKA_USERNAME is set without KAFKA_PASSWORD: nobody could log in.'],
    [{ ...login, KAFKA_SASL_MECHANISM: 'gssapi' }, 'KAFKA_SASL_MECHANISM must be one of plain, '],
    [{ KAFKA_SASL_MECHANISM: 'plain' }, 'KAFKA_SASL_MECHANISM is set without KAFKA_USERNAME and KAFKA_PASSWORD: '],
  ])('is refused in %j', (env, message) => expect(() => of(env)).toThrow(message));
});
