import { saysOutage } from '@kontor/kernel';
import pg from 'pg';

/** SQL's own: the server rejected the establishment of the connection. */
const NOT_CONNECTED = '08004';

type Callback = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/**
 * A connection to PostgreSQL. That it is not made is an outage, whatever code the server gives it: "not currently accepting connections"
 * (55000) and "permission denied for database" (42501) have codes that mean something else to a statement.
 */
export class ServerConnection extends pg.Client {
  override connect(): Promise<pg.Client>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.Client> | void {
    if (callback === undefined)
      return super.connect().catch((error: unknown) => {
        throw notConnected(error);
      });
    const answer = callback as (error: unknown, client?: pg.Client) => void;
    super.connect((error: unknown, client?: pg.Client) => answer(error ? notConnected(error) : error, client));
  }
}

/** The same error, with the code of what it is where its own says something else. */
function notConnected(error: unknown): unknown {
  const { code } = error as { code?: string };
  return error instanceof pg.DatabaseError && !saysOutage(code ?? '')
    ? Object.assign(error, { code: NOT_CONNECTED })
    : error;
}
