import type { PaymentMethodState } from '@kontor/contracts';
import { type Tx, unknownReference } from '@kontor/kernel';
import type { Replicas } from '@kontor/persistence';
import { ServiceUnavailable } from '@kontor/service-kit';

/**
 * Payment methods for showing. A document is shown and finalized without its method rather than not at all: when
 * payments cannot be asked for a missing copy, the copies that are there must do.
 */
export function loadPaymentMethods(
  replicas: Replicas,
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, PaymentMethodState>> {
  return replicas.getMany<PaymentMethodState>(
    tx,
    'payment_method',
    ids,
    (error) => error instanceof ServiceUnavailable,
  );
}

/** @throws DomainError 422 `unknown_reference` unless the method is the customer's. */
export async function checkMethodOfCustomer(
  replicas: Replicas,
  tx: Tx,
  { customerId, methodId }: { customerId: string; methodId: string | null },
): Promise<void> {
  if (methodId === null) return;
  const method = await replicas.get<{ customerId: string }>(tx, 'payment_method', methodId);
  if (method?.customerId !== customerId) throw unknownReference('paymentMethod', 'payment method');
}
