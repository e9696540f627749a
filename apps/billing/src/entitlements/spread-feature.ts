import { completeDue, Database, type DueBatch, DueHandler, scheduleDue, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import { announce, syncEntitlements } from './sync-entitlements.js';

const KIND = 'billing.feature';
const PORTION = 200;

/** What concerns many entitlements: an assignment that is new, or a feature that is available from now on. */
export type Spread = { readonly assignment: string } | { readonly feature: string };

const refOf = (spread: Spread): string =>
  'assignment' in spread ? `assignment:${spread.assignment}` : `feature:${spread.feature}`;
const spreadOf = (ref: string): Spread => {
  const [kind, ...id] = ref.split(':');
  return kind === 'assignment' ? { assignment: id.join(':') } : { feature: id.join(':') };
};

/**
 * Brings a change of a feature to all who have it, in portions with a transaction each. The first portion is done before the
 * change is answered, the rest as due work; each finds what is left to do, so that it may stop and begin again anywhere.
 */
@Injectable()
@DueHandler({ kind: KIND, batchSize: 1 })
export class SpreadFeature {
  constructor(private readonly database: Database) {}

  /** In the transaction of the cause: it is done even if nobody begins. */
  schedule(tx: TenantTx, spread: Spread): Promise<void> {
    return scheduleDue(tx, { kind: KIND, ref: refOf(spread), dueAt: tx.now });
  }

  /** The first portion, after the cause has been committed. */
  begin(tenantId: string, spread: Spread): Promise<unknown> {
    return this.database.tenant(tenantId, (tx) => portion(tx, spread));
  }

  async handle({ tenantId, now, items, signal }: DueBatch): Promise<void> {
    for (const item of items) {
      while (await this.database.tenant(tenantId, (tx) => portion(tx, spreadOf(item.ref)), { now })) {
        if (signal.aborted) return;
      }
      await this.database.tenant(tenantId, (tx) => completeDue(tx, KIND, item), { now });
    }
  }
}

/** True when there was something to do. */
const portion = (tx: TenantTx, spread: Spread): Promise<boolean> =>
  'assignment' in spread ? assign(tx, spread.assignment) : activate(tx, spread.feature);

/** Subscriptions with an item that the assignment is for and that does not have it. */
async function assign(tx: TenantTx, assignmentId: string): Promise<boolean> {
  const assignment = await tables.featureAssignments.get(tx, assignmentId);
  if (!assignment) return false;
  const { productId, pricePlanId } = assignment;
  const prices = productId === null ? [{ id: pricePlanId }] : await tables.pricePlans.find(tx, { productId });
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM subscription WHERE tenant_id = $1 AND id IN (
       SELECT i.subscription_id FROM subscription_item i
       WHERE i.tenant_id = $1 AND i.price_plan_id = ANY($2::uuid[]) AND i.status <> 'terminated' AND NOT EXISTS (
         SELECT 1 FROM entitlement e
         WHERE e.tenant_id = $1 AND e.assignment_id = $3 AND e.subscription_item_id = i.id)
       LIMIT ${PORTION}) ORDER BY id FOR UPDATE`,
    [tx.tenantId, prices.map(({ id }) => id), assignmentId],
  );
  await syncEntitlements(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.length > 0;
}

/** Entitlements that wait for nothing but the feature. */
async function activate(tx: TenantTx, featureId: string): Promise<boolean> {
  const rows = await tx.query<{ id: string }>(
    `SELECT e.id FROM entitlement e
     JOIN feature f ON f.tenant_id = $1 AND f.id = e.feature_id AND f.activated_at IS NOT NULL
     LEFT JOIN subscription s ON s.tenant_id = $1 AND s.id = e.subscription_id
     WHERE e.tenant_id = $1 AND e.feature_id = $2 AND e.status = 'pending'
       AND (e.valid_from IS NULL OR e.valid_from <= $3) AND (s.id IS NULL OR s.status NOT IN ('draft', 'offer'))
     LIMIT ${PORTION}`,
    [tx.tenantId, featureId, tx.now],
  );
  await announce(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.length > 0;
}
