import type { RefusalKind } from '@kontor/kernel';

/** The one place where a refusal gets its HTTP status. */
export const STATUS_OF_KIND: Readonly<Record<RefusalKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported_media: 415,
  unprocessable: 422,
  too_many: 429,
  unavailable: 503,
  storage_full: 507,
};

const KIND_OF_STATUS = new Map(Object.entries(STATUS_OF_KIND).map(([kind, status]) => [status, kind as RefusalKind]));

/** The kind of another service's refusal. */
export const kindOfStatus = (status: number): RefusalKind => KIND_OF_STATUS.get(status) ?? 'invalid';
