import { NOTICE_TYPES } from '@kontor/contracts';

/** Every group that an event belongs to: `invoice` and `invoice.dunning` for `invoice.dunning.applied`. */
const groupsOf = (type: string): string[] => {
  const words = type.split('.').slice(0, -1);
  return words.map((_, n) => `${words.slice(0, n + 1).join('.')}.*`);
};

/** What an endpoint may ask for: `*`, `invoice.*`, or the name of one event. */
export const EVENT_PATTERNS: readonly string[] = [
  ...new Set(['*', ...NOTICE_TYPES.flatMap(groupsOf), ...NOTICE_TYPES]),
];
const known = new Set(EVENT_PATTERNS);

/** True for a pattern that at least one event can match. */
export const isEventPattern = (text: unknown): text is string => typeof text === 'string' && known.has(text);

/**
 * Whether an endpoint that asked for `patterns` gets events named `type`. `invoice.*` matches `invoice.dunning.applied`
 * too.
 */
export const matchesEvent = (patterns: readonly string[], type: string): boolean =>
  patterns.some(
    (pattern) =>
      pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  );
