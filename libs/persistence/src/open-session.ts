import type pg from 'pg';
import { CONNECTION_SETTINGS } from './connection-settings.js';
import { ServerConnection } from './server-connection.js';
import { SilentLinks } from './silent-links.js';

/** So long a start waits for a server that takes a connection and says nothing. */
const PATIENCE_MS = 60_000;

/**
 * A connection for the steps of a start. When it is lost, what is asked by it fails, so that the start can say why; without a listener the
 * process would end with a stack, and leave behind what it has begun.
 */
export async function openSession(connectionString: string, applicationName: string): Promise<pg.Client> {
  const options = { connectionString, application_name: applicationName, ...CONNECTION_SETTINGS };
  const client = new ServerConnection({ ...options, connectionTimeoutMillis: PATIENCE_MS });
  client.on('error', () => undefined);
  await client.connect();
  new SilentLinks(options).watch(client);
  return client;
}
