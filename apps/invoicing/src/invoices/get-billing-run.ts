import { Injectable } from '@nestjs/common';
import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { chargeBatchTable } from '../db/document.row.js';
import { findInvoice } from './invoice-rows.js';
import type { OriginJson } from './invoice.schema.js';

/** The billing run and the batches of charges that a document was made of. */
@Injectable()
export class GetBillingRun {
  constructor(private readonly database: Database) {}

  /** @throws DomainError 404 `not_found`, also for a document that no run made. */
  execute(tenantId: string, id: string): Promise<OriginJson> {
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const invoice = await findInvoice(tx, id);
        const batches = await chargeBatchTable.where(
          tx,
          '(t.invoice_id = $2 OR t.apart_invoice_id = $2) ORDER BY t.created_at, t.batch_id',
          [id],
        );
        if (batches.length === 0) throw notFound('The billing run');
        return {
          id: invoice.runId,
          invoiceId: id,
          billingDay: invoice.billingDay,
          blockedReason: invoice.blockedReason,
          batches: batches.map(({ batchId, runId, subscriptionIds }) => ({
            id: batchId,
            billingRunId: runId,
            subscriptionIds,
          })),
        };
      },
      { readOnly: true },
    );
  }
}
