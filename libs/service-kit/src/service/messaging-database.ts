import type { MessagingDatabase } from '@kontor/messaging';
import { type Database, CONNECTION_SETTINGS } from '@kontor/persistence';
import pg from 'pg';

const CONNECT_TIMEOUT_MS = 8_000;
/** All that this session asks for takes milliseconds. */
const ANSWER_TIMEOUT_MS = 15_000;
/** It asks for something twice a second: the server takes the lead of a process that stands still from it. */
const SILENCE_MS = 20_000;

/** The part of a database that messaging works with; its own session (listening, leading) is outside the pool. */
export const messagingDatabase = (database: Database, appUrl: string): MessagingDatabase => ({
  serviceName: database.serviceName,
  tenant: (tenantId, work, options) => database.tenant(tenantId, work, options),
  system: (work) => database.system(work),
  refuseWrites: (why) => database.writes.refuse(why),
  holdWrites: (until) => {
    database.writes.holdRequests();
    void until.finally(() => database.writes.endHold()).catch(() => undefined);
  },
  hasRoom: () => !database.storage.isFull,
  statement: (sql, params) => database.statement(sql, params),
  async connect() {
    const client = new pg.Client({
      connectionString: appUrl,
      application_name: `kontor-${database.serviceName}-relay`,
      ...CONNECTION_SETTINGS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      options: `${CONNECTION_SETTINGS.options} -c tcp_user_timeout=${ANSWER_TIMEOUT_MS} -c idle_session_timeout=${SILENCE_MS}`,
    });
    // Its user listens as well; this keeps a loss before that from ending the process.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  },
});
