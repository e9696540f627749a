import { type Static, type TSchema, Type } from '@sinclair/typebox';

export const Instant = Type.String({ format: 'date-time' });
export const Uuid = Type.String({ format: 'uuid' });

/** The schema's values, or null: `type: ['string', 'null']`. */
export const orNull = <S extends TSchema>(schema: S, more: object = {}) =>
  Type.Unsafe<Static<S> | null>({ ...schema, type: [schema.type as string, 'null'], ...more });

/** One of some texts. */
export const oneOf = <T extends string>(values: readonly T[]) => Type.Unsafe<T>({ type: 'string', enum: [...values] });
