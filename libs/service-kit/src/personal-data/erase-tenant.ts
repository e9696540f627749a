import type { ErasureResponse, RemovedData } from '@kontor/contracts';
import { invariant } from '@kontor/kernel';
import { type Database, setTenantClosed, type TenantTx } from '@kontor/persistence';
import type { ServiceConfig } from '../config/service-config.js';
import type { InternalClient } from '../internal/internal-client.js';
import { type CustomerData, isOver } from './customer-table.js';
import { eraseAllEvents } from './erase-events.js';
import { ERASING, type Kept, keptIn } from './erase-rows.js';
import { besideTheTables, firstOf } from './kept-data.js';
import { keepFilesInMind } from './remove-files.js';
import { exportedColumns, tenantTables } from './table-columns.js';
import { emptyingOrder, isNotNamed, type Reference, references } from './table-order.js';
import type { KeptTable, TenantData } from './tenant-data.js';

/** How long one call works before it answers how far it came. */
const PATIENCE_MS = 5_000;
/** Rows in one transaction. */
const PORTION = 2_000;
/** Under row-level security, but not the service's own: emptied as well. */
const OF_THE_LIBRARIES = ['replica', 'customer_erasure'];
/** When the erasure began: what a row counts from that has no time of its own. */
const BEGUN = '(SELECT e.begun_at FROM tenant_erasure e WHERE e.tenant_id = t.tenant_id)';

/** A portion of rows that go: a statement with the tenant `$1` and the most rows `$2`. */
interface Step {
  readonly table: string;
  readonly sql: string;
}

/**
 * This service's part of the deletion of a tenant: everything but what a law wants kept, and that when its term is over. In portions,
 * each of which is done when it is committed.
 */
export class EraseTenant {
  constructor(
    private readonly data: TenantData,
    private readonly customers: CustomerData,
    private readonly database: Database,
    private readonly client: InternalClient,
    private readonly config: ServiceConfig,
  ) {}

  close(tenantId: string, closed: boolean): Promise<void> {
    return this.database.system((sql) => setTenantClosed(sql, tenantId, closed));
  }

  /** Goes on where it was; the answer says whether anything is left. */
  async erase(tenantId: string, wholly: boolean): Promise<ErasureResponse> {
    await this.begin(tenantId, wholly);
    const until = performance.now() + PATIENCE_MS;
    for (const step of await this.steps(tenantId, wholly))
      while (performance.now() < until && (await this.take(tenantId, step)) > 0);
    const isLate = performance.now() >= until;
    const waiting = isLate
      ? ['more rows']
      : await eraseAllEvents(this.database, this.client, tenantId, (tx, what, count) => countGone(tx, what, count));
    return this.database.tenant(tenantId, (tx) => this.report(tx, wholly, waiting), { readOnly: true });
  }

  private async begin(tenantId: string, wholly: boolean): Promise<void> {
    await this.database.tenant(tenantId, async (tx) => {
      await tx.query(
        `INSERT INTO tenant_erasure (tenant_id, wholly, begun_at, removed) VALUES ($1, $2, $3, '{}') ON CONFLICT DO NOTHING`,
        [tenantId, wholly, tx.now],
      );
      await tx.query('DELETE FROM due_work WHERE tenant_id = $1 AND kind <> ALL($2::text[])', [
        tenantId,
        this.data.work ?? [],
      ]);
      await this.data.beforeErased?.(tx);
      await tx.query('DELETE FROM idempotency WHERE tenant_id = $1', [tenantId]);
      if (wholly) await tx.query('DELETE FROM tenant_clock WHERE tenant_id = $1', [tenantId]);
    });
  }

