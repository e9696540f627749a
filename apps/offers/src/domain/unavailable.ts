import { DomainError } from '@kontor/kernel';

/** Billing does not answer. */
export const unavailable = (): DomainError =>
  new DomainError('service_unavailable', {
    kind: 'unavailable',
    detail: 'Prices cannot be computed at present. Try again soon.',
    retryAfterSeconds: 5,
  });
