import type { CheckMergeRequest, CheckMergeResponse, ServiceName } from '@kontor/contracts';
import { countCustomerRows, Database, type TenantTx } from '@kontor/persistence';
import { InternalClient } from '@kontor/service-kit';
import { unknownReference } from '@kontor/kernel';
import { Injectable } from '@nestjs/common';
import type { CustomerRow } from '../db/customer.row.js';
import * as tables from '../db/tables.js';
import { type Conflict, mergeConflicts } from '../domain/customers/merge-conflicts.js';
import type { MergePreviewJson } from './merge.schema.js';
import { OWNED_ROWS } from './owned-rows.js';
import { MERGE_LIMITS, readParty } from './read-party.js';

/** Services that keep something of customers, beside this one. */
export const MERGING_SERVICES: readonly ServiceName[] = [
  'invoicing',
  'payments',
  'usage',
  'offers',
  'identity',
  'webhooks',
];

export interface MergeRequest {
  readonly targetCustomerId: string;
  readonly sourceCustomerIds: readonly string[];
}

/** Looks, here and in the other services, at what a merge would meet. Nothing is changed. */
@Injectable()
export class CheckMerge {
  constructor(
    private readonly database: Database,
    private readonly internal: InternalClient,
  ) {}

  /** @throws DomainError `unknown_reference`; ServiceUnavailable when a service does not answer */
  async execute(tenantId: string, { targetCustomerId, sourceCustomerIds }: MergeRequest): Promise<MergePreviewJson> {
    const conflicts: MergePreviewJson['conflicts'] = [];
    const moves: MergePreviewJson['moves'] = [];
    for (const sourceCustomerId of sourceCustomerIds) {
      const request = { sourceCustomerId, targetCustomerId };
      const here = await this.database.tenant(tenantId, (tx) => checkHere(tx, request), { readOnly: true });
      const others = here.merged ? [] : await this.askOthers(tenantId, request);
      for (const { service, answer } of [{ service: 'billing' as const, answer: here }, ...others]) {
        conflicts.push(...answer.conflicts.map((conflict) => ({ sourceCustomerId, ...conflict })));
        moves.push(...answer.moves.map((move) => ({ sourceCustomerId, service, ...move })));
      }
    }
    return { possible: conflicts.length === 0, conflicts, moves };
  }

  private askOthers(tenantId: string, request: CheckMergeRequest) {
    return Promise.all(
      MERGING_SERVICES.map(async (service) => {
        const path = '/internal/customer-merges/check';
        const options = { tenantId, timeoutMs: 10_000 };
        return {
          service,
          answer: await this.internal.call<CheckMergeResponse>(service, 'POST', path, request, options),
        };
      }),
    );
  }
}

/** The two customers of a merge. @throws DomainError `unknown_reference` */
export async function partiesOf(
  tx: TenantTx,
  { sourceCustomerId, targetCustomerId }: CheckMergeRequest,
): Promise<{ source: CustomerRow; target: CustomerRow }> {
  const target = await tables.customers.get(tx, targetCustomerId);
  if (!target) throw unknownReference('targetCustomerId', 'customer');
  const source = await tables.customers.get(tx, sourceCustomerId);
  if (!source) throw unknownReference('sourceCustomerIds', 'customer');
  return { source, target };
}

/** What speaks against it in what is kept here. */
export const conflictsHere = async (tx: TenantTx, source: CustomerRow, target: CustomerRow): Promise<Conflict[]> =>
  mergeConflicts(await readParty(tx, source), await readParty(tx, target), MERGE_LIMITS);

async function checkHere(tx: TenantTx, request: CheckMergeRequest): Promise<CheckMergeResponse & { merged: boolean }> {
  const { source, target } = await partiesOf(tx, request);
  // Merged like this before: asked again, it is done.
  if (source.mergedIntoCustomerId === target.id) return { conflicts: [], moves: [], merged: true };
  return {
    conflicts: await conflictsHere(tx, source, target),
    moves: await countCustomerRows(tx, source.id, OWNED_ROWS),
    merged: false,
  };
}
