import { catalogueChangedV1, customerChangedV1, type EventOf, settingsChangedV1 } from '@kontor/contracts';
import type { Tx } from '@kontor/kernel';
import { Consume, EventConsumer } from '@kontor/messaging';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { retryBlockedDrafts } from '../invoices/blocked-drafts.js';

/**
 * Tries blocked drafts at once when what blocked them may be gone: an address, the seller's data or a tax rate has
 * changed.
 */
@EventConsumer()
export class OnCauseChanged {
  constructor(private readonly replicas: Replicas) {}

  @Consume(customerChangedV1, { consumer: 'blocked-drafts', batch: true })
  async customers(events: EventOf<typeof customerChangedV1>[], tx: TenantTx): Promise<void> {
    const customerIds = await retryBlockedDrafts(tx, { customerIds: events.map(({ payload }) => payload.id) });
    for (const { payload } of events)
      if (customerIds.includes(payload.id)) await this.applyCopy(tx, 'customer', payload, payload.state);
  }

  @Consume(settingsChangedV1, { consumer: 'blocked-drafts' })
  async settings({ payload }: EventOf<typeof settingsChangedV1>, tx: TenantTx): Promise<void> {
    await this.applyCopy(tx, 'settings', payload, payload.state);
    await retryBlockedDrafts(tx, {});
  }

  @Consume(catalogueChangedV1, {
    consumer: 'blocked-drafts',
    concerns: ({ payload }: EventOf<typeof catalogueChangedV1>) => payload.state?.kind === 'tax_group',
  })
  async catalogue({ payload }: EventOf<typeof catalogueChangedV1>, tx: TenantTx): Promise<void> {
    if (payload.state?.kind !== 'tax_group') return;
    await this.applyCopy(tx, 'tax_group', payload, payload.state.object);
    await retryBlockedDrafts(tx, { reason: 'tax_rate_missing' });
  }

  /** Copies are stored by another consumer, which may lag behind: the retry must see the state of this event. */
  private async applyCopy(
    tx: Tx,
    kind: string,
    event: { id: string; version: number; deleted: boolean },
    data: unknown,
  ): Promise<void> {
    await this.replicas.apply(tx, kind, event.id, event.version, data, event.deleted);
  }
}
