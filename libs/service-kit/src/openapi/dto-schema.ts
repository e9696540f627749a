import { bodyExampleOf } from '../dto/body-example.js';
import { describeDto, type FieldDescription } from '../dto/describe-dto.js';
import type { JsonSchema } from '../http/operation.js';

/** Schemas by component name, collected while operations are described. */
export type Components = Map<string, JsonSchema>;

const BODY = '~body';

/** A resource and the body that makes it are mostly called alike: bodies are collected under names of their own. */
export const bodyName = (dto: Function): string => `${dto.name.replace(/Dto$/, '')}${BODY}`;

/** What a collected body is called in the document: plainly, or `…Input` where a response has that name. */
export function publicName(name: string, components: Components): string {
  if (!name.endsWith(BODY)) return name;
  const plain = name.slice(0, -BODY.length);
  return components.has(plain) ? `${plain}Input` : plain;
}

/** `{ $ref }` of a DTO class; its schema is added to the components, from what the validating pipe itself goes by. */
export function dtoSchema(dto: Function, components: Components): JsonSchema {
  const name = bodyName(dto);
  const ref = { $ref: `#/components/schemas/${name}` };
  if (components.has(name)) return ref;
  const schema: JsonSchema = { type: 'object', additionalProperties: false };
  components.set(name, schema);
  const defaults = new (dto as new () => Record<string, unknown>)();
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const field of describeDto(dto).values()) {
    properties[field.name] = fieldSchema(field, defaults[field.name], components);
    if (isRequired(field, defaults)) required.push(field.name);
  }
  schema['properties'] = properties;
  if (required.length > 0) schema['required'] = required;
  const example = bodyExampleOf(dto);
  if (example) schema['examples'] = [example];
  return ref;
}

const isRequired = (field: FieldDescription, defaults: Record<string, unknown>): boolean =>
  !field.readOnly && !field.notSupportedYet && defaults[field.name] === undefined && field.applies({}, undefined);

function fieldSchema(field: FieldDescription, byDefault: unknown, components: Components): JsonSchema {
  const described: JsonSchema = { ...(field.description ? { description: field.description } : {}) };
  if (field.readOnly)
    return {
      ...described,
      readOnly: true,
      description: field.description ?? 'Set by the service; ignored in requests.',
    };
  if (field.notSupportedYet)
    return {
      ...described,
      description: `${field.description ? `${field.description} ` : ''}Not supported yet: leave it out or null.`,
      enum: [null, ...field.notSupportedYet.allowed],
    };
  const nullable = !field.applies({}, null);
  const value = valueSchema(field, components);
  const whole: JsonSchema = field.list ? { type: 'array', items: value, ...field.listSchema } : value;
  const extras = {
    ...described,
    ...(byDefault === undefined || typeof byDefault === 'function' ? {} : { default: byDefault }),
  };
  if (!nullable)
    return '$ref' in whole && Object.keys(extras).length > 0 ? { allOf: [whole], ...extras } : { ...whole, ...extras };
  // Some fields take blank text for null.
  const blank = !field.list && field.types.has('string') && !field.applies({ [field.name]: '' }, '');
  if (blank) return { anyOf: [whole, { enum: ['', null] }], ...extras };
  if ('$ref' in whole || 'enum' in whole) return { anyOf: [whole, { type: 'null' }], ...extras };
  if (whole['type'] === undefined) return { ...whole, ...extras };
  return { ...whole, type: [whole['type'] as string, 'null'].flat(), ...extras };
}

function valueSchema(field: FieldDescription, components: Components): JsonSchema {
  if (field.nested) return dtoSchema(field.nested, components);
  const types = [...field.types].map((type) =>
    type === 'number' && field.schema['type'] === 'integer' ? 'integer' : type,
  );
  return { ...(types.length === 1 ? { type: types[0] } : types.length > 1 ? { type: types } : {}), ...field.schema };
}
