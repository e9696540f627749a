import pg from 'pg';
import { DataSource } from 'typeorm';
import { connectPatiently } from './connect-patiently.js';
import { CONNECTION_SETTINGS } from './connection-settings.js';
import type { DatabaseOptions } from './database-options.js';
import { ServerConnection } from './server-connection.js';
import { watchPool } from './silent-links.js';
import { SnakeNaming } from './snake-naming.js';

export const ANSWER_TIMEOUT_MS = 8_000;
const QUERY_TIMEOUT_MS = 120_000;

interface OpenDataSource {
  readonly dataSource: DataSource;
  readonly pool: pg.Pool;
  /** Ends the watch over the pool's links. */
  readonly endWatch: () => void;
}

/** Connects, and keeps what goes wrong with an idle connection from ending the process. */
export async function openDataSource(options: DatabaseOptions): Promise<OpenDataSource> {
  const dataSource = new DataSource({
    type: 'postgres',
    driver: pg,
    url: options.appUrl,
    entities: [...options.rows],
    namingStrategy: new SnakeNaming(),
    synchronize: false,
    installExtensions: false,
    logging: false,
    poolSize: options.poolSize ?? 4,
    connectTimeoutMS: options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS,
    applicationName: `kontor-${options.serviceName}`,
    poolErrorHandler: options.onError ?? ignore,
    extra: {
      ...CONNECTION_SETTINGS,
      Client: ServerConnection,
      idleTimeoutMillis: 60_000,
      idle_in_transaction_session_timeout: 120_000,
      query_timeout: options.queryTimeoutMs ?? QUERY_TIMEOUT_MS,
      // The server ends what nobody waits for any more.
      statement_timeout: options.queryTimeoutMs ?? QUERY_TIMEOUT_MS,
    },
  });
  await connectPatiently(dataSource);
  const { master } = dataSource.driver as unknown as { master: pg.Pool };
  // A server that goes away while a connection is handed over, before anybody listens, must not end the process: what uses
  // the connection next fails.
  master.on('acquire', (client) => void client.removeListener('error', ignore).on('error', ignore));
  return { dataSource, pool: master, endWatch: watchPool(master, options.silenceMs) };
}

const ignore = (): void => undefined;
