import { type EventOf, invoiceSendRequestedV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { WriteInvoiceMails } from './write-invoice-mails.js';

/** Somebody wants a document to be mailed, perhaps once more. */
@EventConsumer()
export class OnInvoiceSendRequested {
  constructor(private readonly writeMails: WriteInvoiceMails) {}

  @Consume(invoiceSendRequestedV1, { batch: true })
  async handle(events: EventOf<typeof invoiceSendRequestedV1>[], tx: TenantTx): Promise<void> {
    await this.writeMails.writeRequested(
      tx,
      events.map(({ payload: { invoiceId, version, recipient, state, file } }) => ({
        invoice: { invoiceId, state, media: file },
        recipient,
        reference: `${invoiceId}:${version}`,
      })),
    );
  }
}
