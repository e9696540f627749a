import { Injectable } from '@nestjs/common';
import { requestScope } from '@kontor/persistence';
import { EventWriter } from './event-writer.js';
import { type IngestResult, type ItemsOptions, readItems } from './ingest-request.js';
import { InsertRequests } from './insert-requests.js';

/** Stores usage events: each transactionId once per tenant for ever, however often it is sent. */
@Injectable()
export class IngestEvents {
  constructor(
    private readonly writer: EventWriter,
    private readonly insertRequests: InsertRequests,
  ) {}

  /** At most 1,000 items. What it resolves to is committed. */
  async execute(tenantId: string, items: readonly unknown[], options: ItemsOptions = {}): Promise<IngestResult> {
    const request = readItems(tenantId, items, options);
    const claim = requestScope.getStore()?.idempotency;
    // The key has to commit with its effect, in a transaction of its own.
    if (claim && !claim.claimed) return this.insertRequests.executeOne(request);
    return this.writer.write(request);
  }
}
