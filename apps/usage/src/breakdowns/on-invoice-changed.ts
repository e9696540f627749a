import { type EventOf, invoiceChangedV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';

type InvoiceChanged = EventOf<typeof invoiceChangedV1>;

const isCancelled = ({ payload }: InvoiceChanged): boolean => payload.state?.status === 'STATUS_CANCELLED';

/** A document was cancelled: its page shows it. */
@EventConsumer()
export class OnInvoiceChanged {
  @Consume(invoiceChangedV1, { batch: true, consumer: 'UsageBreakdownsCancelled', concerns: isCancelled })
  async handle(events: InvoiceChanged[], tx: TenantTx): Promise<void> {
    // The pages' documents are large: only the column is written.
    await tx.query("UPDATE usage_breakdown SET status = 'cancelled' WHERE tenant_id = $1 AND id = ANY($2::uuid[])", [
      tx.tenantId,
      events.map(({ payload }) => payload.id),
    ]);
  }
}
