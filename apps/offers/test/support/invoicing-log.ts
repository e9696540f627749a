import { invoiceChangedV1 } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import type { OutboxRecord } from '@kontor/messaging';
import type { TestService } from '@kontor/testing';

/** What invoicing publishes, for a service that listens to it. */
export class InvoicingLog {
  private readonly records: OutboxRecord[] = [];

  constructor(private readonly bus: TestService['bus']) {
    const read = (topic: string, after: bigint, upTo: bigint, limit: number): Promise<OutboxRecord[]> =>
      Promise.resolve(
        this.records.filter((row) => row.topic === topic && row.id > after && row.id <= upTo).slice(0, limit),
      );
    bus.attachLog({ producer: 'invoicing', read }, 0n);
  }

  /** An invoice is paid, at its version. */
  async paid(tenantId: string, id: string, version: number, at: Date): Promise<void> {
    const after = BigInt(this.records.length);
    const { state } = invoiceChangedV1.example;
    const payload = { ...invoiceChangedV1.example, id, version, state: { ...state, id, status: 'STATUS_PAID' } };
    const record: OutboxRecord = {
      id: after + 1n,
      eventId: newUuid(),
      tenantId,
      aggregateId: id,
      aggregateSeq: version,
      topic: invoiceChangedV1.topic,
      type: invoiceChangedV1.type,
      effectiveAt: at,
      payload: JSON.stringify(payload),
      headers: '{}',
    };
    this.records.push(record);
    await this.bus.publish({ producer: 'invoicing', after, upTo: record.id, records: [record] });
  }
}
