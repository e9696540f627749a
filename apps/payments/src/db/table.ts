import { invariant, type Tx } from '@kontor/kernel';
import { arrayLiteral } from './array-literal.js';

type ColumnType = 'uuid' | 'text' | 'bigint' | 'integer' | 'boolean' | 'timestamptz' | 'jsonb';

const snake = (property: string): string => property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Where rows of one kind live: the SELECT list under the properties' names, and set-based writing by primary key. Rows
 * travel as one array a column (a third faster to take in than JSON). Many known rows are found one by one by the key: lists
 * and joins with an unnested array are planned without statistics, and may read all rows of the tenant.
 */
export class Table<Row extends object> {
  readonly select: string;
  private readonly names: readonly (keyof Row & string)[];
  private readonly insertSql: string;
  private readonly upsertSql: string;
  private readonly updateSql: string;
  private readonly byIdsSql: string;

  /** `mutable` are the columns that change after the row was made. */
  constructor(
    readonly name: string,
    private readonly columns: Readonly<Record<keyof Row & string, ColumnType>>,
    private readonly mutable: readonly (keyof Row & string)[] = [],
  ) {
    this.names = Object.keys(columns) as (keyof Row & string)[];
    this.select = this.names.map((property) => `${snake(property)} AS "${property}"`).join(', ');
    const list = this.names.map(snake).join(', ');
    const insert = `INSERT INTO ${name} (tenant_id, ${list}) SELECT $1::uuid, r.* FROM unnest(${this.arrays(this.names)}) AS r (${list})`;
    this.insertSql = `${insert} RETURNING 1`;
    this.upsertSql = `${insert} ON CONFLICT (tenant_id, id) DO UPDATE SET ${mutable.map((p) => `${snake(p)} = excluded.${snake(p)}`).join(', ')} RETURNING 1`;
    this.byIdsSql = `SELECT ${this.select} FROM unnest($2::uuid[]) AS k (key) CROSS JOIN LATERAL (
      SELECT * FROM ${name} WHERE tenant_id = $1 AND id = k.key OFFSET 0) r`;
    this.updateSql = `UPDATE ${name} t SET ${mutable.map((p) => `${snake(p)} = r.${snake(p)}`).join(', ')}
      FROM unnest(${this.arrays(this.changing)}) AS r (${this.changing.map(snake).join(', ')})
      CROSS JOIN LATERAL (SELECT x.ctid AS place FROM ${name} x WHERE x.tenant_id = $1 AND x.id = r.id OFFSET 0) l
      WHERE t.ctid = l.place AND t.tenant_id = $1 RETURNING 1`;
  }

  /** Rows of the tenant that match `where`, which numbers its parameters from $2. */
  find(tx: Tx, where: string, params: readonly unknown[]): Promise<Row[]> {
    return tx.query<Row>(`SELECT ${this.select} FROM ${this.name} WHERE tenant_id = $1 AND ${where}`, [tx.tenantId, ...params]);
  }

  /** Rows by their keys, in no order; unknown ones are left out. */
  findByIds(tx: Tx, ids: readonly string[]): Promise<Row[]> {
    return tx.query<Row>(this.byIdsSql, [tx.tenantId, ids]);
  }

  insert(tx: Tx, rows: Iterable<Row>): Promise<void> {
    return this.run(tx, this.insertSql, rows, this.names);
  }

  /** Inserts new rows and changes the mutable columns of known ones. */
  save(tx: Tx, rows: Iterable<Row>): Promise<void> {
    return this.run(tx, this.upsertSql, rows, this.names);
  }

  /** Changes the mutable columns of known rows. They, or their owner, are locked by the caller: a row that moves meanwhile fails it all. */
  update(tx: Tx, rows: Iterable<Row>): Promise<void> {
    return this.run(tx, this.updateSql, rows, this.changing);
  }

  private get changing(): (keyof Row & string)[] {
    return ['id' as keyof Row & string, ...this.mutable];
  }

  private arrays(properties: readonly (keyof Row & string)[]): string {
    return properties.map((property, at) => `$${at + 2}::${this.columns[property]}[]`).join(', ');
  }

  private async run(tx: Tx, sql: string, rows: Iterable<Row>, properties: readonly (keyof Row & string)[]): Promise<void> {
    const list = [...rows];
    if (list.length === 0) return;
    const written = await tx.query(sql, [tx.tenantId, ...properties.map((property) => this.literalOf(property, list))]);
    invariant(written.length === list.length, `all rows of ${this.name} are written`);
  }

  private literalOf(property: keyof Row & string, rows: readonly Row[]): string {
    return arrayLiteral(this.columns[property] === 'jsonb' ? rows.map((row) => toJson(row[property])) : rows.map((row) => row[property]));
  }
}

const toJson = (value: unknown): string | null =>
  value === undefined || value === null
    ? null
    : JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? one.toString() : one));
