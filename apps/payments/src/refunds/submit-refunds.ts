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
import type { RefundOutcome } from '../domain/gateways/gateway-outcome.js';
import { ageMsOf } from '../collections/age-of.js';
import { ALARM_AFTER_MS, nextSweep } from '../collections/sweep.js';
import { REFUND, SWEEP_REFUND } from '../due-kinds.js';
import {
  type GatewayContext,
  type GatewayRefund,
  Gateways,
  type PaymentGateway,
} from '../gateways/port/payment-gateway.js';
import { SettleCollections } from '../collections/settle-collections.js';

interface Waiting extends GatewayRefund {
  readonly gatewayName: string;
}

/**
 * Has gateways refund what refund documents say, in the way collections are made: noted before, asked outside, booked
 * once.
 */
@Injectable()
export class SubmitRefunds {
  constructor(
    private readonly database: Database,
    private readonly gateways: Gateways,
    private readonly settle: SettleCollections,
    private readonly log: Log,
  ) {}

  async execute(batch: DueBatch, item: DueItem, kind: string): Promise<void> {
    const { tenantId, now } = batch;
    const refunds = await this.database.tenant(tenantId, (tx) => this.findWaiting(tx, item.ref, kind), {
      readOnly: true,
      now,
    });
    const outcomes = await this.ask(refunds, batch);
    const open = refunds.filter((refund) => !outcomes.has(refund.id));
    const isLater = refunds.some((refund) => outcomes.get(refund.id)?.status === 'pending' && this.canLookUp(refund));
    for (const refund of open) {
      if (ageMsOf(refund.id) >= ALARM_AFTER_MS)
        this.log.error(
          { tenantId, transactionId: refund.id },
          'the outcome of a refund is unknown for hours: look it up',
        );
    }
    await this.database.tenant(
      tenantId,
      async (tx) => {
        if (outcomes.size > 0) await this.settle.execute(tx, outcomes);
        const again = nextSweep(open, isLater);
        await completeDue(tx, kind, item, kind === SWEEP_REFUND ? again : null);
        if (again && kind === REFUND)
          await scheduleDue(tx, { kind: SWEEP_REFUND, ref: item.ref, dueAt: again, wall: true });
      },
      { now },
    );
  }

  /** What a gateway has accepted (a reference is known) is not asked for again; a sweep looks it up, for call-backs get lost. */
  private async findWaiting(tx: TenantTx, collectionId: string, kind: string): Promise<Waiting[]> {
    const refunds = await tx.query<Waiting>(
      `SELECT t.id, t.amount_minor AS "amountMinor", t.currency_code AS "currencyCode", t.gateway_name AS "gatewayName",
         t.reference,
         coalesce(p.reference, p.id::text) AS "paymentReference",
         (SELECT sum(r.amount_minor) FROM payment_transaction r
           WHERE r.tenant_id = $1 AND r.refunded_transaction_id = p.id
           AND r.status IN ('pending', 'succeeded') AND r.id <= t.id)::bigint AS "totalRefundedMinor",
         EXISTS (SELECT FROM payment_transaction r
           WHERE r.tenant_id = $1 AND r.refunded_transaction_id = p.id
           AND r.status = 'pending' AND r.reference IS NULL AND r.id < t.id) AS "isTotalUnsure"
       FROM payment_transaction t JOIN payment_transaction p ON p.tenant_id = $1 AND p.id = t.refunded_transaction_id
       WHERE t.tenant_id = $1 AND t.collection_id = $2 AND t.status = 'pending' AND t.type = 'refund'
       ORDER BY t.id`,
      [tx.tenantId, collectionId],
    );
    return refunds.filter((refund) => !refund.reference || (kind === SWEEP_REFUND && this.canLookUp(refund)));
  }

  private canLookUp({ gatewayName }: Waiting): boolean {
    return this.gateways.find(gatewayName)?.lookUpRefunds !== undefined;
  }

  private async ask(refunds: readonly Waiting[], { tenantId, now }: DueBatch): Promise<Map<string, RefundOutcome>> {
    const outcomes = new Map<string, RefundOutcome>();
    for (const name of new Set(refunds.map((refund) => refund.gatewayName))) {
      const gateway = this.gateways.find(name);
      const group = refunds.filter((refund) => refund.gatewayName === name);
      if (!gateway?.refund) continue;
      try {
        for (const [id, outcome] of await askGateway(gateway, group, { tenantId, now }))
          if (outcome.status !== 'unknown') outcomes.set(id, outcome);
      } catch (error) {
        this.log.warn(
          { tenantId, gateway: name, refunds: group.length, error: (error as Error).message },
          'a gateway did not answer',
        );
      }
    }
    return outcomes;
  }
}

/**
 * Looks up what the gateway has accepted, and what is so old that it would not recognize it; that is asked for where the
 * gateway does not know it.
 */
async function askGateway(
  gateway: PaymentGateway,
  refunds: readonly Waiting[],
  context: GatewayContext,
): Promise<Map<string, RefundOutcome>> {
  const isForgotten = ({ id }: Waiting): boolean => ageMsOf(id) >= (gateway.remembersRefundsForMs ?? Infinity);
  const doubtful = refunds.filter((refund) => refund.reference || isForgotten(refund));
  const found = new Map(doubtful.length > 0 ? await gateway.lookUpRefunds?.(doubtful, context) : []);
  const left = refunds.filter(
    (refund) => !refund.reference && (!isForgotten(refund) || (gateway.lookUpRefunds && !found.has(refund.id))),
  );
  if (left.length > 0) for (const [id, outcome] of await gateway.refund!(left, context)) found.set(id, outcome);
  return found;
}

@DueHandler({ kind: REFUND, batchSize: 4 })
export class RefundDue {
  constructor(private readonly submitRefunds: SubmitRefunds) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) await this.submitRefunds.execute(batch, item, REFUND);
  }
}

@DueHandler({ kind: SWEEP_REFUND, batchSize: 4 })
export class SweepRefunds {
  constructor(private readonly submitRefunds: SubmitRefunds) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) await this.submitRefunds.execute(batch, item, SWEEP_REFUND);
  }
}
