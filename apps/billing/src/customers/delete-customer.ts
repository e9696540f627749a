import { Injectable } from '@nestjs/common';
import { customerChangedV1, type CustomerReferencesResponse, type Notice, type ServiceName } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import { cancelDue, Database, type TenantTx } from '@kontor/persistence';
import { InternalClient, ReplicaFreshness } from '@kontor/service-kit';
import * as tables from '../db/tables.js';
import { refusingWhileReferenced } from '../db/constraints.js';
import { VAT_CHECK } from './check-vat-id.js';
import { findCustomer } from './customer.read.js';
import { lockCustomer } from './customer-aggregate.js';
import { representCustomer } from './represent-customer.js';

/** Services whose objects may belong to a customer. Its activity log is deleted with it and prevents nothing. */
const ASKED: readonly ServiceName[] = ['invoicing', 'payments', 'usage', 'offers'];

/**
 * Deletes a customer that nothing refers to, here and in the other services.
 * @throws DomainError `not_found`, `in_use`; ServiceUnavailable when a service does not answer
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
    await this.refuseWhileReferencedElsewhere(tenantId, id);
    const version = await refusingWhileReferenced('customer', () =>
      this.database.tenant(tenantId, (tx) => remove(tx, id)),
    );
    await this.freshness.copied('customer', tenantId, id, version);
  }

  private async refuseWhileReferencedElsewhere(tenantId: string, id: string): Promise<void> {
    const answers = await Promise.all(
      ASKED.map((service) =>
        this.internal.call<CustomerReferencesResponse>(
          service,
          'GET',
          `/internal/customers/${id}/references`,
          undefined,
          { tenantId },
        ),
      ),
    );
    const references = [...new Set(answers.flatMap((answer) => answer.references))];
    if (references.length > 0) {
      throw new DomainError('in_use', {
        detail: `The customer is in use (${references.join(', ')}) and can only be archived.`,
      });
    }
  }
}

/**
 * Removes the customer with its addresses; foreign keys refuse while subscriptions, prices, groups or children refer to
 * it.
 */
async function remove(tx: TenantTx, id: string): Promise<number> {
  const { customer, addresses } = await lockCustomer(tx, id);
  const version = customer.version + 1;
  await cancelDue(tx, VAT_CHECK, id);
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
