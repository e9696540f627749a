import { invariant, prepared, type Tx } from '@kontor/kernel';
import { arrayLiteral, jsonLines, splitLines } from './array-literal.js';
import { conditionOf, type FindOptions, type Match, tailOf } from './row-match.js';
import { type RowClass, type RowColumn, shapeOf } from './row-shape.js';

/** A row to write. Its tenant is the transaction's. */
export type NewRow<R> = Omit<R, 'tenantId'> & { readonly tenantId?: string };

/** Which part of an order is asked for; `orderBy` names columns of `t`. */
export interface PlaceInOrder {
  readonly orderBy: string;
  readonly limit: number;
  readonly offset: number;
}

/** Rows that are skipped as they are; beyond, reading keys first is cheaper. */
const FAR = 100;
/** From how many uses on connections keep a statement: those of tables that are seldom touched cost more memory than time. */
const OFTEN = 100;

type OneOrMany<T> = T | Iterable<T>;

const tables = new Map<Function, unknown>();

/** The table that a row class describes: `const customers = rowTable(CustomerRow)`, once per class. */
export function rowTable<R extends object>(row: RowClass<R>): RowTable<R> {
  const known = tables.get(row) as RowTable<R> | undefined;
  if (known) return known;
  const made = new RowTable(row);
  tables.set(row, made);
  return made;
}

/**
 * The rows of one table, of the transaction's tenant: ordinary reads, and set-based writes by primary key. Rows travel to the
 * database as one array a column (a third faster to insert than JSON), one row too.
 * Many known rows are found one by one by the key, in a LATERAL that `OFFSET 0` keeps apart: lists and joins with an unnested
 * array are planned without statistics, and may read all rows of the tenant.
 */
export class RowTable<R extends object> {
  readonly name: string;
  /** `customer_id AS "customerId", …` for hand-written statements. */
  readonly select: string;
  private readonly columns: ReadonlyMap<string, RowColumn>;
  /** The primary key without the tenant. */
  private readonly key: readonly RowColumn[];
  private readonly statements = new Map<string, string>();
  /** How often those were asked for that connections may keep. */
  private readonly times = new Map<string, number>();
  /** JSON columns in which there were amounts. */
  private readonly withAmounts = new Set<RowColumn>();

  constructor(row: RowClass<R>) {
    const { table, columns } = shapeOf(row);
    this.name = table;
    this.columns = new Map(columns.map((column) => [column.property, column]));
    this.key = columns.filter(({ isKey, property }) => isKey && property !== 'tenantId');
    this.select = columns.map(({ name, property }) => `${name} AS "${property}"`).join(', ');
  }

  /** `select` of a table that has an alias in the statement. */
  selectOf(alias: string): string {
    return [...this.columns.values()].map(({ name, property }) => `${alias}.${name} AS "${property}"`).join(', ');
  }

  /** The row with this key; null when there is none. For tables whose key is the tenant and one column. */
  get(tx: Tx, id: string, options: Pick<FindOptions<R>, 'lock'> = {}): Promise<R | null> {
    return this.findOne(tx, { [this.id.property]: id } as Match<R>, { ...options, prepared: true });
  }

  /** Rows by their keys, in no order; unknown ones are left out. For tables whose key is the tenant and one column. */
  async findByIds(tx: Tx, ids: Iterable<string>): Promise<R[]> {
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return [];
    const sql = this.statement('by ids', () => {
      const { name, type } = this.id;
      return `SELECT ${this.select} FROM unnest($2::${type}[]) AS k (key)
        CROSS JOIN LATERAL (SELECT * FROM ${this.name} WHERE tenant_id = $1 AND ${name} = k.key OFFSET 0) r`;
    });
    return tx.query<R>(sql, [tx.tenantId, arrayLiteral(wanted)]);
  }

  async find(tx: Tx, match: Match<R>, options: FindOptions<R> = {}): Promise<R[]> {
    const { sql, params } = conditionOf(this.columns, tx.tenantId, match);
    const tail = tailOf(this.columns, params, options);
    const text = `SELECT ${this.select} FROM ${this.name} WHERE ${sql}${tail}`;
    return tx.query<R>(options.prepared ? prepared(text) : text, params);
  }

  /** The first row that matches; null when none does. */
  async findOne(tx: Tx, match: Match<R>, options: FindOptions<R> = {}): Promise<R | null> {
    const [row] = await this.find(tx, match, { ...options, limit: 1 });
    return row ?? null;
  }

  /** The first row that matches, of which there must be one. */
  async findOneOrFail(tx: Tx, match: Match<R>, options: FindOptions<R> = {}): Promise<R> {
    const row = await this.findOne(tx, match, options);
    invariant(row, `there is a row of ${this.name}`);
    return row;
  }

