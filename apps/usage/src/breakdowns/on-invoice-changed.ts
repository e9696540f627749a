import { type EventOf, invoiceChangedV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';

/** A document was cancelled: its page shows it. */
@EventConsumer()
export class OnInvoiceChanged {
  @Consume(invoiceChangedV1, { batch: true, consumer: 'UsageBreakdownsCancelled' })
  async handle(events: EventOf<typeof invoiceChangedV1>[], tx: TenantTx): Promise<void> {
    const cancelled = events
      .filter(({ payload }) => payload.state?.status === 'STATUS_CANCELLED')
      .map(({ payload }) => payload.id);
    if (cancelled.length === 0) return;
    // The pages' documents are large: only the column is written.
    await tx.query("UPDATE usage_breakdown SET status = 'cancelled' WHERE tenant_id = $1 AND id = ANY($2::uuid[])", [
      tx.tenantId,
      cancelled,
    ]);
  }
}
