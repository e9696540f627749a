import type { CustomerState } from '@kontor/contracts';
import { completeDue, Database, type DueBatch, DueHandler, Replicas, type TenantTx } from '@kontor/persistence';
import { methods, type PaymentMethod } from './payment-method.row.js';
import { methodOf } from './give-up-methods.js';
import { Gateways } from '../gateways/port/payment-gateway.js';
import { ASK_AGAIN_AFTER_MS } from './asking-again.js';
import { REVOKE_METHOD } from '../due-kinds.js';
import { registering } from '../gateways/port/registering-gateway.js';

/**
 * Removed methods are given up at their provider, so that nobody can charge them any more; again until it has answered.
 */
@DueHandler({ kind: REVOKE_METHOD, batchSize: 20 })
export class RevokeAtProvider {
  constructor(
    private readonly database: Database,
    private readonly gateways: Gateways,
    private readonly replicas: Replicas,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items) {
      const [methodId] = item.ref.split('/');
      const [method] = await this.database.tenant(batch.tenantId, (tx) => methods.where(tx, 'id = $2', [methodId]), {
        readOnly: true,
      });
      const { gatewayName, ...named } = methodOf(item.ref, method);
      const gateway = registering(this.gateways.find(gatewayName));
      const question = { tenantId: batch.tenantId, ...named };
      const done = await (gateway.revoke?.(question) ?? Promise.resolve()).then(
        () => true,
        () => false,
      );
      const again = done ? null : new Date(Date.now() + 60 * ASK_AGAIN_AFTER_MS);
      await this.database.tenant(batch.tenantId, async (tx) => {
        if (done && method) await this.forget(tx, method);
        await completeDue(tx, REVOKE_METHOD, item, again);
      });
    }
  }

  /** Of a customer that is anonymized, what the provider called the method was kept until here. */
  private async forget(tx: TenantTx, { id, customerId }: PaymentMethod): Promise<void> {
    const customer = await this.replicas.get<CustomerState>(tx, 'customer', customerId);
    if (customer?.anonymizedAt)
      await tx.query('UPDATE payment_method SET reference_id = NULL WHERE tenant_id = $1 AND id = $2', [
        tx.tenantId,
        id,
      ]);
  }
}