  /**
   * Rows by a condition in SQL, in which `$1` is the tenant and `t` the table; what may follow a condition (ORDER BY, LIMIT,
   * FOR UPDATE) may follow. An OR needs parentheses.
   */
  where(tx: Tx, condition: string, params: readonly unknown[] = []): Promise<R[]> {
    return tx.query<R>(`SELECT ${this.selectOf('t')} FROM ${this.name} t WHERE t.tenant_id = $1 AND ${condition}`, [
      tx.tenantId,
      ...params,
    ]);
  }

  /**
   * One page of the rows that `condition` names, as in `where`. Far from the start only keys are skipped, in an index that has the
   * order, and whole rows are read where the page lies. For tables whose key is the tenant and one column.
   */
  page(tx: Tx, condition: string, params: readonly unknown[], { orderBy, limit, offset }: PlaceInOrder): Promise<R[]> {
    const tail = `ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}`;
    if (offset < FAR) return this.where(tx, `${condition} ${tail}`, params);
    const { name } = this.id;
    return tx.query<R>(
      `SELECT ${this.selectOf('t')}
       FROM (SELECT t.${name} AS place FROM ${this.name} t WHERE t.tenant_id = $1 AND ${condition} ${tail}) p
         CROSS JOIN LATERAL (SELECT * FROM ${this.name} WHERE tenant_id = $1 AND ${name} = p.place OFFSET 0) t
       ORDER BY ${orderBy}`,
      [tx.tenantId, ...params],
    );
  }

  /** Whether a column may hold nothing; named as in the database. */
  isNullable(column: string): boolean {
    return [...this.columns.values()].some(({ name, isNullable }) => isNullable && name === `"${column}"`);
  }

