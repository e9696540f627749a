import { DomainError } from '@kontor/kernel';

/** Nothing can be done with a customer that was merged: 410 `customer_merged`, which names who it is now. */
export const customerMerged = (survivorId: string): DomainError =>
  new DomainError('customer_merged', { kind: 'gone', detail: `The customer was merged into ${survivorId}.` });
