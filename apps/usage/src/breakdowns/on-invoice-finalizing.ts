import { type EventOf, invoiceFinalizingV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { type UsageBreakdownRow, usageBreakdowns } from './usage-breakdown.row.js';
import { measureParts } from './measure-parts.js';

/** A document with usage is final: what its page shows is frozen. */
@EventConsumer()
export class OnInvoiceFinalizing {
  @Consume(invoiceFinalizingV1, {
    batch: true,
    consumer: 'UsageBreakdowns',
    concerns: ({ payload }: EventOf<typeof invoiceFinalizingV1>) => Boolean(payload.usageBreakdown),
  })
  async handle(events: EventOf<typeof invoiceFinalizingV1>[], tx: TenantTx): Promise<void> {
    const documents = events.flatMap(({ payload }) =>
      payload.usageBreakdown ? [{ payload, page: payload.usageBreakdown }] : [],
    );
    if (documents.length === 0) return;
    const measured = await measureParts(
      tx,
      documents.map(({ payload, page }) => ({ ...page, customerId: payload.customerId })),
    );
    const rows = documents.map(({ payload, page: { tokenHash, ...page } }, index): UsageBreakdownRow => {
      const { invoiceId: id, number, type, finalizedAt } = payload;
      return {
        tenantId: tx.tenantId,
        id,
        customerId: payload.customerId,
        tokenHash,
        status: 'valid',
        document: { ...page, number, type, finalizedAt, positions: measured[index]! },
        createdAt: tx.now,
      };
    });
    await usageBreakdowns.insertMissing(tx, rows);
  }
}
