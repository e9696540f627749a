import type { KafkaConnection } from '@kontor/messaging';
import { ConfigurationError, type EnvReader } from './env-reader.js';

const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
const LOGIN = ['KAFKA_USERNAME', 'KAFKA_PASSWORD'] as const;

/**
 * `KAFKA_BROKERS`, by TLS with `KAFKA_TLS`, and with the login of `KAFKA_USERNAME` and `KAFKA_PASSWORD`.
 * @throws ConfigurationError also for a setting that would have no effect
 */
export function kafkaConnection(read: EnvReader): KafkaConnection {
  const brokers = read.addresses('KAFKA_BROKERS', 'name the brokers, such as localhost:9092');
  const ssl = read.oneOf('KAFKA_TLS', ['true', 'false'], 'false') === 'true';
  const { KAFKA_USERNAME: username, KAFKA_PASSWORD: password } = read.together(LOGIN, 'nobody could log in');
  const mechanism = read.oneOf('KAFKA_SASL_MECHANISM', MECHANISMS, 'scram-sha-512');
  if (username && password) return { brokers, ssl, sasl: { mechanism, username, password } };
  if (read.text('KAFKA_SASL_MECHANISM'))
    throw new ConfigurationError(`KAFKA_SASL_MECHANISM is set without ${LOGIN.join(' and ')}: nobody would log in.`);
  return { brokers, ssl };
}
