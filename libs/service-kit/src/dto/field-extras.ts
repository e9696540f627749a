import 'reflect-metadata';
import type { JsonSchema } from '../http/operation.js';

export type JsonType = 'string' | 'number' | 'boolean' | 'array' | 'object';

/** What the kit's own field decorators say about a property, beside class-validator's metadata. */
export interface FieldExtras {
  readOnly?: boolean;
  /** Set to something other than these values: 422 `not_supported_yet`. */
  notSupportedYet?: { readonly allowed: readonly unknown[] };
  /** DTO class of the value, or of each item when `list`. */
  nested?: () => Function;
  list?: boolean;
  /** JSON types that the value (or each item) may have, where no class-validator decorator implies them. */
  types?: readonly JsonType[];
  /** JSON types that the values of an object may have whose names are free. */
  valueTypes?: readonly JsonType[];
  schema?: JsonSchema;
  description?: string;
  /** How a text is written that means the same in several ways. */
  canonical?: (text: string) => string;
}

const EXTRAS = 'kontor:fields';

/** Adds to what is known about a property; a subclass does not change its parent. */
export function noteField(prototype: object, property: string, extras: FieldExtras): void {
  const declared = Reflect.getOwnMetadata(EXTRAS, prototype) as Map<string, FieldExtras> | undefined;
  const fields = declared ?? new Map(Reflect.getMetadata(EXTRAS, prototype) as Map<string, FieldExtras> | undefined);
  fields.set(property, {
    ...fields.get(property),
    ...extras,
    schema: { ...fields.get(property)?.schema, ...extras.schema },
  });
  Reflect.defineMetadata(EXTRAS, fields, prototype);
}

export const fieldExtras = (dto: Function): ReadonlyMap<string, FieldExtras> =>
  (Reflect.getMetadata(EXTRAS, dto.prototype as object) as Map<string, FieldExtras> | undefined) ?? new Map();
