import { type CheckUndoResponse, customerUnmergedV1 } from '@kontor/contracts';
import { type CustomerId, DomainError, notFound } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import {
  completeUndo,
  type CustomerMerge,
  Database,
  recordUndo,
  returnCustomerRows,
  type TenantTx,
} from '@kontor/persistence';
import { InternalClient, ReplicaFreshness } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { addressesOf, publishCustomer, refuseTooLarge, saveCustomer } from '../customers/customer-aggregate.js';
import { lockFamily } from '../customers/payers.js';
import { checkPayer, HIERARCHY_FEATURE } from '../customers/set-parent.js';
import type { CustomerRow } from '../db/customer.row.js';
import * as tables from '../db/tables.js';
import type { Conflict } from '../domain/customers/merge-conflicts.js';
import { undoConflicts } from '../domain/customers/undo-conflicts.js';
import { MERGING_SERVICES } from './check-merge.js';
import { readEntanglement } from './entanglement.js';
import { formerPlace, type FormerPlace } from './former-place.js';
import type { MergeJson } from './merge.schema.js';
import { ReadMerges } from './merge.read.js';
import { MoveAgreements } from './move-agreements.js';
import { OWNED_ROWS } from './owned-rows.js';
import { returnChildren, returnDetails, returnEmails } from './return-family.js';

interface StoredMerge extends CustomerMerge {
  readonly targetCustomerId: string;
  readonly status: string;
  readonly former: FormerPlace;
}

/** Of the two customers, as others are to copy them. */
type Versions = readonly { readonly id: string; readonly version: number }[];

/**
 * Makes two customers of one again: what a merge has moved and is still there goes back, what came later stays. Undone at once
 * here; the other services return theirs when they hear of it.
 * @see docs/rules/customers.md#merging
 * @throws DomainError `not_found`, `merge_undone`, `merge_not_undoable`, `customer_too_large`, `hierarchy_invalid`;
 * ServiceUnavailable when a service cannot be asked
 */
@Injectable()
export class UndoMerge {
  constructor(
    private readonly database: Database,
    private readonly internal: InternalClient,
    private readonly freshness: ReplicaFreshness,
    private readonly agreements: MoveAgreements,
    private readonly merges: ReadMerges,
  ) {}

  async execute(tenantId: string, mergeId: string): Promise<MergeJson> {
    await this.check(tenantId, mergeId);
    let versions: Versions = [];
    await this.database.tenant(tenantId, async (tx) => {
      versions = await this.undo(tx, mergeId);
      return this.merges.justUndone(tx, mergeId);
    });
    for (const { id, version } of versions) await this.freshness.copied('customer', tenantId, id, version);
    return this.merges.byId(tenantId, mergeId);
  }

  private async check(tenantId: string, mergeId: string): Promise<void> {
    const here = await this.database.tenant(tenantId, async (tx) => conflictsHere(tx, await stored(tx, mergeId)), {
      readOnly: true,
    });
    const path = `/internal/customer-merges/${mergeId}/check-undo`;
    const others = await Promise.all(
      MERGING_SERVICES.map((service) => this.internal.call<CheckUndoResponse>(service, 'POST', path, {}, { tenantId })),
    );
    refuse([...here, ...others.flatMap(({ conflicts }) => conflicts)]);
  }

  private async undo(tx: TenantTx, mergeId: string): Promise<Versions> {
    const known = await stored(tx, mergeId);
    const ids = [known.sourceCustomerId, known.targetCustomerId].sort();
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${HIERARCHY_FEATURE} ${tx.tenantId}`]);
    await lockFamily(tx, ids);
    const locked = await tables.customers.find(tx, { id: ids }, { orderBy: { id: 'asc' }, lock: 'update' });
    // Looked at again, now that nobody changes it.
    const merge = await stored(tx, mergeId);
    refuse(await conflictsHere(tx, merge));
    const source = locked.find(({ id }) => id === merge.sourceCustomerId)!;
    const target = locked.find(({ id }) => id === merge.targetCustomerId)!;
    await recordUndo(tx, mergeId);
    await returnCustomerRows(tx, merge, OWNED_ROWS);
    await returnDetails(tx, merge);
    await returnEmails(tx, mergeId, source, target);
    await returnChildren(tx, merge);
    await this.publish(tx, merge, source, target);
    await this.agreements.execute(tx, mergeId, target.id, source.id);
    await completeUndo(tx, merge);
    return [
      { id: source.id, version: source.version - 1 },
      { id: target.id, version: target.version },
    ];
  }

  private async publish(tx: TenantTx, merge: StoredMerge, source: CustomerRow, target: CustomerRow): Promise<void> {
    const { mergeId } = merge;
    const place = await formerPlace(tx, source, merge.former);
    Object.assign(source, place, {
      mergedIntoCustomerId: null,
      // One for its state, one for the event that has everything returned.
      version: source.version + 2,
      updatedAt: tx.now,
    });
    await tables.customers.update(tx, source);
    if (place.invoicesTo === 'parent') await checkPayer(tx, source.id);
    const aggregate = {
      customer: { ...source, version: source.version - 1 },
      addresses: await addressesOf(tx, source.id),
    };
    const isActive = source.status !== 'STATUS_ARCHIVED';
    await publishCustomer(tx, aggregate, isActive ? [{ type: 'customer.unarchived', metadata: { mergeId } }] : []);
    const addresses = await addressesOf(tx, target.id);
    refuseTooLarge({ customer: target, addresses });
    const metadata = { mergeId, sourceCustomerId: source.id, sourceCustomerNumber: source.customerNumber };
    await saveCustomer(tx, { customer: target, addresses }, [{ type: 'customer.unmerged', metadata }]);
    await appendEvent(tx, customerUnmergedV1, {
      aggregateId: source.id,
      aggregateSeq: source.version,
      payload: {
        mergeId,
        sourceCustomerId: source.id as CustomerId,
        targetCustomerId: target.id as CustomerId,
      },
    });
  }
}

/** @throws DomainError `not_found`, `merge_undone` */
async function stored(tx: TenantTx, mergeId: string): Promise<StoredMerge> {
  const [merge] = await tx.query<StoredMerge>(
    `SELECT merge_id AS "mergeId", source_customer_id AS "sourceCustomerId", target_customer_id AS "targetCustomerId",
       survivor_id AS "survivorId", status, former
     FROM customer_merge WHERE tenant_id = $1 AND merge_id = $2`,
    [tx.tenantId, mergeId],
  );
  if (!merge) throw notFound('The merge');
  if (merge.status === 'undone')
    throw new DomainError('merge_undone', { kind: 'conflict', detail: 'The merge was undone before.' });
  return merge;
}

async function conflictsHere(tx: TenantTx, merge: StoredMerge): Promise<Conflict[]> {
  const { sourceCustomerId, targetCustomerId } = merge;
  const party = async (id: string) => {
    const customer = await tables.customers.findOneOrFail(tx, { id });
    return { ...customer, isAnonymized: customer.anonymizedAt !== null };
  };
  const survivor = { ...merge, survivorId: targetCustomerId };
  return undoConflicts(
    await party(sourceCustomerId),
    await party(targetCustomerId),
    await readEntanglement(tx, survivor),
  );
}

function refuse(conflicts: readonly Conflict[]): void {
  if (conflicts.length === 0) return;
  throw new DomainError('merge_not_undoable', {
    detail: conflicts.map(({ message }) => message).join(' '),
    violations: conflicts.map(({ message, code }) => ({ propertyPath: 'id', message, code })),
  });
}
