import { type EventOf, type InvoiceState, invoiceChangedV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { WriteInvoiceMails, type SendableInvoice } from './write-invoice-mails.js';

const isToBeMailed = (state: InvoiceState): boolean =>
  state.finalizedAt !== null && state.number !== null && state.status !== 'STATUS_FINALIZING' && state.mailed !== false;

/** Notes finalized documents; writes the mail of those whose file was there first. */
@EventConsumer()
export class OnInvoiceChanged {
  constructor(private readonly writeMails: WriteInvoiceMails) {}

  @Consume(invoiceChangedV1, {
    batch: true,
    concerns: ({ payload }: EventOf<typeof invoiceChangedV1>) => payload.state !== null && isToBeMailed(payload.state),
  })
  async handle(events: EventOf<typeof invoiceChangedV1>[], tx: TenantTx): Promise<void> {
    const newest = new Map<string, { version: number; state: InvoiceState }>();
    for (const { payload } of events) {
      if (!payload.state || !isToBeMailed(payload.state)) continue;
      if ((newest.get(payload.id)?.version ?? 0) < payload.version)
        newest.set(payload.id, { version: payload.version, state: payload.state });
    }
    const ids = [...newest.keys()].sort();
    if (ids.length === 0) return;
    const ready = await tx.query<SendableInvoice>(
      `INSERT INTO invoice_to_send AS i (tenant_id, invoice_id, version, state)
       SELECT $1, n.invoice_id, n.version, n.state
       FROM unnest($2::uuid[], $3::bigint[], $4::jsonb[]) AS n (invoice_id, version, state)
       ON CONFLICT (tenant_id, invoice_id) DO UPDATE SET version = excluded.version, state = excluded.state
         WHERE i.mail_id IS NULL AND i.version < excluded.version
       RETURNING invoice_id AS "invoiceId", state, media`,
      [
        tx.tenantId,
        ids,
        ids.map((id) => newest.get(id)?.version),
        ids.map((id) => JSON.stringify(newest.get(id)?.state)),
      ],
    );
    await this.writeMails.execute(
      tx,
      ready.filter((row) => row.media),
    );
  }
}
