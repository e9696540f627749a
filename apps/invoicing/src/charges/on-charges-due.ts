import { chargesDueV1, type EventOf } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { DraftCharges } from './draft-charges.js';

/** Billing has rated the lines of documents: up to 500 of a tenant become documents in one transaction. */
@EventConsumer()
export class OnChargesDue {
  constructor(private readonly draftCharges: DraftCharges) {}

  @Consume(chargesDueV1, { batch: true })
  async handle(events: EventOf<typeof chargesDueV1>[], tx: TenantTx): Promise<void> {
    await this.draftCharges.execute(
      tx,
      events.map((event) => event.payload),
    );
  }
}
