import { type EventOf, intentChangedV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { FollowIntents } from './follow-intents.js';

/** Payments has opened, settled or reopened intents: their documents become unpaid, paid, unpaid again. */
@EventConsumer()
export class OnIntentChanged {
  constructor(private readonly followIntents: FollowIntents) {}

  @Consume(intentChangedV1, { batch: true })
  async handle(events: EventOf<typeof intentChangedV1>[], tx: TenantTx): Promise<void> {
    await this.followIntents.execute(
      tx,
      events.flatMap(({ payload: { version, state } }) => (state ? [{ version, state }] : [])),
    );
  }
}
