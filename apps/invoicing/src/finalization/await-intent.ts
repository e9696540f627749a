import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { requestContext } from '@kontor/service-kit';
import type { InvoiceJson } from '../invoices/invoice.schema.js';
import { ShowInvoices } from '../invoices/show-invoices.js';
import { StatusSignal } from './status-signal.js';

/** How long after its arrival a request may wait for the payment intent. */
const WAIT_MS = 5000;

/**
 * Answers with a finalized document as soon as its intent exists, after 5 s in any case. No connection is held
 * meanwhile.
 */
@Injectable()
export class AwaitIntent {
  constructor(
    private readonly database: Database,
    private readonly showInvoices: ShowInvoices,
    private readonly signal: StatusSignal,
  ) {}

  async execute(tenantId: string, finalized: InvoiceJson): Promise<InvoiceJson> {
    if (finalized.status !== 'STATUS_FINALIZING') return finalized;
    const waitMs = (requestContext()?.turn?.arrivedAt ?? Date.now()) + WAIT_MS - Date.now();
    const opened = this.signal.until(finalized.id, waitMs, () => this.whenOpened(tenantId, finalized.id));
    // The document is finalized, whatever keeps the look from succeeding: an error would have the client try again.
    return (await opened.catch(() => null)) ?? finalized;
  }

  private async whenOpened(tenantId: string, id: string): Promise<InvoiceJson | null> {
    const [row] = await this.database.tenant(
      tenantId,
      (tx) => tx.query<{ status: string }>('SELECT status FROM invoice WHERE id = $1', [id]),
      { readOnly: true },
    );
    if (row?.status === 'STATUS_FINALIZING') return null;
    return this.database.tenant(tenantId, (tx) => this.showInvoices.byId(tx, id));
  }
}
