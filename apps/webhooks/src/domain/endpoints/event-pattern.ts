import { NOTICE_TYPES } from '@kontor/contracts';

/** `*`, `invoice.*`, or the name of one event. */
const PATTERN = /^(\*|[a-z0-9_]+(\.[a-z0-9_]+)*(\.\*)?)$/;

/** True for a pattern that at least one event can match. */
export const isEventPattern = (text: unknown): text is string =>
  typeof text === 'string' && PATTERN.test(text) && NOTICE_TYPES.some((type) => matchesEvent([text], type));

/**
 * Whether an endpoint that asked for `patterns` gets events named `type`. `invoice.*` matches `invoice.dunning.applied`
 * too.
 */
export const matchesEvent = (patterns: readonly string[], type: string): boolean =>
  patterns.some(
    (pattern) =>
      pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  );
