import { Injectable } from '@nestjs/common';
import { notFound } from '@kontor/kernel';
import { Database, selectRows } from '@kontor/persistence';
import { ChargeBatchRow, InvoiceHistoryRow } from '../db/document.row.js';
import { InvoiceReader } from './invoice.read.js';

/** Where a document came from and what happened to it. */
@Injectable()
export class InvoiceHistory {
  constructor(
    private readonly database: Database,
    private readonly reader: InvoiceReader,
  ) {}

  /** Oldest first. @throws DomainError 404. */
  timeline(tenantId: string, id: string) {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        await this.reader.row(tx, id);
        const rows = await selectRows(tx, InvoiceHistoryRow, 't.invoice_id = $1 order by t.version, t.type', [id]);
        return { data: rows.map(({ type, at, metadata, version }) => ({ dateTime: at.toISOString(), type, sequence: version, metadata })) };
      },
      { readOnly: true },
    );
  }

  /** The run and the batches that a document was made of. @throws DomainError 404, also for a document that no run made. */
  billingRun(tenantId: string, id: string) {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const invoice = await this.reader.row(tx, id);
        const batches = await selectRows(tx, ChargeBatchRow, 't.invoice_id = $1 order by t.created_at, t.batch_id', [id]);
        if (batches.length === 0) throw notFound('The billing run');
        return {
          id: invoice.runId,
          invoiceId: id,
          billingDay: invoice.billingDay,
          blockedReason: invoice.blockedReason,
          batches: batches.map(({ batchId, runId, subscriptionIds }) => ({ id: batchId, billingRunId: runId, subscriptionIds })),
        };
      },
      { readOnly: true },
    );
  }
}
