import type { Tx } from '@kontor/kernel';

type ColumnType = 'uuid' | 'text' | 'bigint' | 'integer' | 'boolean' | 'timestamptz' | 'jsonb';

const snake = (property: string): string => property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Where rows of one kind live: the SELECT list under the properties' names, and a set-based save by primary key. Saving
 * is an upsert, because that always goes by the key: joins with an unnested array are planned without statistics.
 */
export class Table<Row extends object> {
  readonly select: string;
  private readonly insertSql: string;
  private readonly upsertSql: string;

  /** `mutable` are the columns that change after the row was made. */
  constructor(
    readonly name: string,
    columns: Readonly<Record<keyof Row & string, ColumnType>>,
    mutable: readonly (keyof Row & string)[] = [],
  ) {
    const names = Object.keys(columns) as (keyof Row & string)[];
    this.select = names.map((property) => `${snake(property)} AS "${property}"`).join(', ');
    const list = names.map(snake).join(', ');
    const definition = names.map((property) => `"${property}" ${columns[property]}`).join(', ');
    this.insertSql = `INSERT INTO ${name} (tenant_id, ${list}) SELECT $1::uuid, r.* FROM jsonb_to_recordset($2) AS r (${definition})`;
    this.upsertSql = `${this.insertSql} ON CONFLICT (tenant_id, id) DO UPDATE SET ${mutable.map((p) => `${snake(p)} = excluded.${snake(p)}`).join(', ')}`;
  }

  /** Rows of the tenant that match `where`, which numbers its parameters from $2. */
  find(tx: Tx, where: string, params: readonly unknown[]): Promise<Row[]> {
    return tx.query<Row>(`SELECT ${this.select} FROM ${this.name} WHERE tenant_id = $1 AND ${where}`, [tx.tenantId, ...params]);
  }

  async insert(tx: Tx, rows: Iterable<Row>): Promise<void> {
    const json = this.toJson(rows);
    if (json) await tx.query(this.insertSql, [tx.tenantId, json]);
  }

  /** Inserts new rows and changes the mutable columns of known ones. */
  async save(tx: Tx, rows: Iterable<Row>): Promise<void> {
    const json = this.toJson(rows);
    if (json) await tx.query(this.upsertSql, [tx.tenantId, json]);
  }

  private toJson(rows: Iterable<Row>): string | undefined {
    const list = [...rows];
    if (list.length === 0) return undefined;
    return JSON.stringify(list, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
  }
}
