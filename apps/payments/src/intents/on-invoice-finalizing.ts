import { type EventOf, invoiceFinalizingV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { OpenIntents } from './open-intents.js';

/** A document has its number: its money begins here. */
@EventConsumer()
export class OnInvoiceFinalizing {
  constructor(private readonly openIntents: OpenIntents) {}

  @Consume(invoiceFinalizingV1, { batch: true })
  async handle(events: EventOf<typeof invoiceFinalizingV1>[], tx: TenantTx): Promise<void> {
    await this.openIntents.execute(tx, events);
  }
}
