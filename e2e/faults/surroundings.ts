import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@kontor/persistence';
import { FaultProxy, freePort, type KafkaProcess, kafkaStarter, redisStarter } from '@kontor/testing';

/** A server that the services need, behind a link of its own. */
export interface Server {
  readonly link: FaultProxy;
  pid(): number;
  kill(): void;
  /** After a kill: on the same data. */
  start(): Promise<void>;
}

/** PostgreSQL, Kafka and Redis as children of this process, each reached through a proxy alone. */
export class Surroundings {
  private constructor(
    readonly postgres: Server,
    readonly kafka: Server,
    readonly redis: Server,
    readonly adminUrl: string,
    private readonly begun: AsyncDisposableStack,
  ) {}

  /** `databaseFolder`: where the database is, if it shall have a disk of its own. What was begun ends when a part does not start. */
  static async start(databaseFolder?: string): Promise<Surroundings> {
    await using begun = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), 'kontor-surroundings-'));
    begun.defer(() => rmSync(folder, { recursive: true, force: true }));
    const postgres = await startPostgres(databaseFolder ?? join(folder, 'postgres'), begun);
    const kafka = await startKafka(join(folder, 'kafka'), begun);
    const redis = await startRedis(join(folder, 'redis'), begun);
    return new Surroundings(postgres, kafka, redis, postgres.adminUrl, begun.move());
  }

  get env(): Record<string, string> {
    return {
      DATABASE_ADMIN_URL: this.adminUrl,
      KAFKA_BROKERS: `127.0.0.1:${this.kafka.link.port}`,
      REDIS_URL: `redis://127.0.0.1:${this.redis.link.port}`,
    };
  }

  async stop(): Promise<void> {
    await this.begun.disposeAsync();
  }
}

async function startPostgres(folder: string, begun: AsyncDisposableStack): Promise<Server & { adminUrl: string }> {
  mkdirSync(folder, { recursive: true });
  const server = new EmbeddedPostgres();
  const begin = async (): Promise<URL> => new URL((await server.start(folder)).adminUrl);
  begun.defer(() => server.stop());
  const url = await begin();
  const link = await FaultProxy.to({ host: '127.0.0.1', port: Number(url.port) });
  begun.defer(() => link.close());
  url.port = String(link.port);
  return {
    link,
    adminUrl: url.href,
    pid: () => server.pid!,
    kill: () => void process.kill(server.pid!, 'SIGKILL'),
    start: async () => void (link.target = { host: '127.0.0.1', port: Number((await begin()).port) }),
  };
}

async function startKafka(dataDir: string, begun: AsyncDisposableStack): Promise<Server> {
  const starter = await kafkaStarter();
  const port = await freePort();
  const link = await FaultProxy.to({ host: '127.0.0.1', port });
  begun.defer(() => link.close());
  const begin = (): Promise<KafkaProcess> => starter.startKafka({ dataDir, port, advertisedPort: link.port });
  let broker = await begin();
  begun.defer(() => broker.stop());
  return {
    link,
    pid: () => broker.pid,
    kill: () => void broker.kill(),
    start: async () => void (broker = await begin()),
  };
}

async function startRedis(dataDir: string, begun: AsyncDisposableStack): Promise<Server> {
  const starter = await redisStarter();
  let redis = await starter.startRedis({ dataDir });
  begun.defer(() => redis.stop());
  const { port } = redis;
  const link = await FaultProxy.to({ host: '127.0.0.1', port });
  begun.defer(() => link.close());
  return {
    link,
    pid: () => redis.pid,
    kill: () => void process.kill(redis.pid, 'SIGKILL'),
    start: async () => void (redis = await starter.startRedis({ dataDir, port })),
  };
}
