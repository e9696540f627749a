import { CONNECTION_SETTINGS, ServerConnection, SilentLinks } from '@kontor/persistence';
import type pg from 'pg';
import { CopyBuffer } from './copy-buffer.js';
import type { EventBatch } from './event-batch.js';
import { pipelinedCopy } from './pipelined-copy.js';
import type { TenantState } from './tenant-state.js';

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 60_000;
const DAY_MS = 86_400_000;

const KEYS = 'usage_event_key_all (digest, tenant_id)';
const EVENT_COLUMNS = '(tenant_id, id, customer_id, occurred_at, created_at, transaction_id, event_name, properties)';

/** What commits with a batch. */
export interface Alongside {
  readonly also?: string;
  readonly alongside?: (client: pg.Client) => Promise<void>;
}

/** A connection as the ingest role, made when it is first needed and again after it was lost. One batch at a time. */
export class IngestLane {
  busy = false;
  private client: Promise<pg.Client> | undefined;
  private readonly buffer = new CopyBuffer();
  private readonly links: SilentLinks;

  constructor(
    private readonly url: string,
    private readonly onError: (error: Error) => void,
  ) {
    this.links = new SilentLinks({ connectionString: url, ...CONNECTION_SETTINGS });
  }

  /**
   * Stores a batch of which no transactionId is known yet, in one transaction and, where nothing else has to happen in
   * it, one round trip. A statement `also` belongs to it, and `alongside` runs before the commit.
   */
  async copy(batch: EventBatch, { also, alongside }: Alongside = {}): Promise<void> {
    const client = await this.connected();
    this.buffer.clear();
    batch.encode(this.buffer);
    const statements = [
      guardOf(batch),
      `COPY ${KEYS} FROM STDIN (FORMAT binary)`,
      `COPY ${leafOf(batch.arrivedAtMs)} ${EVENT_COLUMNS} FROM STDIN (FORMAT binary)`,
      ...(also === undefined ? [] : [also]),
    ].join('; ');
    if (!alongside) return pipelinedCopy(client, statements, this.buffer.content());
    try {
      await pipelinedCopy(client, `BEGIN; ${statements}`, this.buffer.content());
      await alongside(client);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  async close(): Promise<void> {
    const client = await this.client?.catch(() => undefined);
    this.client = undefined;
    await client?.end().catch(() => undefined);
    this.links.stop();
  }

  private connected(): Promise<pg.Client> {
    this.client ??= this.connect();
    return this.client;
  }

  private connect(): Promise<pg.Client> {
    const client = new ServerConnection({
      connectionString: this.url,
      application_name: 'kontor-usage-ingest',
      ...CONNECTION_SETTINGS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    });
    const connecting = client.connect().then(() => {
      this.links.watch(client);
      return client;
    });
    const lost = (): void => void (this.client === connecting && (this.client = undefined));
    client.on('error', (error) => {
      this.onError(error);
      lost();
    });
    client.on('end', lost);
    connecting.catch(lost);
    return connecting;
  }
}

/** The table of the day (UTC) on which a batch arrives. */
export const leafOf = (arrivedAtMs: number): string =>
  `usage_event_${new Date(arrivedAtMs - (arrivedAtMs % DAY_MS)).toISOString().slice(0, 10).replaceAll('-', '')}`;

/**
 * The call of `usage_guard` for the tenants of a batch. Ids are checked UUIDs, versions numbers, clocks came from the
 * database.
 */
export function guardOf({ states }: Pick<EventBatch, 'states'>): string {
  const array = (valueOf: (state: TenantState) => string | bigint | null): string =>
    `'{${states.map((state) => valueOf(state) ?? 'NULL').join(',')}}'`;
  const lists = [
    array(({ tenantId }) => tenantId),
    array(({ versions }) => versions.customers),
    array(({ versions }) => versions.metrics),
    array(({ versions }) => versions.clock),
  ];
  return `SELECT usage_guard(${lists.join(', ')})`;
}
