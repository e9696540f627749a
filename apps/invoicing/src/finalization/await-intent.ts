import { Injectable } from '@nestjs/common';
import { Database, type PartResult, SharedTransactions, type TenantTx } from '@kontor/persistence';
import { requestContext, ServiceConfig } from '@kontor/service-kit';
import { invoiceTable } from '../db/invoice.row.js';
import type { InvoiceJson } from '../invoices/invoice.schema.js';
import { ShowInvoices } from '../invoices/show-invoices.js';
import { StatusSignal } from './status-signal.js';

/** What a request has at most from its arrival on: the gateway waits for 30 s. */
const MAX_WAIT_SECONDS = 25;

/**
 * Answers with a finalized document as soon as its intent exists, after five seconds (`FINALIZATION_WAIT_SECONDS`) in any
 * case. No connection is held meanwhile.
 */
@Injectable()
export class AwaitIntent {
  private readonly looks: SharedTransactions<string, InvoiceJson | null>;
  /** How long after its arrival a request may wait for the payment intent. */
  private readonly waitMs: number;

  constructor(
    config: ServiceConfig,
    database: Database,
    private readonly showInvoices: ShowInvoices,
    private readonly signal: StatusSignal,
  ) {
    this.waitMs = 1000 * config.read.integer('FINALIZATION_WAIT_SECONDS', 5, { min: 1, max: MAX_WAIT_SECONDS });
    this.looks = new SharedTransactions(database, (tx, ids) => this.opened(tx, ids), { readOnly: true });
  }

  async execute(tenantId: string, finalized: InvoiceJson): Promise<InvoiceJson> {
    // Without a file it waits for one that the tenant's own system renders.
    if (finalized.status !== 'STATUS_FINALIZING' || finalized.file === null) return finalized;
    const waitMs = (requestContext()?.turn?.arrivedAt ?? performance.now()) + this.waitMs - performance.now();
    const opened = this.signal.until(finalized.id, waitMs, () => this.looks.run(tenantId, '', finalized.id));
    // The document is finalized, whatever keeps the look from succeeding: an error would have the client try again.
    return (await opened.catch(() => null)) ?? finalized;
  }

  /** Those who look at the same time look together. */
  private async opened(tx: TenantTx, ids: readonly string[]): Promise<PartResult<InvoiceJson | null>[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM invoice WHERE id = ANY ($1::uuid[]) AND status <> 'STATUS_FINALIZING'`,
      [ids],
    );
    const invoices = await invoiceTable.findByIds(
      tx,
      rows.map(({ id }) => id),
    );
    const shown = await this.showInvoices.execute(tx, invoices);
    const byId = new Map(shown.map((invoice) => [invoice.id, invoice]));
    return ids.map((id) => ({ status: 'fulfilled', value: byId.get(id) ?? null }));
  }
}
