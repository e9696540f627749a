import { type TSchema, Type } from '@sinclair/typebox';

export const Uuid = Type.String({ format: 'uuid' });
export const Instant = Type.String({ format: 'date-time' });
export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
export const TextOrNull = orNull(Type.String());
export const CustomFields = orNull(Type.Record(Type.String(), Type.String()));

/** A string that is one of the values, in the type as well as in the document. */
export const oneOf = <const V extends readonly string[]>(values: V) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values] });
