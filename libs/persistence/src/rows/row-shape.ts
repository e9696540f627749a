import { invariant } from '@kontor/kernel';
import { getMetadataArgsStorage } from 'typeorm';
import { ONE_LINE } from '../columns.js';
import { camelToSnake } from './camel-to-snake.js';

/** A class with TypeORM's decorators that describes one table. */
export type RowClass<R extends object> = new () => R;

export interface RowColumn {
  readonly property: string;
  /** The column's name, quoted: some are SQL keywords. */
  readonly name: string;
  /** As in a cast: `uuid`, `bigint`, `text[]`. */
  readonly type: string;
  readonly isArray: boolean;
  readonly isJson: boolean;
  /** Its values are texts of one line each, none of them empty: JSON. */
  readonly isLine: boolean;
  readonly isKey: boolean;
  readonly isNullable: boolean;
  /** False for the key and for columns declared with `update: false`. */
  readonly isMutable: boolean;
}

export interface RowShape {
  readonly table: string;
  /** The tenant's first. */
  readonly columns: readonly RowColumn[];
}

/** Table, columns and types of a row class as its decorators declare them: what TypeORM and the drift check read, too. */
export function shapeOf(row: Function): RowShape {
  const storage = getMetadataArgsStorage();
  const table = storage.tables.find((entry) => entry.target === row)?.name;
  invariant(table !== undefined, `${row.name} names its table`);
  const columns = storage.filterColumns(ancestorsOf(row)).map(({ propertyName, options }): RowColumn => {
    const { type, primary = false, array = false, update = true, nullable = false, transformer } = options;
    invariant(typeof type === 'string', `${row.name}.${propertyName} has a type of PostgreSQL`);
    const isJson = type === 'jsonb' || type === 'json';
    return {
      property: propertyName,
      name: `"${options.name ?? camelToSnake(propertyName)}"`,
      type: array ? `${type}[]` : type,
      isArray: array,
      isJson,
      isLine: isJson || transformer === ONE_LINE,
      isKey: primary,
      isNullable: nullable,
      isMutable: !primary && update,
    };
  });
  const tenant = columns.find(({ property }) => property === 'tenantId');
  invariant(tenant?.isKey, `the key of ${row.name} begins with tenantId`);
  return { table, columns: [tenant, ...columns.filter((column) => column !== tenant)] };
}

function ancestorsOf(row: Function): Function[] {
  const parent: unknown = Object.getPrototypeOf(row);
  return typeof parent === 'function' && parent !== Function.prototype ? [row, ...ancestorsOf(parent)] : [row];
}
