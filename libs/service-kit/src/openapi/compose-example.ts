import type { JsonSchema } from '../http/operation.js';
import { wordOf } from './describe-properties.js';
import { exampleIdFor, exampleIdOf } from './example-id.js';

interface Place {
  /** The component that is being composed. */
  readonly component: string | null;
  /** The property; an item of a list has the list's. */
  readonly name: string | null;
  /** Only what must be sent. */
  readonly request: boolean;
  /** Components on the way here. */
  readonly above: readonly string[];
}

const FORMATS: Readonly<Record<string, unknown>> = {
  'date-time': '2026-03-01T09:00:00.000Z',
  date: '2026-03-01',
  decimal: '10',
  'iso-4217': 'EUR',
  'iso-3166': 'DE',
  email: 'rechnung@backhaus-elbe.example',
  uri: 'https://example.com',
  binary: '(bytes)',
  'time-zone': 'Europe/Berlin',
};
const PREFIX = '#/components/schemas/';

/**
 * A value as it may look, from what the schema and the words of the document say. @see docs/rules/api.md#the-document
 */
export class ComposeExample {
  constructor(private readonly schemas: Readonly<Record<string, JsonSchema>>) {}

  execute(schema: JsonSchema, request: boolean): unknown {
    const example = this.value(schema, { component: null, name: null, request, above: [] });
    if (!request || JSON.stringify(example) !== '{}') return example;
    // Nothing must be sent: what can be.
    return this.value(schema, { component: null, name: null, request: false, above: [] });
  }

  private value(schema: JsonSchema, place: Place): unknown {
    const ref = schema['$ref'];
    if (typeof ref === 'string') return this.component(ref.slice(PREFIX.length), place);
    const stated = schema['example'] ?? (schema['examples'] as unknown[] | undefined)?.[0] ?? schema['const'];
    if (stated !== undefined) return stated;
    const word = place.name === null ? undefined : wordOf(place.component, place.name);
    if (Array.isArray(word) && fits(word[1], schema, this.schemas)) return word[1] as unknown;
    const all = schema['allOf'] as JsonSchema[] | undefined;
    if (all) return this.value(all.length === 1 ? all[0]! : merged(all), place);
    const variants = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
    if (variants)
      return this.value(variants.find((variant) => !isRecursive(variant, place)) ?? { type: 'null' }, place);
    const choice = schema['enum'] as unknown[] | undefined;
    if (choice) return choice.find((entry) => entry !== null) ?? null;
    return this.ofType(schema, place);
  }

  private component(name: string, place: Place): unknown {
    const schema = this.schemas[name];
    if (!schema || place.above.includes(name)) return {};
    return this.value(schema, { ...place, component: name, above: [...place.above, name] });
  }

  private ofType(schema: JsonSchema, place: Place): unknown {
    const [type] = [schema['type']].flat().filter((candidate) => candidate !== 'null');
    if (schema['properties'] || type === 'object') return this.object(schema, place);
    if (type === 'array') return this.list(schema, place);
    if (type === 'integer' || type === 'number') return numberOf(schema);
    if (type === 'boolean') return (schema['default'] as boolean | undefined) ?? false;
    if (type === 'string') return textOf(schema, place);
    return schema['type'] === 'null' ? null : {};
  }

  private object(schema: JsonSchema, place: Place): Record<string, unknown> {
    const required = (schema['required'] ?? []) as string[];
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>).filter(
      ([name, property]) => (place.request ? required.includes(name) : !property['writeOnly'] && !property['readOnly']),
    );
    return Object.fromEntries(properties.map(([name, property]) => [name, this.value(property, { ...place, name })]));
  }

  private list(schema: JsonSchema, place: Place): unknown[] {
    const items = schema['items'] as JsonSchema | undefined;
    if (!items || isRecursive(items, place)) return [];
    return [this.value(items, place)];
  }
}

/** A component inside itself. */
const isRecursive = (schema: JsonSchema, { above }: Place): boolean =>
  typeof schema['$ref'] === 'string' && above.includes(schema['$ref'].slice(PREFIX.length));

const merged = (parts: readonly JsonSchema[]): JsonSchema => ({
  ...Object.assign({}, ...parts),
  properties: Object.assign({}, ...parts.map((part) => part['properties'] ?? {})) as JsonSchema,
  required: parts.flatMap((part) => (part['required'] ?? []) as string[]),
});

function numberOf(schema: JsonSchema): number {
  const least = (schema['minimum'] ?? schema['exclusiveMinimum']) as number | undefined;
  const preset = schema['default'] as number | undefined;
  return preset ?? (least !== undefined && least >= 1 ? least : 1);
}

function textOf(schema: JsonSchema, { name, component }: Place): string {
  const format = schema['format'] as string | undefined;
  if (format === 'uuid') {
    if (name !== null && name !== 'id') return exampleIdFor(name);
    return exampleIdOf(component === null ? 'resource' : component[0]!.toLowerCase() + component.slice(1));
  }
  if (format !== undefined && format in FORMATS) return FORMATS[format] as string;
  if (schema['minLength'] === 26) return '01J8ZC4N6Q9V2K3M5P7R8S0T1W';
  return (schema['default'] as string | undefined) ?? 'text';
}

/** Whether a value is of the type that a schema asks for, as far as its own words say. */
function fits(value: unknown, schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): boolean {
  const variants = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (variants) return variants.some((variant) => fits(value, variant, schemas));
  if (typeof schema['$ref'] === 'string')
    return value !== null && fits(value, schemas[schema['$ref'].slice(PREFIX.length)] ?? {}, schemas);
  const all = schema['allOf'] as JsonSchema[] | undefined;
  if (all) return all.every((part) => fits(value, part, schemas));
  if ('const' in schema) return schema['const'] === value;
  if (schema['enum']) return (schema['enum'] as unknown[]).includes(value);
  const types = [schema['type'] ?? []].flat() as string[];
  if (types.length > 0 && !types.includes(typeOf(value)) && !(types.includes('number') && typeOf(value) === 'integer'))
    return false;
  if (typeof value === 'string') return textFits(value, schema);
  if (Array.isArray(value)) return value.every((entry) => fits(entry, (schema['items'] ?? {}) as JsonSchema, schemas));
  return typeof value !== 'object' || value === null || hasRequired(value, schema);
}

const hasRequired = (value: object, schema: JsonSchema): boolean =>
  ((schema['required'] ?? []) as string[]).every((name) => name in value) &&
  (schema['properties'] === undefined || Object.keys(value).length > 0);

function textFits(value: string, { format, pattern, minLength = 0, maxLength = Infinity }: JsonSchema): boolean {
  if (value.length < (minLength as number) || value.length > (maxLength as number)) return false;
  if (format === 'uuid') return /^[0-9a-f]{8}-/.test(value);
  if (format === 'date-time') return /^\d{4}-\d{2}-\d{2}T/.test(value);
  if (format === 'date') return /^\d{4}-\d{2}-\d{2}$/.test(value);
  return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value;
}
