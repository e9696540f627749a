import type { Sql } from '@kontor/kernel';
import type { Database } from '@kontor/persistence';
import type { SecretBox } from '../config/secret-box.js';
import type { InternalClient } from '../internal/internal-client.js';
import type { Log } from '../observability/log.js';
import { tenantIds } from '../replicas/tenant-ids.js';

/** A column that holds sealed secrets, of a table with a primary key `(tenant_id, id)`, or `id` where it is no tenant's. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly ofNoTenant?: true;
  /** The key's name, where it is not `id`. */
  readonly id?: string;
}

const PORTION = 500;
const RETRY_MS = 2_000;

/**
 * Puts what is sealed under an earlier key under the present one, in the background, when a service starts with
 * SECRETS_KEY_PREVIOUS. Only the key of each secret is encrypted anew, the secret itself is not read. Then `release` says that the
 * earlier keys are not needed any more.
 */
export class RewrapSecrets {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly client: InternalClient,
    private readonly log: Log,
    private readonly release: () => Promise<void>,
  ) {}

  start(columns: readonly SealedColumn[]): void {
    if (this.secrets.hasPreviousKeys && columns.length > 0) this.running = this.run(columns);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(columns: readonly SealedColumn[]): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        let changed = 0;
        const ofTenants = columns.filter(({ ofNoTenant }) => !ofNoTenant);
        for (const column of columns.filter(({ ofNoTenant }) => ofNoTenant))
          changed += await rewrapColumn(this.database, this.secrets, null, column, signal);
        for await (const tenantId of tenantIds(this.client))
          for (const column of ofTenants)
            changed += await rewrapColumn(this.database, this.secrets, tenantId, column, signal);
        if (signal.aborted) return;
        await this.release();
        this.log.warn({ changed }, 'all stored secrets are under the present SECRETS_KEY');
        return;
      } catch (error) {
        if (!signal.aborted)
          this.log.warn({ err: error }, 'secrets could not be put under the new key, will be tried again');
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }
}

/** Returns how many secrets of a tenant, or of none, were under another key. */
export async function rewrapColumn(
  database: Database,
  secrets: SecretBox,
  tenantId: string | null,
  { table, column, id = 'id' }: SealedColumn,
  signal?: AbortSignal,
): Promise<number> {
  const ofTenant = tenantId === null ? '$1::uuid IS NULL' : 'tenant_id = $1';
  const inTransaction = (work: (tx: Sql) => Promise<number>): Promise<number> =>
    tenantId === null ? database.system(work) : database.tenant(tenantId, work);
  for (let changed = 0; ;) {
    const count = await inTransaction(async (tx) => {
      const rows = await tx.query<{ id: string; sealed: string }>(
        `SELECT ${id}::text AS id, ${column} AS sealed FROM ${table}
         WHERE ${ofTenant} AND ${column} IS NOT NULL AND NOT starts_with(${column}, $2)
         ORDER BY ${id} LIMIT ${PORTION} FOR UPDATE`,
        [tenantId, secrets.prefix],
      );
      if (rows.length > 0)
        await tx.query(
          `UPDATE ${table} t SET ${column} = n.sealed
           FROM unnest($2::text[], $3::text[]) AS n (id, sealed)
           WHERE ${ofTenant} AND t.${id}::text = n.id`,
          [tenantId, rows.map(({ id }) => id), rows.map(({ sealed }) => secrets.rewrap(sealed))],
        );
      return rows.length;
    });
    changed += count;
    if (count < PORTION || signal?.aborted) return changed;
  }
}
