/** An event as it is shown for making a metric of it. */
export interface SeenEvent {
  readonly eventName: string;
  readonly occurredAt: Date;
  readonly properties: Readonly<Record<string, unknown>>;
}

export type PropertyType = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';

export interface FoundProperty {
  /** `usage.tokens`: names joined by dots, as in metrics. */
  readonly path: string;
  readonly type: PropertyType;
  readonly eventName: string;
  readonly sampleValues: unknown[];
}

const MAX_NAMES = 200;
const MAX_PROPERTIES = 2_000;
const MAX_SAMPLES = 5;
const MAX_EXAMPLES = 10;
const MAX_DEPTH = 8;
/** Values of an event that are read. */
const MAX_VALUES = 500;
const MAX_TEXT = 200;
const MAX_ITEMS = 20;

/**
 * Collects names, properties and samples from events that are shown to it one after the other. What it keeps is
 * bounded, however many events there are and however large and deep their properties.
 */
export class PropertyCatalogue {
  private readonly names = new Map<string, { name: string; sampleProperties: Record<string, unknown> }>();
  private readonly properties = new Map<string, FoundProperty>();
  private readonly examples: SeenEvent[] = [];

  add(event: SeenEvent): void {
    const isNew = !this.names.has(event.eventName);
    if (isNew && this.names.size === MAX_NAMES) return;
    if (isNew)
      this.names.set(event.eventName, {
        name: event.eventName,
        sampleProperties: shortened(event.properties) as object as Record<string, unknown>,
      });
    if (this.examples.length < MAX_EXAMPLES)
      this.examples.push({ ...event, properties: shortened(event.properties) as Record<string, unknown> });
    this.visit(event, '', event.properties, 1, { left: MAX_VALUES });
  }

  result() {
    return {
      eventNames: [...this.names.values()],
      allProperties: [...this.properties.values()],
      exampleEvents: this.examples.map(({ eventName, properties, occurredAt }) => ({
        eventName,
        properties,
        timestamp: occurredAt.toISOString(),
      })),
    };
  }

  private visit(event: SeenEvent, prefix: string, object: object, depth: number, budget: { left: number }): void {
    for (const name in object) {
      if (budget.left-- <= 0) return;
      const value = (object as Record<string, unknown>)[name];
      const path = prefix === '' ? name : `${prefix}.${name}`;
      const type = typeOf(value);
      if (type === 'object' && depth < MAX_DEPTH) this.visit(event, path, value as object, depth + 1, budget);
      else this.note(event.eventName, path, type, value);
    }
  }

  private note(eventName: string, path: string, type: PropertyType, value: unknown): void {
    if (path.length > MAX_TEXT * 5) return;
    const key = `${type}\n${eventName}\n${path}`;
    let found = this.properties.get(key);
    if (!found) {
      if (this.properties.size === MAX_PROPERTIES) return;
      this.properties.set(key, (found = { path, type, eventName, sampleValues: [] }));
    }
    if (found.sampleValues.length === MAX_SAMPLES) return;
    const sample = shortened(value);
    const text = JSON.stringify(sample);
    if (!found.sampleValues.some((value) => JSON.stringify(value) === text)) found.sampleValues.push(sample);
  }
}

function typeOf(value: unknown): PropertyType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as PropertyType;
}

/**
 * A sample that stays small: long texts are cut, long lists and objects lose their end, what lies deeper is left out.
 */
function shortened(value: unknown, depth = 1, budget = { left: 100 }): unknown {
  budget.left--;
  if (typeof value === 'string')
    return value.length > MAX_TEXT ? `${[...value.slice(0, MAX_TEXT)].slice(0, -1).join('')}…` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return depth > MAX_DEPTH
      ? []
      : value.slice(0, Math.max(0, Math.min(MAX_ITEMS, budget.left))).map((item) => shortened(item, depth + 1, budget));
  const short: Record<string, unknown> = {};
  if (depth > MAX_DEPTH) return short;
  for (const name in value) {
    if (budget.left <= 0) break;
    if (name === '__proto__') continue;
    short[name] = shortened((value as Record<string, unknown>)[name], depth + 1, budget);
  }
  return short;
}
