import { completeDue, Database, type DueBatch, DueHandler } from '@kontor/persistence';
import { CANCEL_CHARGE } from './due-kinds.js';
import { Gateways, type GatewayCharge } from './gateway/payment-gateway.js';

/**
 * Stops a charge that waited for its payer until another method was chosen. Where it cannot be stopped any more, its
 * success comes by call-back and is booked as money that is there.
 */
@DueHandler({ kind: CANCEL_CHARGE, batchSize: 10 })
export class CancelCharge {
  constructor(
    private readonly database: Database,
    private readonly gateways: Gateways,
  ) {}

  async handle({ tenantId, now, items }: DueBatch): Promise<void> {
    for (const item of items) {
      const [charge] = await this.database.tenant(
        tenantId,
        (tx) =>
          tx.query<GatewayCharge & { gatewayName: string }>(
            `SELECT id, amount_minor AS "amountMinor", currency_code AS "currencyCode", gateway_name AS "gatewayName", reference, NULL AS "methodReference"
             FROM payment_transaction WHERE tenant_id = $1 AND id = $2 AND status = 'failed'`,
            [tx.tenantId, item.ref],
          ),
        { readOnly: true },
      );
      if (charge) await this.gateways.find(charge.gatewayName)?.cancel?.(charge, { tenantId, now });
      await this.database.tenant(tenantId, (tx) => completeDue(tx, CANCEL_CHARGE, item, null));
    }
  }
}
