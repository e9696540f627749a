import { Injectable } from '@nestjs/common';
import type { GatewayCharge, PaymentGateway } from '../payments/gateway/payment-gateway.js';
import { PlanDebits } from './plan-debits.js';

/** Debits by mandates of our own: they wait for a file, and the bank's statement tells what became of them. */
@Injectable()
export class SepaDebitGateway implements PaymentGateway {
  readonly name = 'sepa_debit';

  constructor(private readonly planDebits: PlanDebits) {}

  collect(charges: readonly GatewayCharge[], context: { readonly tenantId: string; readonly now: Date }) {
    return this.planDebits.execute(
      context.tenantId,
      context.now,
      charges.map((charge) => charge.id),
    );
  }
}
