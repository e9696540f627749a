import { Column, type ColumnOptions } from 'typeorm';

type Options = Omit<ColumnOptions, 'type' | 'transformer'>;

/** A `bigint` column as a JavaScript bigint: minor units of money, sequences, versions that may grow. */
export const BigintColumn = (options: Options = {}): PropertyDecorator =>
  Column({
    ...options,
    type: 'bigint',
    transformer: {
      from: (value: string | bigint | null) => (value === null || value === undefined ? value : BigInt(value)),
      to: (value: bigint | number | null | undefined) =>
        typeof value === 'bigint' || typeof value === 'number' ? value.toString() : value,
    },
  });

/** A `timestamptz` column as a Date. */
export const InstantColumn = (options: Options = {}): PropertyDecorator => Column({ ...options, type: 'timestamptz' });

/** A `jsonb` column, parsed. */
export const JsonColumn = (options: Options = {}): PropertyDecorator => Column({ ...options, type: 'jsonb' });

/** Marks a column of JSON texts; it changes nothing. */
export const ONE_LINE = { from: (value: unknown) => value, to: (value: unknown) => value };

/** A `text` column of JSON texts as `JSON.stringify` writes them, kept byte for byte. */
export const JsonTextColumn = (options: Options = {}): PropertyDecorator =>
  Column({ ...options, type: 'text', transformer: ONE_LINE });
