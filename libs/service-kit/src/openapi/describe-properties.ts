import type { JsonSchema } from '../http/operation.js';
import type { Word } from './words/word.js';
import { WORDS } from './words/index.js';

/** What a property means: said for its component, else for its name. */
export const wordOf = (component: string | null, name: string): Word | undefined =>
  (component === null ? undefined : WORDS[`${component}.${name}`]) ?? WORDS[name];

const KEYWORDS = ['items', 'additionalProperties', 'not'] as const;
const LISTS = ['allOf', 'anyOf', 'oneOf'] as const;

/** Every property of a schema, those of its parts too. */
export function eachProperty(
  schema: unknown,
  visit: (name: string, property: JsonSchema, owner: JsonSchema) => void,
): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties, ...words } = schema as JsonSchema & { properties?: Record<string, JsonSchema> };
  for (const [name, property] of Object.entries(properties ?? {})) {
    visit(name, property, schema as JsonSchema);
    eachProperty(property, visit);
  }
  for (const keyword of KEYWORDS) eachProperty(words[keyword], visit);
  for (const part of Object.values((words['patternProperties'] ?? {}) as object)) eachProperty(part, visit);
  for (const keyword of LISTS) for (const part of (words[keyword] ?? []) as unknown[]) eachProperty(part, visit);
}

/** Says of properties that say nothing themselves what they mean. */
export function describeProperties(component: string | null, schema: JsonSchema): void {
  eachProperty(schema, (name, property) => {
    if (property['description'] !== undefined) return;
    const word = wordOf(component, name);
    if (word !== undefined) property['description'] = typeof word === 'string' ? word : word[0];
  });
}
