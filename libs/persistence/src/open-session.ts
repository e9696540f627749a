import pg from 'pg';
import { CONNECTION_SETTINGS } from './connection-settings.js';

/** So long a start waits for a server that takes a connection and says nothing. */
const PATIENCE_MS = 60_000;

/**
 * A connection for the steps of a start. When it is lost, what is asked by it fails, so that the start can say why; without a listener the
 * process would end with a stack, and leave behind what it has begun.
 */
export async function openSession(connectionString: string, applicationName: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name: applicationName,
    connectionTimeoutMillis: PATIENCE_MS,
    ...CONNECTION_SETTINGS,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
