import { Injectable } from '@nestjs/common';
import type { GatewayCharge, GatewayContext, GatewayRefund, PaymentGateway } from '../gateways/port/payment-gateway.js';
import { PlanDebits } from './plan-debits.js';
import { RefundDebits } from './refund-debits.js';

/** Debits by mandates of our own: they wait for a file, and the bank's statement shows what became of them. */
@Injectable()
export class SepaDebitGateway implements PaymentGateway {
  readonly name = 'sepa_debit';

  constructor(
    private readonly planDebits: PlanDebits,
    private readonly refundDebits: RefundDebits,
  ) {}

  collect(charges: readonly GatewayCharge[], { tenantId, now }: GatewayContext) {
    return this.planDebits.execute(
      tenantId,
      now,
      charges.map((charge) => charge.id),
    );
  }

  cancel(charge: GatewayCharge, { tenantId }: GatewayContext): Promise<boolean> {
    return this.planDebits.cancel(tenantId, charge.id);
  }

  refund(refunds: readonly GatewayRefund[], { tenantId, now }: GatewayContext) {
    return this.refundDebits.execute(tenantId, now, refunds);
  }
}
