import type { CustomerState } from '@kontor/contracts';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { SecretBox } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { methods } from '../payment-methods/payment-method.row.js';
import { ibanOf } from '../payment-methods/new-method.js';
import type { GatewayRefund } from '../gateways/port/payment-gateway.js';
import type { PlanOutcome } from './plan-debits.js';
import { planTransfer } from './plan-transfer.js';
import { type SepaOrder, sepaOrders } from './sepa-order.row.js';

/** Money that was debited goes back to the same account, by a transfer in the next file. */
@Injectable()
export class RefundDebits {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly secrets: SecretBox,
  ) {}

  /** By the refund's transaction id. Asking again plans nothing twice. */
  execute(tenantId: string, now: Date, refunds: readonly GatewayRefund[]): Promise<Map<string, PlanOutcome>> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const outcomes = new Map<string, PlanOutcome>();
        for (const refund of refunds) outcomes.set(refund.id, await this.plan(tx, refund));
        return outcomes;
      },
      { now },
    );
  }

  private async plan(tx: TenantTx, refund: GatewayRefund): Promise<PlanOutcome> {
    const planned = await sepaOrders.get(tx, refund.id);
    if (planned) return { status: 'pending', reference: planned.endToEndId };
    const [debit] = await sepaOrders.where(tx, `end_to_end_id = $2 AND kind = 'debit'`, [refund.paymentReference]);
    const [method] = debit ? await methods.where(tx, 'id = $2', [debit.paymentMethodId]) : [];
    const iban = method && ibanOf(this.secrets, method);
    if (!debit || !iban) return { status: 'declined', reason: 'account_unknown', final: true };
    const order = await planTransfer(
      tx,
      { replicas: this.replicas, secrets: this.secrets },
      {
        transactionId: refund.id,
        customerId: debit.customerId,
        intentId: debit.intentId,
        amountMinor: refund.amountMinor,
        currencyCode: refund.currencyCode,
        iban,
        bic: debit.bic,
        name: debit.partyName,
        remittance: await this.words(tx, debit),
      },
    );
    return { status: 'pending', reference: order.endToEndId };
  }

  private async words(tx: TenantTx, debit: SepaOrder): Promise<string> {
    const customer = await this.replicas.get<CustomerState>(tx, 'customer', debit.customerId);
    return `${customer?.language === 'de' ? 'Erstattung' : 'Refund'} ${debit.remittance}`;
  }
}
