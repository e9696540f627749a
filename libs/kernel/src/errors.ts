/** One field of a request that was refused: where (`positions[0].quantity`), why for people, why for programs. */
export interface Violation {
  readonly propertyPath: string;
  readonly message: string;
  readonly code: string;
}

/** What sort of refusal it is. service-kit alone knows the HTTP status of each. */
export type RefusalKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'gone'
  | 'too_large'
  | 'unsupported_media'
  | 'unprocessable'
  | 'too_many'
  | 'unavailable'
  | 'storage_full';

export interface DomainErrorOptions {
  /** What a developer reads in `detail`; defaults to the reason in words. */
  readonly detail?: string;
  readonly violations?: readonly Violation[];
  /** Where it is not a rule's refusal, `unprocessable`. */
  readonly kind?: RefusalKind;
  /** After how many seconds trying again makes sense. */
  readonly retryAfterSeconds?: number;
  /** What an app would have had to be given. */
  readonly neededScope?: string;
}

/**
 * A refusal: the request is understood and a rule forbids it. Nothing has been changed.
 * `reason` is the stable snake_case word of the problem+json answer.
 */
export class DomainError extends Error {
  readonly kind: RefusalKind;
  readonly violations: readonly Violation[];
  readonly retryAfterSeconds: number | undefined;
  readonly neededScope: string | undefined;

  constructor(
    readonly reason: string,
    options: DomainErrorOptions = {},
  ) {
    super(options.detail ?? reason.replaceAll('_', ' '));
    this.name = 'DomainError';
    this.kind = options.kind ?? 'unprocessable';
    this.violations = options.violations ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.neededScope = options.neededScope;
  }
}

/** @throws DomainError 404 `not_found`, also for another tenant's ids. */
export const notFound = (what: string): DomainError =>
  new DomainError('not_found', { kind: 'not_found', detail: `${what} was not found.` });

/** A reference in a body that does not exist in this tenant. 422 `unknown_reference`. */
export const unknownReference = (propertyPath: string, what = propertyPath): DomainError =>
  new DomainError('unknown_reference', {
    detail: `The ${what} does not exist.`,
    violations: [{ propertyPath, message: `The ${what} does not exist.`, code: 'unknown_reference' }],
  });

/** A value that is well-formed and not allowed. 422 `validation_failed`. */
export const validationFailed = (propertyPath: string, message: string, code = 'invalid_value'): DomainError =>
  new DomainError('validation_failed', { detail: message, violations: [{ propertyPath, message, code }] });

/** A state machine's refusal. 422 `invalid_status_transition`. */
export const invalidTransition = (what: string, from: string, action: string): DomainError =>
  new DomainError('invalid_status_transition', {
    detail: `"${action}" is not possible for the ${what}: its status is ${from}.`,
  });

/** A bug: a state that this code promised could not occur. Never caught locally. */
export class InvariantError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvariantError';
  }
}

/** @throws InvariantError when `condition` does not hold. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}
