import { getMetadataStorage } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';
import { createRequire } from 'node:module';
import type { JsonSchema } from '../http/operation.js';
import { fieldExtras, type JsonType } from './field-extras.js';
import { impliedSchema, impliedTypes } from './implied-types.js';

// class-transformer exports its decorators' storage from a deep path only.
const { defaultMetadataStorage } = createRequire(import.meta.url)('class-transformer/cjs/storage.js') as {
  defaultMetadataStorage: {
    findTypeMetadata(target: Function, property: string): { typeFunction(): Function } | undefined;
  };
};

export interface FieldDescription {
  readonly name: string;
  readonly readOnly: boolean;
  readonly notSupportedYet: { readonly allowed: readonly unknown[] } | undefined;
  /** A list: `types`, `nested` and `schema` then speak of each item. */
  readonly list: boolean;
  /** Empty: any JSON. */
  readonly types: ReadonlySet<JsonType>;
  /** Of the values of an object whose names are free; undefined: anything. */
  readonly valueTypes: ReadonlySet<JsonType> | undefined;
  readonly nested: Function | undefined;
  readonly schema: JsonSchema;
  readonly listSchema: JsonSchema;
  readonly description: string | undefined;
  readonly canonical: ((text: string) => string) | undefined;
  /** False when a condition (`@OptionalField`, `@ValidateIf`) says that the value is not to be looked at. */
  applies(owner: object, value: unknown): boolean;
}

const ARRAY_CHECKS = new Set([
  'isArray',
  'arrayMinSize',
  'arrayMaxSize',
  'arrayUnique',
  'arrayNotEmpty',
  'arrayContains',
]);
const cache = new WeakMap<Function, ReadonlyMap<string, FieldDescription>>();

/** What a DTO class says about its fields: the one source of the validating pipe and of the OpenAPI document. */
export function describeDto(dto: Function): ReadonlyMap<string, FieldDescription> {
  const known = cache.get(dto);
  if (known) return known;
  const metadata = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false) as ValidationMetadata[];
  const extras = fieldExtras(dto);
  const fields = new Map<string, FieldDescription>();
  for (const name of new Set([...extras.keys(), ...metadata.map((check) => check.propertyName)])) {
    fields.set(
      name,
      describeField(
        dto,
        name,
        metadata.filter((check) => check.propertyName === name),
      ),
    );
  }
  cache.set(dto, fields);
  return fields;
}

/** True for a class with at least one described field. */
export const isDto = (candidate: unknown): candidate is Function =>
  typeof candidate === 'function' && describeDto(candidate).size > 0;

function describeField(dto: Function, name: string, metadata: ValidationMetadata[]): FieldDescription {
  const extras = fieldExtras(dto).get(name) ?? {};
  const named = metadata.map((check) => ({
    rule: check.name ?? check.type,
    each: check.each,
    constraints: (check.constraints ?? []) as unknown[],
  }));
  const conditions = metadata
    .filter((check) => check.type === 'conditionalValidation')
    .map((check) => check.constraints[0] as (owner: object, value: unknown) => boolean);
  const hasNested = named.some((entry) => entry.rule === 'nestedValidation');
  const isList = extras.list === true || named.some((entry) => ARRAY_CHECKS.has(entry.rule) || entry.each);
  const designed = Reflect.getMetadata('design:type', dto.prototype as object, name) as Function | undefined;
  const nested =
    extras.nested?.() ??
    defaultMetadataStorage.findTypeMetadata(dto, name)?.typeFunction() ??
    (hasNested && !isList ? designed : undefined);
  const itemRules = named.filter((entry) => !ARRAY_CHECKS.has(entry.rule));
  const listSchema = {
    ...named
      .filter((entry) => ARRAY_CHECKS.has(entry.rule))
      .reduce((schema, entry) => ({ ...schema, ...impliedSchema(entry.rule, entry.constraints) }), {}),
    ...pick(extras.schema, LIST_WORDS),
  };
  if (isList && !('maxItems' in listSchema)) throw new Error(`${dto.name}.${name}: a list needs a largest length`);
  return {
    name,
    readOnly: extras.readOnly === true,
    notSupportedYet: extras.notSupportedYet,
    list: isList,
    types: new Set(nested ? ['object'] : (extras.types ?? impliedTypes(itemRules))),
    valueTypes: extras.valueTypes && new Set(extras.valueTypes),
    nested,
    schema: {
      ...itemRules.reduce((schema, entry) => ({ ...schema, ...impliedSchema(entry.rule, entry.constraints) }), {}),
      ...(isList ? omit(extras.schema, LIST_WORDS) : extras.schema),
    },
    listSchema,
    description: extras.description,
    canonical: extras.canonical,
    applies: (owner, value) => conditions.every((condition) => condition(owner, value)),
  };
}

const LIST_WORDS = ['minItems', 'maxItems', 'uniqueItems'];
const omit = (schema: JsonSchema | undefined, words: string[]): JsonSchema =>
  Object.fromEntries(Object.entries(schema ?? {}).filter(([word]) => !words.includes(word)));
const pick = (schema: JsonSchema | undefined, words: string[]): JsonSchema =>
  Object.fromEntries(Object.entries(schema ?? {}).filter(([word]) => words.includes(word)));