  private async steps(tenantId: string, wholly: boolean): Promise<Step[]> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const last = ['tenant_erasure', ...(this.data.last ?? [])];
        const tables = [...(await tenantTables(tx)), ...OF_THE_LIBRARIES].filter((table) => !last.includes(table));
        const elsewhere = this.data.kept.filter(({ together }) => together).map(({ table }) => table);
        const known = await references(tx);
        const steps: Step[] = (this.data.shared ?? []).map(({ table, of }) => ({
          table,
          sql: `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT t.ctid FROM ${table} t WHERE ${of} LIMIT $2)) RETURNING NULL AS key`,
        }));
        for (const table of emptyingOrder(tables, known)) {
          if (elsewhere.includes(table)) continue;
          const kept = this.data.kept.find((entry) => entry.table === table);
          steps.push({ table, sql: await this.deletion(tx, table, known, wholly ? undefined : kept, kept?.through) });
        }
        return steps;
      },
      { readOnly: true },
    );
  }

  private async deletion(
    tx: TenantTx,
    table: string,
    known: readonly Reference[],
    kept: KeptTable | undefined,
    through: string | undefined,
  ): Promise<string> {
    if (through) return `SELECT NULL AS key FROM generate_series(1, ${through}($1, $2::int))`;
    const { key } = await exportedColumns(tx, table, []);
    invariant(key.length > 0, `${table} has a primary key`);
    const columns = key.map(({ name }) => `t.${name}`).join(', ');
    const goes = kept ? `(NOT (${kept.where ?? 'true'}) OR ${isOver(since(kept))})` : 'true';
    const { id, file } = this.fileOf(table);
    return `DELETE FROM ${table} t WHERE (${columns}) IN (
        SELECT ${columns} FROM ${table} t WHERE t.tenant_id = $1 AND ${goes} AND ${isNotNamed(table, known)} LIMIT $2)
      RETURNING ${id} AS key, ${file} AS file`;
  }

  private fileOf(table: string): { id: string; file: string } {
    const entry = this.customers.tables.find(
      (stated) => stated.table === table && (stated.files ?? stated.removeFiles),
    );
    const column = entry?.files?.key ?? this.data.files?.[table];
    return {
      id: entry?.removeFiles ? `t.${entry.key ?? 'id'}::text` : 'NULL::text',
      file: column ? `t.${column}` : 'NULL::text',
    };
  }

  private take(tenantId: string, { table, sql }: Step): Promise<number> {
    const entry = this.customers.tables.find((stated) => stated.table === table && stated.removeFiles);
    return this.database.tenant(tenantId, async (tx) => {
      await tx.query(ERASING);
      const rows = await tx.query<{ key: string | null; file?: string | null }>(sql, [tenantId, PORTION]);
      if (rows.length === 0) return 0;
      await keepFilesInMind(tx, rows);
      await entry?.removeFiles?.(
        rows.flatMap(({ key }) => key ?? []),
        this.config,
      );
      await countGone(tx, table, rows.length);
      return rows.length;
    });
  }

  private async report(tx: TenantTx, wholly: boolean, waiting: string[]): Promise<ErasureResponse> {
    const kept = wholly ? [] : await this.kept(tx);
    const [row] = await tx.query<{ removed: Record<string, number> }>(
      'SELECT removed FROM tenant_erasure WHERE tenant_id = $1',
      [tx.tenantId],
    );
    const removed: RemovedData[] = Object.entries(row?.removed ?? {}).map(([what, count]) => ({ what, count }));
    return {
      done: waiting.length === 0,
      removed: removed.sort((a, b) => (a.what < b.what ? -1 : 1)),
      kept: [...kept.map(({ data }) => data), ...(await besideTheTables(tx, this.config))],
      waiting,
      nextTerm: firstOf(kept),
    };
  }

  private async kept(tx: TenantTx): Promise<Kept[]> {
    const kept: Kept[] = [];
    for (const table of this.data.kept) {
      const rows = `t.tenant_id = $1 AND (${table.where ?? 'true'})`;
      const found = await keptIn(tx, { ...table, ...since(table), rows, params: [tx.tenantId] });
      if (found) kept.push(found);
    }
    return kept;
  }
}

const since = ({ from = BEGUN, years }: KeptTable): { from: string; years: number } => ({ from, years });

/** Adds to the report what the transaction takes away. */
async function countGone(tx: TenantTx, what: string, count: number): Promise<void> {
  await tx.query(
    `UPDATE tenant_erasure SET removed = jsonb_set(removed, ARRAY[$2], to_jsonb(coalesce((removed->>$2)::bigint, 0) + $3))
     WHERE tenant_id = $1`,
    [tx.tenantId, what, count],
  );
}
