import { Injectable } from '@nestjs/common';
import {
  customerChangedV1,
  type ReferencesResponse,
  type ReleaseCustomerRequest,
  type Notice,
  type ServiceName,
} from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import { cancelDue, Database, type TenantTx } from '@kontor/persistence';
import { InternalClient, ReplicaFreshness } from '@kontor/service-kit';
import * as tables from '../db/tables.js';
import { refusingWhileReferenced } from '../db/constraints.js';
import { VAT_CHECK } from './check-vat-id.js';
import { findCustomer } from './customer.read.js';
import { lockCustomer } from './customer-aggregate.js';
import { beginDeletion, endDeletion, keepCustomer } from './pending-deletion.js';
import { representCustomer } from './represent-customer.js';

/** Services whose objects may belong to a customer. Its activity log is deleted with it and prevents nothing. */
const ASKED: readonly ServiceName[] = ['invoicing', 'payments', 'usage', 'offers'];
/** Each change of the customer meanwhile costs an attempt. */
const ATTEMPTS = 3;
/** A service waits for what is about to refer to the customer. */
const RELEASE_MS = 10_000;

/**
 * Deletes a customer that nothing refers to, here and in the other services. They are asked, and then release it: whatever
 * would refer to it later is refused.
 * @see docs/adr/0040-who-is-deleted-is-released-first.md
 * @throws DomainError `not_found`, `in_use`, 409 `request_in_progress`; ServiceUnavailable, OutcomeUnknown when a service does not answer
 */
@Injectable()
export class DeleteCustomer {
  constructor(
    private readonly database: Database,
    private readonly internal: InternalClient,
    private readonly freshness: ReplicaFreshness,
  ) {}

  async execute(tenantId: string, id: string): Promise<void> {
    await this.database.tenant(tenantId, (tx) => findCustomer(tx, id), { readOnly: true });
    // Most that cannot be deleted are found out before anybody releases them.
    await refuseWhileReferred((service) => this.references(service, tenantId, id));
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const version = await this.attempt(tenantId, id);
      if (version !== null) return this.freshness.copied('customer', tenantId, id, version);
    }
    throw new DomainError('request_in_progress', {
      kind: 'conflict',
      detail: 'The customer is being changed at the same time. Try again.',
      retryAfterSeconds: 1,
    });
  }

  /** The version in which it was deleted; null when it was changed meanwhile and nobody releases it any more. */
  private async attempt(tenantId: string, id: string): Promise<number | null> {
    const version = await this.database.tenant(tenantId, (tx) => beginDeletion(tx, id));
    try {
      await refuseWhileReferred((service) => this.release(service, tenantId, id, version));
      return await refusingWhileReferenced('customer', () =>
        this.database.tenant(tenantId, (tx) => remove(tx, id, version)),
      );
    } catch (error) {
      // Where this fails, too, due work does it.
      await this.keep(tenantId, id, version).catch(() => undefined);
      throw error;
    }
  }

  private async keep(tenantId: string, id: string, version: number): Promise<void> {
    const kept = await this.database.tenant(tenantId, async (tx) => {
      const next = await keepCustomer(tx, id, version);
      if (next !== null) await endDeletion(tx, id);
      return next;
    });
    if (kept !== null) await this.freshness.copied('customer', tenantId, id, kept);
  }

  private references(service: ServiceName, tenantId: string, id: string): Promise<ReferencesResponse> {
    return this.internal.call(service, 'GET', `/internal/customers/${id}/references`, undefined, { tenantId });
  }

  private release(service: ServiceName, tenantId: string, id: string, version: number): Promise<ReferencesResponse> {
    const request: ReleaseCustomerRequest = { version };
    const options = { tenantId, timeoutMs: RELEASE_MS };
    return this.internal.call(service, 'POST', `/internal/customers/${id}/release`, request, options);
  }
}

/** @throws DomainError `in_use` */
async function refuseWhileReferred(ask: (service: ServiceName) => Promise<ReferencesResponse>): Promise<void> {
  const answers = await Promise.all(ASKED.map(ask));
  const references = [...new Set(answers.flatMap((answer) => answer.references))];
  if (references.length > 0) {
    throw new DomainError('in_use', {
      detail: `The customer is in use (${references.join(', ')}) and can only be archived.`,
    });
  }
}

/**
 * Removes the customer with its addresses in the version in which the services have released it; foreign keys refuse while subscriptions,
 * prices, groups or children refer to it. Null when it has another version.
 */
async function remove(tx: TenantTx, id: string, version: number): Promise<number | null> {
  const { customer, addresses } = await lockCustomer(tx, id);
  if (customer.version !== version) return null;
  await cancelDue(tx, VAT_CHECK, id);
  await endDeletion(tx, id);
  await tables.customers.delete(tx, { id });
  const shown = representCustomer(customer, addresses);
  const metadata = { customerId: id, customerNumber: customer.customerNumber };
  const notices: Notice[] = [
    { type: 'customer.deleted', objectId: id, data: { customer: shown }, customerId: id, activity: null },
    // The entry outlives the customer, so it belongs to the tenant.
    { type: 'customer.removed', objectId: id, data: null, customerId: null, activity: { metadata } },
  ];
  await appendEvent(tx, customerChangedV1, {
    aggregateId: id,
    aggregateSeq: version,
    payload: { id, version, deleted: true, state: null, notices },
  });
  return version;
}
