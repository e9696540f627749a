import { type EventOf, mediaReadyV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { type SendableInvoice, WriteInvoiceMails } from './write-invoice-mails.js';

/** Notes that a document's file exists; writes the mail of those that are known to be finalized. */
@EventConsumer()
export class OnMediaReady {
  constructor(private readonly writeMails: WriteInvoiceMails) {}

  @Consume(mediaReadyV1, { batch: true })
  async handle(events: EventOf<typeof mediaReadyV1>[], tx: TenantTx): Promise<void> {
    const files = new Map(
      events.map(({ payload: { invoiceId, mediaId, fileName, mimeType } }) => [
        invoiceId,
        { mediaId, fileName, mimeType },
      ]),
    );
    const ids = [...files.keys()].sort();
    const ready = await tx.query<SendableInvoice>(
      `INSERT INTO invoice_to_send AS i (tenant_id, invoice_id, version, media)
       SELECT $1, n.invoice_id, 0, n.media FROM unnest($2::uuid[], $3::jsonb[]) AS n (invoice_id, media)
       ON CONFLICT (tenant_id, invoice_id) DO UPDATE SET media = excluded.media WHERE i.mail_id IS NULL
       RETURNING invoice_id AS "invoiceId", state, media`,
      [tx.tenantId, ids, ids.map((id) => JSON.stringify(files.get(id)))],
    );
    await this.writeMails.execute(
      tx,
      ready.filter((row) => row.state),
    );
  }
}
