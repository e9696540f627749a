import type { PaymentMethodState } from '@kontor/contracts';
import type { Tx } from '@kontor/kernel';
import type { Replicas } from '@kontor/persistence';
import { ServiceUnavailable } from '@kontor/service-kit';

/**
 * Payment methods for showing. A document is shown and finalized without its method rather than not at all: when
 * payments cannot be asked for a missing copy, the copies that are there must do.
 */
export async function knownMethods(replicas: Replicas, tx: Tx, ids: readonly string[]): Promise<Map<string, PaymentMethodState>> {
  if (ids.length === 0) return new Map();
  try {
    return await replicas.getMany<PaymentMethodState>(tx, 'payment_method', ids);
  } catch (error) {
    if (!(error instanceof ServiceUnavailable)) throw error;
    const rows = await tx.query<{ id: string; data: PaymentMethodState }>(
      `select id, data from replica where tenant_id = $1 and kind = 'payment_method' and not deleted and id = any($2::text[])`,
      [tx.tenantId, [...ids]],
    );
    return new Map(rows.map(({ id, data }) => [id, data]));
  }
}
