import type { JsonSchema } from '../http/operation.js';
import { type CompletableDocument, type DocumentedOperation, operationsIn, successOf } from './complete-document.js';
import { eachProperty } from './describe-properties.js';

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** An object that never has a field. */
const isNothing = (schema: JsonSchema | undefined): boolean =>
  schema?.['additionalProperties'] === false && isEmpty(schema['properties'] ?? {});

function faultsOf(operation: DocumentedOperation): string[] {
  const { requestBody, description, summary } = operation;
  const body = Object.values(requestBody?.content ?? {})[0];
  const required = (requestBody as { required?: boolean } | undefined)?.required === true;
  const answers = Object.entries(successOf(operation)).filter(([type]) => /json$/.test(type));
  return [
    ...(summary ? [] : ['no summary']),
    ...(description ? [] : ['no description']),
    ...(operation['x-permission'] === undefined ? ['no x-permission'] : []),
    ...(operation['x-reasons'] === undefined ? ['no x-reasons'] : []),
    ...(body &&
    (body.example === undefined ||
      (required && isEmpty(body.example) && !isEmpty(body.schema?.['properties'] ?? body.schema?.['$ref'])))
      ? ['no request example']
      : []),
    ...answers.flatMap(([, { schema, example }]) =>
      isEmpty(schema)
        ? ['no schema of the answer']
        : isEmpty(example) && !isNothing(schema)
          ? ['no response example']
          : [],
    ),
  ];
}

function silentProperties(place: string, schema: unknown): string[] {
  const faults: string[] = [];
  eachProperty(schema, (name, property) => {
    if (property['$ref'] !== undefined) return;
    if (!property['description']) faults.push(`${place}: ${name} has no description`);
    else if (isAmount(name, property) && !/minor units|major units/i.test(String(property['description'])))
      faults.push(`${place}: ${name} does not say its unit`);
    else if (isNumber(property) && !SAYS_MEASURE.test(String(property['description'])))
      faults.push(`${place}: ${name} does not say what it counts, in which unit or range`);
    if (isTime(name, property) && !valuesOf(property, 'format').some((format) => /^date(-time)?$/.test(format)))
      faults.push(`${place}: ${name} has no date format`);
    if (patternsOf(property).some((pattern) => pattern.includes('(?=.{')))
      faults.push(`${place}: ${name} has a pattern that says how long it is: minLength and maxLength do`);
  });
  return faults;
}

/** Of a schema, and of its alternatives. */
const valuesOf = (schema: JsonSchema, keyword: 'type' | 'format'): string[] =>
  [schema, ...(((schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined) ?? [])].flatMap(
    (part) => (part[keyword] as string | string[] | undefined) ?? [],
  );

/** Of a text, or of the texts of a list. Who makes values of a pattern does not look ahead. */
const patternsOf = ({ pattern, items }: JsonSchema): string[] =>
  [pattern, (items as JsonSchema | undefined)?.['pattern']].filter((text) => typeof text === 'string');

/** Money as a number: in which unit is nothing that a name says. */
const isAmount = (name: string, schema: JsonSchema): boolean =>
  /(amount|balance)$/i.test(name) && valuesOf(schema, 'type').some((type) => type === 'integer' || type === 'number');

/** A number and nothing else, or null. */
const isNumber = (schema: JsonSchema): boolean => {
  const types = valuesOf(schema, 'type').filter((type) => type !== 'null');
  return types.length > 0 && types.every((type) => type === 'integer' || type === 'number');
};

/** How a description says what a number is of: a unit, what is counted, or where counting begins and ends. */
const MEASURES = [
  'minor units|major units|how many|how often|number of',
  'days?|hours|minutes|seconds|milliseconds|bytes|digits|decimals|per cent',
  String.raw`from [01]|\d+ to \d+|decimal text`,
];
const SAYS_MEASURE = new RegExp(String.raw`\b(${MEASURES.join('|')})\b`, 'i');

/** A point in time by its name. */
const isTime = (name: string, schema: JsonSchema): boolean =>
  /[a-z](At|Date|DateTime)$/.test(name) && valuesOf(schema, 'type').includes('string');

/** What the document leaves unsaid: of operations their description and examples, of properties what they mean, with unit and format. */
export function documentFaults(document: CompletableDocument): string[] {
  const schemas = (document.components?.schemas ?? {}) as Record<string, JsonSchema>;
  return [
    ...operationsIn(document).flatMap((operation) =>
      faultsOf(operation).map((fault) => `${operation.operationId}: ${fault}`),
    ),
    ...Object.entries(schemas).flatMap(([name, schema]) => silentProperties(name, schema)),
    ...operationsIn(document).flatMap((operation) =>
      [...Object.values(operation.requestBody?.content ?? {}), ...Object.values(successOf(operation))].flatMap(
        ({ schema }) => silentProperties(String(operation.operationId), schema),
      ),
    ),
  ];
}
