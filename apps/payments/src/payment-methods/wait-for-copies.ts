import type { ReplicaFreshness } from '@kontor/service-kit';
import type { PaymentMethod } from './payment-method.row.js';

/**
 * After a write to default methods: waits until the services that copy them have these versions, two seconds at most.
 */
export async function waitForCopies(
  freshness: ReplicaFreshness,
  tenantId: string,
  changed: readonly PaymentMethod[],
): Promise<void> {
  await Promise.all(changed.map((method) => freshness.copied('payment_method', tenantId, method.id, method.version)));
}
