import { catalogueChangedV1, customerChangedV1, type EventOf, settingsChangedV1 } from '@kontor/contracts';
import type { Tx } from '@kontor/kernel';
import { Consume, EventConsumer } from '@kontor/messaging';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { retryNow } from './retry-now.js';

/** What blocked a draft may be gone: an address, the seller's data or a tax rate has changed. Its draft is tried at once. */
@EventConsumer()
export class OnCauseChanged {
  constructor(private readonly replicas: Replicas) {}

  @Consume(customerChangedV1, { consumer: 'blocked-drafts' })
  async customer({ payload }: EventOf<typeof customerChangedV1>, tx: TenantTx): Promise<void> {
    await this.copyFirst(tx, 'customer', payload, payload.state);
    await retryNow(tx, { customerId: payload.id });
  }

  @Consume(settingsChangedV1, { consumer: 'blocked-drafts' })
  async settings({ payload }: EventOf<typeof settingsChangedV1>, tx: TenantTx): Promise<void> {
    await this.copyFirst(tx, 'settings', payload, payload.state);
    await retryNow(tx, {});
  }

  @Consume(catalogueChangedV1, { consumer: 'blocked-drafts' })
  async catalogue({ payload }: EventOf<typeof catalogueChangedV1>, tx: TenantTx): Promise<void> {
    if (payload.state?.kind !== 'tax_group') return;
    await this.copyFirst(tx, 'tax_group', payload, payload.state.object);
    await retryNow(tx, { reason: 'tax_rate_missing' });
  }

  /** The copies have a consumer of their own, which may not be as far: the retry must see what this event says. */
  private async copyFirst(tx: Tx, kind: string, event: { id: string; version: number; deleted: boolean }, data: unknown): Promise<void> {
    await this.replicas.apply(tx, kind, event.id, event.version, data, event.deleted);
  }
}
