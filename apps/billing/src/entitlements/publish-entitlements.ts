import { entitlementChangedV1, type Notice, type NoticeType } from '@kontor/contracts';
import { appendEvents } from '@kontor/messaging';
import { cancelDueMany, scheduleDueMany, type TenantTx } from '@kontor/persistence';
import * as tables from '../db/tables.js';
import type { FeatureRow } from '../db/entitlement.row.js';
import { nextEntitlementChange } from '../domain/entitlements/entitlement-status.js';
import type { FeatureJson } from './entitlement.schema.js';
import { factsOf, type KnownEntitlement, representEntitlement, statusOf } from './represent-entitlement.js';

/** Due work: the entitlement that `ref` names begins or expires. */
export const ENTITLEMENT_DUE = 'billing.entitlement';

/** Stores entitlements that are new or changed, announces a status that is another than before, and plans the next one. */
export async function saveEntitlements(
  tx: TenantTx,
  {
    added = [],
    changed = [],
  }: { readonly added?: readonly KnownEntitlement[]; readonly changed?: readonly KnownEntitlement[] },
): Promise<void> {
  const all = [...added, ...changed];
  if (all.length === 0) return;
  const before = new Map(changed.map((row) => [row, row.status]));
  for (const row of all) {
    row.status = statusOf(row, tx.now);
    row.updatedAt = tx.now;
    if (before.has(row)) row.version += 1;
  }
  await tables.entitlements.insert(tx, added);
  await tables.entitlements.update(tx, changed);
  await appendEvents(
    tx,
    entitlementChangedV1,
    all.map((row) => ({
      aggregateId: row.id,
      aggregateSeq: row.version,
      payload: {
        id: row.id,
        version: row.version,
        deleted: false,
        state: { kind: 'entitlement', object: representEntitlement(row, tx.now) },
        notices: row.version > 1 && row.status === before.get(row) ? [] : [noticeOf(tx, row, before.get(row))],
      },
    })),
  );
  await planNext(tx, all, new Set(added));
}

async function planNext(
  tx: TenantTx,
  rows: readonly KnownEntitlement[],
  added: ReadonlySet<KnownEntitlement>,
): Promise<void> {
  const next = rows.map((row) => ({ row, dueAt: nextEntitlementChange(factsOf(row), tx.now) }));
  await scheduleDueMany(
    tx,
    next.flatMap(({ row, dueAt }) => (dueAt ? [{ kind: ENTITLEMENT_DUE, ref: row.id, dueAt }] : [])),
  );
  await cancelDueMany(
    tx,
    ENTITLEMENT_DUE,
    next.flatMap(({ row, dueAt }) => (dueAt || added.has(row) ? [] : [row.id])),
  );
}

const noticeOf = (tx: TenantTx, row: KnownEntitlement, before: string | undefined): Notice => ({
  type: 'entitlement.state.updated',
  objectId: row.id,
  data: { entitlement: representEntitlement(row, tx.now) },
  customerId: row.customerId,
  activity: {
    metadata: {
      id: row.id,
      feature: row.featureName,
      from: row.version === 1 ? null : (before ?? null),
      to: row.status,
      subscriptionId: row.subscriptionId,
    },
  },
});

/** Publishes the present state of a feature under its version. */
export async function publishFeature(
  tx: TenantTx,
  row: FeatureRow,
  json: FeatureJson,
  type?: NoticeType,
): Promise<void> {
  const notice: Notice | null = type
    ? {
        type,
        objectId: row.id,
        data: { feature: json },
        customerId: null,
        activity: { metadata: { id: row.id, name: row.name } },
      }
    : null;
  await appendEvents(tx, entitlementChangedV1, [
    {
      aggregateId: row.id,
      aggregateSeq: row.version,
      payload: {
        id: row.id,
        version: row.version,
        deleted: false,
        state: { kind: 'feature', object: json },
        notices: notice ? [notice] : [],
      },
    },
  ]);
}
