import { type EventOf, invoiceClosedV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { CloseIntents } from './close-intents.js';

/** What is open of an invoice is given up. */
@EventConsumer()
export class OnInvoiceClosed {
  constructor(private readonly closeIntents: CloseIntents) {}

  @Consume(invoiceClosedV1, { batch: true })
  async handle(events: EventOf<typeof invoiceClosedV1>[], tx: TenantTx): Promise<void> {
    await this.closeIntents.execute(
      tx,
      events.map((event) => event.payload),
    );
  }
}
