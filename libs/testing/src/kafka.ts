import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';

export interface KafkaFixture {
  readonly brokers: readonly string[];
  stop(): Promise<void>;
}

/** tools/kafka/start.mjs: plain JavaScript, so that `npm run stack` can use it too. */
interface KafkaStarter {
  startKafka(options: {
    dataDir: string;
    port?: number;
    advertisedPort?: number;
    guarded?: { port: number; certificate: string; key: string; username: string; password: string };
  }): Promise<KafkaProcess>;
  kafkaMissing(): Promise<string | null>;
}
export interface KafkaProcess {
  brokers: string[];
  port: number;
  pid: number;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export const kafkaStarter = (): Promise<KafkaStarter> =>
  import(new URL('../../../tools/kafka/start.mjs', import.meta.url).href) as Promise<KafkaStarter>;

const hasDocker = (): boolean => {
  try {
    execFileSync('docker', ['info'], { stdio: 'ignore', timeout: 5_000 });
    return true;
  } catch {
    return false;
  }
};

async function inDocker(): Promise<KafkaFixture> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const port = await freePort();
  const container = await new GenericContainer('apache/kafka:4.1.0')
    .withExposedPorts({ container: port, host: port })
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_LISTENERS: `PLAINTEXT://:${port},CONTROLLER://:9093`,
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
    })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .start();
  return { brokers: [`127.0.0.1:${port}`], stop: async () => void (await container.stop()) };
}

/**
 * A real Kafka for tests: `KAFKA_BROKERS`, else Docker, else jars from Maven on this machine's Java. Null (skip those
 * tests) when there is none.
 * @throws Error instead of null when `REQUIRE_KAFKA=1`.
 */
export async function kafkaFixture(): Promise<KafkaFixture | null> {
  const given = process.env['KAFKA_BROKERS'];
  if (given) return { brokers: given.split(','), stop: async () => undefined };
  try {
    if (hasDocker()) return await inDocker();
  } catch {
    // An engine that cannot pull the image is as good as none.
  }
  const { startKafka, kafkaMissing } = await kafkaStarter();
  const missing = await kafkaMissing();
  if (missing === null) {
    const dataDir = mkdtempSync(join(tmpdir(), 'kontor-kafka-'));
    const broker = await startKafka({ dataDir });
    const stop = async (): Promise<void> => {
      await broker.stop();
      rmSync(dataDir, { recursive: true, force: true });
    };
    return { brokers: broker.brokers, stop };
  }
  if (process.env['REQUIRE_KAFKA'] === '1') throw new Error(`REQUIRE_KAFKA=1, but no Kafka can be had: ${missing}`);
  return null;
}
