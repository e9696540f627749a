import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, type Send, type TestService } from '@kontor/testing';

export interface UsageTenant {
  readonly id: string;
  readonly customerId: string;
  /** Calls the service as an API key with all permissions. */
  readonly send: Send;
}

/** A tenant with one customer, known as K-1 and crm-7 unless `customer` says otherwise. */
export async function tenantOf(usage: TestService, customer: object = {}): Promise<UsageTenant> {
  const id = newUuid();
  const customerId = newUuid();
  await usage.giveCopy('customer', id, customerId, {
    id: customerId,
    customerNumber: 'K-1',
    externalId: 'crm-7',
    status: 'STATUS_ACTIVE',
    ...customer,
  });
  return { id, customerId, send: usage.as(apiKeyPrincipal(id)) };
}

/** A usage event of that customer. */
export const usageEvent = (transactionId: string, changes: object = {}): object => ({
  transactionId,
  eventName: 'api_call',
  timestamp: '2026-03-02T08:00:00.000Z',
  customerId: 'crm-7',
  properties: { bytes: 10 },
  ...changes,
});
