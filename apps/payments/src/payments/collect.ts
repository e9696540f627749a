import { completeDue, Database, type DueBatch, DueHandler, type DueItem, scheduleDue, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import type { GatewayOutcome } from '../domain/collections.js';
import { COLLECT, SWEEP_AFTER_MS, SWEEP_COLLECTION } from './due-kinds.js';
import { Gateways, type GatewayCharge } from './gateway/payment-gateway.js';
import { SettleCollections } from './settle-collections.js';

interface Undecided extends GatewayCharge {
  readonly gatewayName: string;
}

/**
 * Asks the gateways for a batch of collections that was committed before: read, call outside any transaction, settle in
 * a second one. Whoever dies in between leaves the claim to be taken over, and the gateway is asked again with the same
 * ids. What stays unknown goes to the sweeper.
 */
@Injectable()
export class Collect {
  constructor(
    private readonly database: Database,
    private readonly gateways: Gateways,
    private readonly settle: SettleCollections,
  ) {}

  async execute(batch: DueBatch, item: DueItem, kind: string): Promise<void> {
    const charges = await this.database.tenant(batch.tenantId, (tx) => this.findUndecided(tx, item.ref), {
      readOnly: true,
      now: batch.now,
    });
    const outcomes = await this.ask(charges, batch);
    const decided = new Map([...outcomes].filter(([, outcome]) => outcome.status !== 'unknown'));
    await this.database.tenant(
      batch.tenantId,
      async (tx) => {
        if (decided.size > 0) await this.settle.execute(tx, decided);
        await this.complete(tx, item, kind, decided.size < charges.length);
      },
      { now: batch.now },
    );
  }

  private findUndecided(tx: TenantTx, collectionId: string): Promise<Undecided[]> {
    return tx.query<Undecided>(
      `SELECT t.id, t.amount_minor AS "amountMinor", t.currency_code AS "currencyCode", t.gateway_name AS "gatewayName", m.reference_id AS "methodReference"
       FROM payment_transaction t LEFT JOIN LATERAL (
         SELECT reference_id FROM payment_method WHERE tenant_id = $1 AND id = t.payment_method_id OFFSET 0) m ON true
       WHERE t.tenant_id = $1 AND t.collection_id = $2 AND t.status = 'pending' ORDER BY t.id`,
      [tx.tenantId, collectionId],
    );
  }

  private async ask(charges: readonly Undecided[], { tenantId, now }: DueBatch): Promise<Map<string, GatewayOutcome>> {
    const outcomes = new Map<string, GatewayOutcome>(charges.map((charge) => [charge.id, { status: 'unknown' }]));
    for (const name of new Set(charges.map((charge) => charge.gatewayName))) {
      const group = charges.filter((charge) => charge.gatewayName === name);
      try {
        for (const [id, outcome] of (await this.gateways.find(name)?.collect(group, { tenantId, now })) ?? []) outcomes.set(id, outcome);
      } catch {
        // No answer is no decline: the money may have moved. These stay unknown and are asked for again.
      }
    }
    return outcomes;
  }

  private async complete(tx: TenantTx, item: DueItem, kind: string, someUnknown: boolean): Promise<void> {
    const again = new Date(Date.now() + SWEEP_AFTER_MS);
    await completeDue(tx, kind, item, someUnknown && kind === SWEEP_COLLECTION ? again : null);
    if (someUnknown && kind === COLLECT) await scheduleDue(tx, { kind: SWEEP_COLLECTION, ref: item.ref, dueAt: again, wall: true });
  }
}

@DueHandler({ kind: COLLECT, batchSize: 4 })
export class CollectDue {
  constructor(private readonly collect: Collect) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) await this.collect.execute(batch, item, COLLECT);
  }
}

/** The sweeper: asks again for what a gateway left open. */
@DueHandler({ kind: SWEEP_COLLECTION, batchSize: 4 })
export class SweepCollections {
  constructor(private readonly collect: Collect) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) await this.collect.execute(batch, item, SWEEP_COLLECTION);
  }
}
