import type { Decimal } from '@kontor/money';
import type { CountedEvent } from './counted-event.js';
import { filterOf, isScalar } from './match-filter.js';
import type { MetricDefinition } from './metric.js';
import { readNumber } from './read-number.js';
import { propertyReader } from './read-property.js';

/** What one event adds to a metric. */
export interface Sample {
  /** Empty where no two events are put in order: to make it costs something on the way in. */
  readonly id: string;
  readonly customerId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Values of the metric's groupBy as a JSON list; `[]` without groups. */
  readonly group: string;
  /** Null for `count` and `count_unique`. */
  readonly number: Decimal | null;
  /** What `count_unique` distinguishes; null otherwise. */
  readonly text: string | null;
}

/** Longer values of groups are cut. */
const MAX_GROUP_VALUE = 255;

/** Returns the sample of an event, or undefined when the metric does not count it. */
export type SampleEvent = (event: CountedEvent) => Sample | undefined;

/**
 * Compiles a metric; what comes back is called once an event and metric, on the way in as well as for reading raw
 * events.
 */
export function sampler(metric: MetricDefinition): SampleEvent {
  const filters = metric.filters.map(filterOf);
  const read = metric.property === null ? null : propertyReader(metric.property);
  const groupOf = groupReader(metric.groupBy);
  const { aggregationType: type, eventName } = metric;
  const ordered = type === 'last_value' || type === 'weighted_sum';
  return (event) => {
    if (event.eventName !== eventName) return undefined;
    const { properties } = event;
    for (const holds of filters) if (!holds(properties)) return undefined;
    let number: Decimal | null = null;
    let text: string | null = null;
    if (read) {
      const value = read(properties);
      if (type === 'count') {
        if (value === undefined || value === null) return undefined;
      } else if (type === 'count_unique') {
        if (!isScalar(value)) return undefined;
        text = String(value);
      } else {
        const found = readNumber(value);
        if (found === undefined) return undefined;
        number = found;
      }
    }
    return {
      id: ordered ? event.id : '',
      customerId: event.customerId,
      at: event.occurredAt.getTime(),
      group: groupOf(properties),
      number,
      text,
    };
  };
}

function groupReader(paths: readonly string[]): (properties: Readonly<Record<string, unknown>>) => string {
  if (paths.length === 0) return () => '[]';
  const readers = paths.map(propertyReader);
  return (properties) =>
    JSON.stringify(
      readers.map((read) => {
        const value = read(properties);
        return isScalar(value) ? cut(String(value)) : '';
      }),
    );
}

/** Cut between characters: half of a surrogate pair is no text that a database accepts. */
const cut = (text: string): string =>
  text.length <= MAX_GROUP_VALUE ? text : text.slice(0, MAX_GROUP_VALUE).replace(/[\ud800-\udbff]$/u, '');

/** The values of a group by path. */
export function groupOf(key: string, paths: readonly string[]): Record<string, string> {
  const values = JSON.parse(key) as string[];
  return Object.fromEntries(paths.map((path, i) => [path, values[i] ?? '']));
}

/** The group seen through some of the metric's paths only. */
export function projectGroup(key: string, paths: readonly string[], wanted: readonly string[]): string {
  if (wanted.length === 0) return '[]';
  const values = JSON.parse(key) as string[];
  return JSON.stringify(wanted.map((path) => values[paths.indexOf(path)] ?? ''));
}
