import type { ExportFilesResponse, ExportRowsResponse, ExportTablesResponse } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import type { BlobStore, Database, TenantTx } from '@kontor/persistence';
import { type CustomerData, type CustomerTable, rowsOf } from './customer-table.js';
import { exportedColumns, type TableColumn, tenantTables } from './table-columns.js';

/** Rows, or files, of one page: they are in memory together. */
const PAGE = 200;
/** Of the rows of one page, but of what is no text as it is stored, which may be packed: a document can be as long as thousands of other rows. */
const PAGE_BYTES = 256 * 1024;

/** A tenant, or one of its customers. */
export interface ExportOf {
  readonly tenantId: string;
  readonly customerId: string | null;
}

/** This service's part of an export, page by page: nothing is held between two of them. */
export class ExportData {
  constructor(
    private readonly data: CustomerData,
    private readonly database: Database,
    private readonly blobs: BlobStore,
  ) {}

  async tables({ tenantId, customerId }: ExportOf): Promise<ExportTablesResponse> {
    if (customerId !== null) return { tables: [...new Set(this.ownTables().map(({ table }) => table))] };
    return { tables: await this.read(tenantId, (tx) => tenantTables(tx)) };
  }

  /** @throws DomainError `not_found` for a table that is no part of the export */
  async rows(of: ExportOf, table: string, after: string | null): Promise<ExportRowsResponse> {
    const { tables } = await this.tables(of);
    if (!tables.includes(table)) throw notFound('The table');
    return this.read(of.tenantId, async (tx) => {
      const entry = this.ownTables().find((stated) => stated.table === table);
      const { shown, key } = await exportedColumns(tx, table, entry?.secret ?? []);
      if (shown.length === 0) return { columns: [], rows: [], objects: [], next: null };
      const customer = of.customerId !== null && entry ? { entry, id: of.customerId } : null;
      const { fitting, page, params } = pageSql(table, { shown, key, customer, after, tenantId: of.tenantId });
      const [size] = await tx.query<{ found: number; fit: number }>(fitting, params);
      const limit = size!.fit < size!.found ? size!.fit : PAGE;
      const rows = await tx.query<{ cells: (string | null)[]; object: string; key: string[] }>(page(limit), params);
      return {
        columns: shown.map(({ name }) => name),
        rows: rows.map(({ cells }) => cells),
        objects: rows.map(({ object }) => object),
        next: rows.length === limit ? JSON.stringify(rows.at(-1)!.key) : null,
      };
    });
  }

  async files({ tenantId, customerId }: ExportOf, after: string | null): Promise<ExportFilesResponse> {
    const entry = this.fileTable();
    if (!entry?.files) return { files: [], next: null };
    const { key, name } = entry.files;
    const rows = await this.read(tenantId, (tx) =>
      tx.query<{ id: string; key: string; name: string }>(
        `SELECT t.id::text, t.${key} AS key, t.${name} AS name FROM ${entry.table} t
         WHERE ${customerId === null ? 't.tenant_id = $1 AND $2::uuid IS NULL' : rowsOf(entry)}
           AND t.${key} IS NOT NULL AND t.id::text > $3
         ORDER BY t.id::text LIMIT ${PAGE}`,
        [tenantId, customerId, after ?? ''],
      ),
    );
    return {
      files: rows.map(({ key: file, id, name: fileName }) => ({ key: file, name: `${id}-${fileName}` })),
      next: rows.length === PAGE ? rows.at(-1)!.id : null,
    };
  }

  /** @throws DomainError `not_found` for a file that is not the tenant's */
  async file(tenantId: string, key: string): Promise<Buffer> {
    const entry = this.fileTable();
    const isOwn =
      entry?.files &&
      (await this.read(tenantId, async (tx) => {
        const column = entry.files!.key;
        const [row] = await tx.query<{ there: boolean }>(
          `SELECT EXISTS (SELECT FROM ${entry.table} WHERE tenant_id = $1 AND ${column} = $2) AS there`,
          [tenantId, key],
        );
        return row?.there;
      }));
    if (!isOwn || !(await this.blobs.has(key))) throw notFound('The file');
    return this.blobs.get(key);
  }

  private ownTables(): CustomerTable[] {
    return this.data.tables.filter(({ shared }) => !shared);
  }

  private fileTable(): CustomerTable | undefined {
    return this.data.tables.find(({ files }) => files !== undefined);
  }

  private read<T>(tenantId: string, work: (tx: TenantTx) => Promise<T>): Promise<T> {
    return this.database.tenant(tenantId, work, { readOnly: true });
  }
}

interface PageOf {
  readonly shown: readonly TableColumn[];
  readonly key: readonly TableColumn[];
  readonly customer: { readonly entry: CustomerTable; readonly id: string } | null;
  readonly after: string | null;
  readonly tenantId: string;
}

interface PageSql {
  /** How many rows are `found` for a page, and how many of them `fit`: one at least, however long it is. Reads none of what is long. */
  readonly fitting: string;
  readonly page: (rows: number) => string;
  /** Of both. */
  readonly params: unknown[];
}

/** What PostgreSQL knows of a value without reading it. */
const bytesOf = ({ name, type }: TableColumn): string =>
  type === 'text' ? `octet_length(t.${name})` : `pg_column_size(t.${name})`;

/** Walks the primary key from where the last page ended. */
function pageSql(table: string, { shown, key, customer, after, tenantId }: PageOf): PageSql {
  const params: unknown[] = [tenantId];
  if (customer) params.push(customer.id);
  const ownRows = customer ? rowsOf(customer.entry) : 't.tenant_id = $1';
  const position = after === null ? null : (JSON.parse(after) as string[]);
  const bounds = position?.map((value, index) => `$${params.push(value)}::${key[index]!.type}`);
  const order = key.map(({ name }) => `t.${name}`).join(', ');
  const past = bounds ? `AND (${order}) > (${bounds.join(', ')})` : '';
  const rows = `FROM ${table} t WHERE ${ownRows} ${past} ORDER BY ${order}`;
  const columns = shown.map(({ name }) => `t.${name}`);
  const size = shown.map((column) => `coalesce(${bytesOf(column)}, 0)`).join(' + ');
  return {
    fitting: `
      SELECT count(*)::int AS found, (count(*) FILTER (WHERE place = 1 OR bytes <= ${PAGE_BYTES}))::int AS fit
      FROM (
        SELECT row_number() OVER place AS place, sum(size) OVER place AS bytes
        FROM (SELECT ${size} AS size, row_number() OVER (ORDER BY ${order}) AS at ${rows} LIMIT ${PAGE}) sized
        WINDOW place AS (ORDER BY at)) summed`,
    page: (count) => `
      SELECT ARRAY[${columns.map((column) => `${column}::text`).join(', ')}] AS cells,
        (SELECT row_to_json(r)::text FROM (SELECT ${columns.join(', ')}) r) AS object,
        ARRAY[${key.map(({ name }) => `t.${name}::text`).join(', ')}] AS key
      ${rows} LIMIT ${count}`,
    params,
  };
}
