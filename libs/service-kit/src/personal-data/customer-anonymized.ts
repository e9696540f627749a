import { DomainError } from '@kontor/kernel';

/** Nothing is known of the customer any more, and nothing is kept of it anew. */
export const customerAnonymized = (): DomainError =>
  new DomainError('customer_anonymized', {
    detail: 'The customer was anonymized; nothing of it can be changed any more.',
  });
