import type { MessagingDatabase } from '@kontor/messaging';
import type { Database } from '@kontor/persistence';
import pg from 'pg';

/** The part of a database that messaging works with; its own session (listening, leading) is outside the pool. */
export const messagingDatabase = (database: Database, appUrl: string): MessagingDatabase => ({
  serviceName: database.serviceName,
  tenant: (tenantId, work, options) => database.tenant(tenantId, work, options),
  system: (work) => database.system(work),
  hasRoom: () => !database.storage.isFull,
  statement: (sql, params) => database.statement(sql, params),
  async connect() {
    const client = new pg.Client({
      connectionString: appUrl,
      application_name: `kontor-${database.serviceName}-relay`,
      keepAlive: true,
    });
    // Its user listens as well; this keeps a loss before that from ending the process.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  },
});
