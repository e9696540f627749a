import { type ReplicaKind, REPLICAS } from '@kontor/contracts';
import type { Database, Migration, Replicas } from '@kontor/persistence';
import type { InternalClient } from '../internal/internal-client.js';
import type { Log } from '../observability/log.js';
import { NO_TENANT } from './no-tenant.js';
import type { OwnedObject } from './replica-source.js';

/** Which kinds of copies are complete: filled once, kept up by events from then on. */
export const replicaBackfillMigration: Migration = {
  name: 'service_kit_0001_replica_backfill',
  sql: 'CREATE TABLE replica_backfill (kind text PRIMARY KEY, done_at timestamptz NOT NULL DEFAULT now());',
};

const RETRY_MS = 2000;

/** Fills copies of kinds that this service did not keep before: subscribed first, then paged from the owner under the same guard. */
export class ReplicaBackfill {
  private stopped = false;
  private running: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly client: InternalClient,
    private readonly log: Log,
  ) {}

  start(kinds: readonly ReplicaKind[]): void {
    this.running = this.run(kinds);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async run(kinds: readonly ReplicaKind[]): Promise<void> {
    for (let attempt = 1; !this.stopped; attempt++) {
      try {
        const done = await this.database.system((sql) =>
          sql.query<{ kind: string }>('SELECT kind FROM replica_backfill'),
        );
        for (const kind of kinds) if (!done.some((entry) => entry.kind === kind)) await this.fill(kind);
        return;
      } catch (error) {
        if (this.stopped) return;
        if (attempt % 10 === 0)
          this.log.warn({ err: error }, 'copies are not complete yet: their owner does not answer');
        await new Promise((resolve) => setTimeout(resolve, Math.min(attempt * 100, RETRY_MS)));
      }
    }
  }

  private async fill(kind: ReplicaKind): Promise<void> {
    let copied = 0;
    for (let after = ''; ;) {
      const { tenants } = await this.client.call<{ tenants: string[] }>(
        'identity',
        'GET',
        `/internal/replicas/tenant?after=${after}`,
        undefined,
        { tenantId: NO_TENANT },
      );
      for (const tenantId of tenants) copied += await this.fillTenant(kind, tenantId);
      after = tenants.at(-1) ?? '';
      if (tenants.length === 0 || this.stopped) break;
    }
    if (this.stopped) return;
    await this.database.system((sql) =>
      sql.query('INSERT INTO replica_backfill (kind) VALUES ($1) ON CONFLICT DO NOTHING', [kind]),
    );
    if (copied > 0) this.log.info({ kind, copied }, 'copies are complete');
  }

  private async fillTenant(kind: ReplicaKind, tenantId: string): Promise<number> {
    let copied = 0;
    for (let after = ''; !this.stopped;) {
      const path = `/internal/replicas/${kind}/${tenantId}?after=${encodeURIComponent(after)}`;
      const { items } = await this.client.call<{ items: OwnedObject[] }>(REPLICAS[kind].owner, 'GET', path, undefined, {
        tenantId,
      });
      if (items.length === 0) break;
      await this.database.tenant(tenantId, (tx) =>
        this.replicas.applyMany(
          tx,
          kind,
          items.map((item) => ({ ...item, deleted: false })),
        ),
      );
      copied += items.length;
      after = items.at(-1)!.id;
    }
    return copied;
  }
}
