import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { invoiceHistoryTable } from '../db/document.row.js';
import { findInvoice } from './invoice-rows.js';
import type { TimelineJson } from './invoice.schema.js';

/** What happened to a document, oldest first. */
@Injectable()
export class GetTimeline {
  constructor(private readonly database: Database) {}

  /** @throws DomainError 404 `not_found`. */
  async execute(tenantId: string, id: string): Promise<TimelineJson> {
    const entries = await this.database.tenant(
      tenantId,
      async (tx) => {
        await findInvoice(tx, id);
        return invoiceHistoryTable.find(tx, { invoiceId: id }, { orderBy: { version: 'asc', type: 'asc' } });
      },
      { readOnly: true },
    );
    return {
      data: entries.map(({ type, at, metadata, version }) => ({
        dateTime: at.toISOString(),
        type,
        sequence: version,
        metadata,
      })),
    };
  }
}
