import { customerMergedV1 } from '@kontor/contracts';
import { type CustomerId, DomainError, newUuid } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import { completeMerge, Database, moveCustomerRows, recordMerge, type TenantTx } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { addressesOf, publishCustomer, refuseTooLarge, saveCustomer } from '../customers/customer-aggregate.js';
import type { CustomerJson } from '../customers/customer.schema.js';
import { readCustomer } from '../customers/customer.read.js';
import { lockFamily } from '../customers/payers.js';
import { HIERARCHY_FEATURE } from '../customers/set-parent.js';
import type { CustomerRow } from '../db/customer.row.js';
import * as tables from '../db/tables.js';
import { CheckMerge, conflictsHere, type MergeRequest, partiesOf } from './check-merge.js';
import { MoveAgreements } from './move-agreements.js';
import { noteFormer } from './former-place.js';
import { keepDefaultAddresses, moveChildren, moveEmails, movePartner } from './move-family.js';
import { OWNED_ROWS } from './owned-rows.js';
import type { MergePreviewJson } from './merge.schema.js';

/**
 * Makes one customer of several. What is kept here moves at once; the other services move theirs when they hear of it. Repeating it
 * changes nothing.
 * @see docs/rules/customers.md#merging
 * @throws DomainError `unknown_reference`, `customers_not_mergeable`, `customer_too_large`; ServiceUnavailable when a
 * service cannot be asked
 */
@Injectable()
export class MergeCustomers {
  constructor(
    private readonly database: Database,
    private readonly freshness: ReplicaFreshness,
    private readonly check: CheckMerge,
    private readonly agreements: MoveAgreements,
  ) {}

  async execute(tenantId: string, request: MergeRequest): Promise<CustomerJson> {
    const { conflicts } = await this.check.execute(tenantId, request);
    if (conflicts.length > 0) throw notMergeable(conflicts);
    const { targetCustomerId } = request;
    for (const sourceCustomerId of request.sourceCustomerIds) {
      const versions = await this.database.tenant(tenantId, (tx) => this.merge(tx, sourceCustomerId, targetCustomerId));
      for (const { id, version } of versions) await this.freshness.copied('customer', tenantId, id, version);
    }
    return this.database.tenant(tenantId, (tx) => readCustomer(tx, targetCustomerId), { readOnly: true });
  }

  private async merge(
    tx: TenantTx,
    sourceCustomerId: string,
    targetCustomerId: string,
  ): Promise<{ id: string; version: number }[]> {
    const ids = [sourceCustomerId, targetCustomerId].sort();
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${HIERARCHY_FEATURE} ${tx.tenantId}`]);
    // Children whose invoices the source gets come along.
    await lockFamily(tx, ids);
    await tables.customers.find(tx, { id: ids }, { orderBy: { id: 'asc' }, lock: 'update' });
    const { source, target } = await partiesOf(tx, { sourceCustomerId, targetCustomerId });
    if (source.mergedIntoCustomerId === target.id) return [];
    // Looked at again, now that nobody changes it.
    const conflicts = await conflictsHere(tx, source, target);
    if (conflicts.length > 0) throw notMergeable(conflicts.map((conflict) => ({ sourceCustomerId, ...conflict })));
    const mergeId = newUuid();
    await this.move(tx, mergeId, source, target);
    await appendEvent(tx, customerMergedV1, {
      aggregateId: source.id,
      aggregateSeq: source.version,
      payload: {
        mergeId,
        sourceCustomerId: source.id as CustomerId,
        targetCustomerId: target.id as CustomerId,
      },
    });
    return [
      { id: source.id, version: source.version - 1 },
      { id: target.id, version: target.version },
    ];
  }

  private async move(tx: TenantTx, mergeId: string, source: CustomerRow, target: CustomerRow): Promise<void> {
    const merge = await recordMerge(tx, { mergeId, sourceCustomerId: source.id, targetCustomerId: target.id });
    await keepDefaultAddresses(tx, mergeId, source.id);
    const moved = await moveCustomerRows(tx, merge, OWNED_ROWS);
    await movePartner(tx, mergeId, source.id, target.id);
    await moveEmails(tx, mergeId, source, target);
    await moveChildren(tx, mergeId, source.id, target.id);
    await noteFormer(tx, mergeId, source);
    await completeMerge(tx, merge, moved);
    const addresses = await addressesOf(tx, target.id);
    refuseTooLarge({ customer: target, addresses });
    const metadata = { mergeId, sourceCustomerId: source.id, sourceCustomerNumber: source.customerNumber };
    await saveCustomer(tx, { customer: target, addresses }, [{ type: 'customer.merged', metadata }]);
    const { status } = source;
    Object.assign(source, {
      status: 'STATUS_ARCHIVED',
      mergedIntoCustomerId: target.id,
      parentCustomerId: null,
      invoicesTo: 'self',
      customerGroupId: null,
      // One for its state, one for the event that has it moved.
      version: source.version + 2,
      updatedAt: tx.now,
    });
    await tables.customers.update(tx, source);
    await publishCustomer(tx, { customer: { ...source, version: source.version - 1 }, addresses: [] }, [
      { type: 'customer.archived', metadata: { mergeId, mergedIntoCustomerId: target.id, formerStatus: status } },
    ]);
    await this.agreements.execute(tx, mergeId, source.id, target.id);
  }
}

const notMergeable = (conflicts: MergePreviewJson['conflicts']): DomainError =>
  new DomainError('customers_not_mergeable', {
    detail: conflicts.map(({ message }) => message).join(' '),
    violations: conflicts.map(({ message, code }) => ({ propertyPath: 'sourceCustomerIds', message, code })),
  });
