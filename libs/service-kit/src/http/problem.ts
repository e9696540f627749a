import { DomainError, type Violation } from '@kontor/kernel';

/** RFC 9457; `instance` is the request id. @see docs/rules/api.md#errors */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  reason: string;
  instance: string;
  violations?: readonly Violation[];
}

const TITLES: Record<number, string> = {
  400: 'The request is not well-formed',
  401: 'Authentication is required',
  403: 'Not allowed',
  404: 'Not found',
  405: 'The method is not allowed here',
  406: 'Not acceptable',
  408: 'The request took too long',
  409: 'Conflict',
  410: 'Gone',
  413: 'The request is too large',
  415: 'The media type is not supported',
  422: 'The request cannot be processed',
  429: 'Too many requests',
  431: 'The headers are too large',
  500: 'Internal error',
  503: 'Temporarily unavailable',
  504: 'Temporarily unavailable',
  507: 'The storage is full',
};

const REASONS: Record<number, string> = {
  400: 'invalid_request',
  401: 'unauthenticated',
  403: 'permission_denied',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  408: 'request_timeout',
  409: 'conflict',
  410: 'gone',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'validation_failed',
  429: 'rate_limited',
  431: 'headers_too_large',
  500: 'internal_error',
  503: 'service_unavailable',
  504: 'service_unavailable',
  507: 'storage_full',
};

/** The first ones help; a hundred thousand are an answer larger than the request. */
export const MAX_VIOLATIONS = 100;

/** Of one text: a name that somebody sends may have a million characters, and be in the path of all that is wrong below it. */
const MAX_TEXT = 2_000;
const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

const shown = ({ propertyPath, message, ...rest }: Violation): Violation => ({
  propertyPath: cut(propertyPath),
  message: cut(message),
  ...rest,
});

export const PROBLEM_JSON = 'application/problem+json; charset=utf-8';

export function problem(
  status: number,
  instance: string,
  options: { reason?: string; detail?: string; violations?: readonly Violation[] } = {},
): Problem {
  const reason = options.reason ?? REASONS[status] ?? (status < 500 ? 'invalid_request' : 'internal_error');
  const title = TITLES[status] ?? (status < 500 ? 'The request was refused' : 'Internal error');
  return {
    type: `urn:kontor:problem:${reason}`,
    title,
    status,
    detail: cut(options.detail ?? `${title}.`),
    reason,
    instance,
    ...(options.violations?.length ? { violations: options.violations.slice(0, MAX_VIOLATIONS).map(shown) } : {}),
  };
}

/** 400: the request itself is malformed. */
export const invalidRequest = (
  detail: string,
  violations: readonly Violation[] = [],
  reason = 'invalid_request',
): DomainError => new DomainError(reason, { kind: 'invalid', detail, violations });

/** 403 `tenant_suspended`. */
export const tenantSuspended = (): DomainError =>
  new DomainError('tenant_suspended', { kind: 'forbidden', detail: 'This organisation is suspended.' });

/** 401 `unauthenticated`. */
export const unauthenticated = (
  detail = 'Send a valid access token or API key: "Authorization: Bearer …".',
): DomainError => new DomainError('unauthenticated', { kind: 'unauthenticated', detail });

/** 403 `permission_denied`. */
export const permissionDenied = (detail: string, neededScope?: string): DomainError =>
  new DomainError('permission_denied', { kind: 'forbidden', detail, ...(neededScope ? { neededScope } : {}) });

/** 403 `feature_not_enabled`. */
export const featureNotEnabled = (feature: string): DomainError =>
  new DomainError('feature_not_enabled', {
    kind: 'forbidden',
    detail: `The feature ${feature} is not enabled for this tenant.`,
  });

/** 403 `foreign_customer`: a customer-bound token names another customer. */
export const foreignCustomer = (): DomainError =>
  new DomainError('foreign_customer', { kind: 'forbidden', detail: 'This token is bound to another customer.' });

/** 403 `sandbox_only`. */
export const sandboxOnly = (detail = 'This operation exists for sandbox tenants only.'): DomainError =>
  new DomainError('sandbox_only', { kind: 'forbidden', detail });
