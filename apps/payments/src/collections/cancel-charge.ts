import { completeDue, Database, type DueBatch, DueHandler } from '@kontor/persistence';
import { CANCEL_CHARGE } from '../due-kinds.js';
import { Gateways, type GatewayCharge } from '../gateways/port/payment-gateway.js';
import { SettleCollections } from './settle-collections.js';

/**
 * Stops a charge that waited for its payer until another method was chosen, or other money came. Where it cannot be
 * stopped any more, the gateway is asked: what it collected is booked as money that is there, as it is when a call-back
 * reports it.
 */
@DueHandler({ kind: CANCEL_CHARGE, batchSize: 10 })
export class CancelCharge {
  constructor(
    private readonly database: Database,
    private readonly gateways: Gateways,
    private readonly settle: SettleCollections,
  ) {}

  async handle({ tenantId, now, items }: DueBatch): Promise<void> {
    for (const item of items) {
      const [charge] = await this.database.tenant(
        tenantId,
        (tx) =>
          tx.query<GatewayCharge & { gatewayName: string }>(
            `SELECT id, amount_minor AS "amountMinor", currency_code AS "currencyCode", gateway_name AS "gatewayName",
              reference, NULL AS "methodReference"
             FROM payment_transaction WHERE tenant_id = $1 AND id = $2 AND status = 'failed'`,
            [tx.tenantId, item.ref],
          ),
        { readOnly: true },
      );
      const gateway = charge && this.gateways.find(charge.gatewayName);
      const isStopped = charge && (await gateway?.cancel?.(charge, { tenantId, now }));
      const outcomes = charge && isStopped === false ? await gateway?.lookUp?.([charge], { tenantId, now }) : undefined;
      await this.database.tenant(tenantId, async (tx) => {
        if (outcomes?.size) await this.settle.execute(tx, outcomes);
        await completeDue(tx, CANCEL_CHARGE, item, null);
      });
    }
  }
}