  async count(tx: Tx, match: Match<R>): Promise<number> {
    const { sql, params } = conditionOf(this.columns, tx.tenantId, match);
    const [row] = await tx.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${this.name} WHERE ${sql}`, params);
    return row?.n ?? 0;
  }

  async exists(tx: Tx, match: Match<R>): Promise<boolean> {
    const { sql, params } = conditionOf(this.columns, tx.tenantId, match);
    return (await tx.query(`SELECT 1 FROM ${this.name} WHERE ${sql} LIMIT 1`, params)).length > 0;
  }

  /** Inserts new rows. */
  async insert(tx: Tx, rows: OneOrMany<NewRow<R>>): Promise<void> {
    const list = listOf(rows);
    if (list.length === 0) return;
    const sql = this.keptStatement('insert', () => `${this.insertSql()} RETURNING 1`);
    this.assertAll(list, await tx.query(sql, this.parameters(tx, list, this.written)));
  }

  /** Inserts the rows that are in conflict with none that is there, by any unique key; returns those. */
  async insertMissing(tx: Tx, rows: OneOrMany<NewRow<R>>): Promise<R[]> {
    const list = listOf(rows);
    if (list.length === 0) return [];
    const sql = this.keptStatement(
      'insert missing',
      () => `${this.insertSql()} ON CONFLICT DO NOTHING RETURNING ${this.select}`,
    );
    return tx.query<R>(sql, this.parameters(tx, list, this.written));
  }

  /** Inserts new rows and changes the mutable columns of those that are there. */
  async save(tx: Tx, rows: OneOrMany<NewRow<R>>): Promise<void> {
    const list = listOf(rows);
    if (list.length === 0) return;
    const sql = this.keptStatement('save', () => {
      const key = ['tenant_id', ...this.key.map(({ name }) => name)].join(', ');
      const set = this.changing().map(({ name }) => `${name} = excluded.${name}`);
      return `${this.insertSql()} ON CONFLICT (${key}) DO UPDATE SET ${set.join(', ')} RETURNING 1`;
    });
    this.assertAll(list, await tx.query(sql, this.parameters(tx, list, this.written)));
  }

  /**
   * Changes known rows: the named columns, else all that are mutable. They, or their owner, are locked by the caller: a row
   * that moves meanwhile fails it all. Not for partitioned tables, whose rows share places.
   */
  update(tx: Tx, rows: OneOrMany<NewRow<R>>): Promise<void>;
  update<P extends keyof R & string>(
    tx: Tx,
    rows: OneOrMany<Pick<R, P> & Partial<R>>,
    properties: readonly P[],
  ): Promise<void>;
  async update(tx: Tx, rows: OneOrMany<object>, properties?: readonly string[]): Promise<void> {
    const list = listOf(rows);
    if (list.length === 0) return;
    const changing = this.changing(properties);
    const columns = [...this.key, ...changing];
    const sql = this.statement(`update ${properties?.join() ?? ''}`, () => {
      const found = ['x.tenant_id = $1', ...this.key.map((column) => `x.${column.name} = ${valueOf(column)}`)];
      return `UPDATE ${this.name} t SET ${changing.map((column) => `${column.name} = ${valueOf(column)}`).join(', ')}
        FROM ${unnested(columns)}
        CROSS JOIN LATERAL (SELECT x.ctid AS place FROM ${this.name} x WHERE ${found.join(' AND ')} OFFSET 0) l
        WHERE t.ctid = l.place AND t.tenant_id = $1 RETURNING 1`;
    });
    this.assertAll(list, await tx.query(sql, this.parameters(tx, list, columns)));
  }

  /** Deletes the rows that match; returns how many there were. */
  async delete(tx: Tx, match: Match<R>): Promise<number> {
    invariant(Object.keys(match).length > 0, `what is deleted from ${this.name} is named`);
    const { sql, params } = conditionOf(this.columns, tx.tenantId, match);
    return (await tx.query(`DELETE FROM ${this.name} WHERE ${sql} RETURNING 1`, params)).length;
  }

  private get id(): RowColumn {
    const [id, second] = this.key;
    invariant(id && !second, `the key of ${this.name} is the tenant and one column`);
    return id;
  }

  private get written(): RowColumn[] {
    return [...this.columns.values()].slice(1);
  }

  private changing(properties?: readonly string[]): RowColumn[] {
    const changing = this.written.filter(({ property, isMutable }) =>
      properties ? properties.includes(property) : isMutable,
    );
    invariant(changing.length > 0, `rows of ${this.name} can change`);
    invariant(
      changing.every(({ isMutable }) => isMutable),
      `mutable columns of ${this.name} change`,
    );
    return changing;
  }

  private insertSql(): string {
    const columns = this.written;
    return `INSERT INTO ${this.name} (tenant_id, ${columns.map(({ name }) => name).join(', ')})
      SELECT $1::uuid, ${columns.map(valueOf).join(', ')} FROM ${unnested(columns)}`;
  }

  private statement(key: string, build: () => string): string {
    let sql = this.statements.get(key);
    if (sql === undefined) this.statements.set(key, (sql = build()));
    return sql;
  }

  /** For what writes only rows that come with it, and looks for none: its plan is the same whatever the table has, so connections keep it. */
  private keptStatement(key: string, build: () => string): string {
    const sql = this.statement(key, build);
    const times = (this.times.get(key) ?? 0) + 1;
    this.times.set(key, times);
    return times === OFTEN ? prepared(sql) : sql;
  }

  private parameters(tx: Tx, rows: readonly Written[], columns: readonly RowColumn[]): unknown[] {
    for (const { tenantId } of rows)
      invariant(tenantId === undefined || tenantId === tx.tenantId, `rows of ${this.name} are the tenant's`);
    return [
      tx.tenantId,
      ...columns.map((column) => {
        const values = rows.map((row) => row[column.property]);
        if (column.isJson) return jsonLines(values.map((value) => this.toJson(column, value)));
        return column.isLine ? jsonLines(values as (string | null)[]) : arrayLiteral(values);
      }),
    ];
  }

  /** A replacer makes all of it several times slower, and failing without one more so: each column shows what it needs. */
  private toJson(column: RowColumn, value: unknown): string | null {
    if (value === undefined || value === null) return null;
    if (this.withAmounts.has(column)) return JSON.stringify(value, amountsAsText);
    try {
      return JSON.stringify(value);
    } catch {
      const text = JSON.stringify(value, amountsAsText);
      this.withAmounts.add(column);
      return text;
    }
  }

  private assertAll(rows: readonly unknown[], written: readonly unknown[]): void {
    invariant(written.length === rows.length, `all rows of ${this.name} are written`);
  }
}

type Written = Readonly<Record<string, unknown>>;

const listOf = (rows: object): readonly Written[] =>
  Symbol.iterator in rows ? [...(rows as Iterable<Written>)] : [rows as Written];

/** The columns' arrays, from `$2` on, as rows `r`. Arrays in a column travel as text: unnest would flatten them. */
const unnested = (columns: readonly RowColumn[]): string =>
  `unnest(${columns.map((column, i) => arrayOf(column, `$${i + 2}`)).join(', ')})
        AS r (${columns.map(({ name }) => name).join(', ')})`;

const arrayOf = ({ type, isArray, isLine }: RowColumn, parameter: string): string =>
  isLine ? splitLines(parameter, type) : `${parameter}::${isArray ? 'text' : type}[]`;

const valueOf = ({ name, type, isArray }: RowColumn): string => `r.${name}${isArray ? `::${type}` : ''}`;

const amountsAsText = (_key: string, part: unknown): unknown => (typeof part === 'bigint' ? part.toString() : part);
