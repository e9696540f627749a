import {
  completeDue,
  Database,
  type DueBatch,
  DueHandler,
  type DueItem,
  scheduleDue,
  type TenantTx,
} from '@kontor/persistence';
import { Log } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import type { GatewayOutcome } from '../domain/gateways/gateway-outcome.js';
import { ageMsOf } from './age-of.js';
import { ALARM_AFTER_MS, nextSweep } from './sweep.js';
import { COLLECT, SWEEP_COLLECTION } from '../due-kinds.js';
import {
  type GatewayCharge,
  type GatewayContext,
  Gateways,
  type PaymentGateway,
} from '../gateways/port/payment-gateway.js';
import { PayerLinks } from './payer-links.js';
import { SettleCollections } from './settle-collections.js';

interface Undecided extends GatewayCharge {
  readonly gatewayName: string;
  readonly intentId: string;
}

/**
 * Asks the gateways for a batch of collections that was committed before: read, call outside any transaction, settle in
 * a second one. Whoever dies in between leaves the claim to be taken over, and the gateway is asked again with the same
 * ids. What stays unknown goes to the sweeper, which looks it up where the gateway can, and asks again for what the gateway
 * does not know.
 */
@Injectable()
export class Collect {
  constructor(
    private readonly database: Database,
    private readonly gateways: Gateways,
    private readonly settle: SettleCollections,
    private readonly payerLinks: PayerLinks,
    private readonly log: Log,
  ) {}

  async execute(batch: DueBatch, item: DueItem, kind: string): Promise<void> {
    const charges = await this.database.tenant(batch.tenantId, (tx) => this.findUndecided(tx, item.ref, kind), {
      readOnly: true,
      now: batch.now,
    });
    const outcomes = await this.ask(charges, batch, kind === SWEEP_COLLECTION);
    const decided = new Map([...outcomes].filter(([, outcome]) => outcome.status !== 'unknown'));
    const open = charges.filter((charge) => !decided.has(charge.id));
    const isLater = charges.some((charge) => outcomes.get(charge.id)?.status === 'pending' && this.canLookUp(charge));
    this.alarm(batch.tenantId, open);
    await this.database.tenant(
      batch.tenantId,
      async (tx) => {
        if (decided.size > 0) await this.settle.execute(tx, decided);
        await this.complete(tx, item, kind, nextSweep(open, isLater));
      },
      { now: batch.now },
    );
  }

  /**
   * What waits for a later word (a reference is known) is not asked for again; a sweep looks it up, for call-backs get
   * lost.
   */
  private async findUndecided(tx: TenantTx, collectionId: string, kind: string): Promise<Undecided[]> {
    const charges = await tx.query<Undecided>(
      `SELECT t.id, t.amount_minor AS "amountMinor", t.currency_code AS "currencyCode", t.gateway_name AS "gatewayName",
        m.reference_id AS "methodReference", t.reference, t.intent_id AS "intentId"
       FROM payment_transaction t LEFT JOIN LATERAL (
         SELECT reference_id FROM payment_method WHERE tenant_id = $1 AND id = t.payment_method_id OFFSET 0) m ON true
       WHERE t.tenant_id = $1 AND t.collection_id = $2 AND t.status = 'pending' AND t.type = 'payment' ORDER BY t.id`,
      [tx.tenantId, collectionId],
    );
    return charges
      .filter((charge) => !charge.reference || (kind === SWEEP_COLLECTION && this.canLookUp(charge)))
      .map((charge) => ({ ...charge, returnUrl: this.payerLinks.returnUrlOf(tx.tenantId, charge.intentId) }));
  }

  private async ask(
    charges: readonly Undecided[],
    { tenantId, now }: DueBatch,
    isSweep: boolean,
  ): Promise<Map<string, GatewayOutcome>> {
    const outcomes = new Map<string, GatewayOutcome>(charges.map((charge) => [charge.id, { status: 'unknown' }]));
    for (const name of new Set(charges.map((charge) => charge.gatewayName))) {
      const group = charges.filter((charge) => charge.gatewayName === name);
      const gateway = this.gateways.find(name);
      if (!gateway) continue;
      try {
        const found = await askGateway(gateway, group, { tenantId, now }, isSweep);
        for (const [id, outcome] of found) outcomes.set(id, outcome);
      } catch (error) {
        // No answer is no decline: the money may have moved. These stay unknown and are asked for again.
        this.log.warn(
          { tenantId, gateway: name, charges: group.length, error: (error as Error).message },
          'a gateway did not answer',
        );
      }
    }
    return outcomes;
  }

  private canLookUp({ gatewayName }: Undecided): boolean {
    return this.gateways.find(gatewayName)?.lookUp !== undefined;
  }

  private alarm(tenantId: string, open: readonly Undecided[]): void {
    for (const charge of open) {
      if (ageMsOf(charge.id) < ALARM_AFTER_MS) continue;
      this.log.error(
        { tenantId, transactionId: charge.id, gateway: charge.gatewayName },
        'the outcome of a charge is unknown for hours: look it up',
      );
    }
  }

  private async complete(tx: TenantTx, item: DueItem, kind: string, again: Date | null): Promise<void> {
    await completeDue(tx, kind, item, kind === SWEEP_COLLECTION ? again : null);
    if (again && kind === COLLECT)
      await scheduleDue(tx, { kind: SWEEP_COLLECTION, ref: item.ref, dueAt: again, wall: true });
  }
}

/**
 * Looks up first what a sweep finds, and what is so old that the gateway would not recognize it: the system may have been
 * away for days after it was asked for, or the gateway. Then asks for what is not known there; an old one only where the
 * gateway could say that.
 */
async function askGateway(
  gateway: PaymentGateway,
  charges: readonly Undecided[],
  context: GatewayContext,
  isSweep: boolean,
): Promise<Map<string, GatewayOutcome>> {
  const isForgotten = ({ id }: Undecided): boolean => ageMsOf(id) >= (gateway.remembersForMs ?? Infinity);
  const doubtful = isSweep ? charges : charges.filter(isForgotten);
  const found = new Map(doubtful.length > 0 ? await gateway.lookUp?.(doubtful, context) : []);
  const left = charges.filter((charge) => {
    if (charge.reference) return false;
    const known = found.get(charge.id);
    return isForgotten(charge) ? gateway.lookUp !== undefined && !known : !known || known.status === 'unknown';
  });
  if (left.length > 0) for (const [id, outcome] of await gateway.collect(left, context)) found.set(id, outcome);
  return found;
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
