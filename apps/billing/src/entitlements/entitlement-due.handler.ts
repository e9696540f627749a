import { completeDueMany, Database, type DueBatch, DueHandler, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { nextEntitlementChange } from '../domain/entitlements/entitlement-status.js';
import { entitlementsByIds } from './entitlement.read.js';
import { lockEntitlements } from './lock-entitlements.js';
import { ENTITLEMENT_DUE, saveEntitlements } from './publish-entitlements.js';
import { factsOf, statusOf } from './represent-entitlement.js';

/** Announces entitlements that begin or expire, at the very moment. */
@Injectable()
@DueHandler({ kind: ENTITLEMENT_DUE, batchSize: 500 })
export class EntitlementDueHandler {
  constructor(private readonly database: Database) {}

  handle(batch: DueBatch): Promise<void> {
    return this.database.tenant(batch.tenantId, (tx) => this.pass(tx, batch), { now: batch.now });
  }

  private async pass(tx: TenantTx, { items }: DueBatch): Promise<void> {
    const ids = items.map(({ ref }) => ref);
    await lockEntitlements(tx, ids);
    const rows = new Map((await entitlementsByIds(tx, ids)).map((row) => [row.id, row]));
    // First, because saving plans the next time of the same due work.
    await completeDueMany(
      tx,
      ENTITLEMENT_DUE,
      items.map((item) => {
        const row = rows.get(item.ref);
        return { item, nextDueAt: row ? nextEntitlementChange(factsOf(row), tx.now) : null };
      }),
    );
    await saveEntitlements(tx, { changed: [...rows.values()].filter((row) => row.status !== statusOf(row, tx.now)) });
  }
}
