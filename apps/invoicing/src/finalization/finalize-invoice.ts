import { Injectable } from '@nestjs/common';
import { DomainError } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { mustBeFinalizable } from '../domain/invoice.js';
import { InvoiceReader } from '../invoices/invoice.read.js';
import { InvoiceWorlds } from '../invoices/invoice-world.js';
import { newDraft, priceDraft } from '../invoices/price-draft.js';
import type { InvoiceJson } from '../invoices/represent-invoice.js';
import { finalizationObstacle } from './finalize-drafts.js';
import { FinalizeExisting } from './finalize-existing.js';
import { StatusSignal } from './status-signal.js';

/** How long an answer waits for the payment intent. */
const WAIT_MS = 5000;

const OBSTACLES: Readonly<Record<string, string>> = {
  seller_data_incomplete: 'The seller data in the billing settings are incomplete: company, address and a tax number or VAT id are needed.',
  invoice_address_incomplete: "The customer's invoice address is incomplete: name, street, postcode, city and country are needed.",
};

/**
 * Gives a draft its number and hands it to payments; answers as soon as the intent exists, after 5 s in any case. No
 * connection is held while it waits.
 */
@Injectable()
export class FinalizeInvoice {
  constructor(
    private readonly database: Database,
    private readonly worlds: InvoiceWorlds,
    private readonly reader: InvoiceReader,
    private readonly finalizeExisting: FinalizeExisting,
    private readonly signal: StatusSignal,
  ) {}

  /**
   * @throws DomainError 404; 422 `invalid_status_transition`, `positions_missing`, `seller_data_incomplete`,
   * `invoice_address_incomplete`, `exchange_rate_missing`, `tax_rate_missing`.
   */
  async execute(tenantId: string, id: string, dueAt: Date | null): Promise<InvoiceJson> {
    const finalized = await this.database.tenant(tenantId, (tx) => this.finalize(tx, id, dueAt));
    if (finalized.status !== 'STATUS_FINALIZING') return finalized;
    const initialised = await this.signal.until(id, WAIT_MS, () => this.whenInitialised(tenantId, id));
    return initialised ?? finalized;
  }

  private async finalize(tx: TenantTx, id: string, dueAt: Date | null): Promise<InvoiceJson> {
    const invoice = await this.reader.row(tx, id, true);
    mustBeFinalizable(invoice);
    const positions = (await this.reader.positions(tx, [id])).get(id) ?? [];
    if (positions.length === 0) throw new DomainError('positions_missing', { detail: 'A document needs at least one position.' });
    const draft = newDraft(invoice, positions);
    const world = await this.worlds.load(tx, {
      customerIds: [invoice.customerId],
      taxGroupIds: positions.map((position) => position.taxGroupId),
      currencies: [invoice.currencyCode, ...positions.map((position) => position.priceCurrencyCode)],
    });
    priceDraft(draft, world);
    const obstacle = finalizationObstacle(draft, world);
    if (obstacle) throw new DomainError(obstacle, { detail: OBSTACLES[obstacle] });
    if (dueAt) invoice.dueAt = dueAt;
    await this.finalizeExisting.execute(tx, [draft], world);
    return this.reader.one(tx, id);
  }

  private async whenInitialised(tenantId: string, id: string): Promise<InvoiceJson | null> {
    const { rows } = await this.database.tenant(
      tenantId,
      (tx) => tx.client.query<{ status: string }>('select status from invoice where id = $1', [id]),
      { readOnly: true },
    );
    if (rows[0]?.status === 'STATUS_FINALIZING') return null;
    return this.database.tenant(tenantId, (tx) => this.reader.one(tx, id));
  }
}
