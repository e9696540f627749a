/** `*`, `invoice.*`, or the name of one event. */
const PATTERN = /^(\*|[a-z0-9_]+(\.[a-z0-9_]+)*(\.\*)?)$/;

export const isEventPattern = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= 100 && PATTERN.test(text);

/**
 * Whether an endpoint that asked for `patterns` gets events named `type`. `invoice.*` matches `invoice.dunning.applied`
 * too.
 */
export const matchesEvent = (patterns: readonly string[], type: string): boolean =>
  patterns.some(
    (pattern) =>
      pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  );
