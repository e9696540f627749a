import { Injectable } from '@nestjs/common';
import { notFound, type Tx } from '@kontor/kernel';
import type { PositionJson } from '../invoices/invoice.schema.js';
import { ShowInvoices } from '../invoices/show-invoices.js';
import type { Draft } from '../pricing/draft.js';

/** A position as its document shows it. */
@Injectable()
export class ShowPosition {
  constructor(private readonly showInvoices: ShowInvoices) {}

  async execute(tx: Tx, draft: Draft, id: string | undefined): Promise<PositionJson> {
    const invoice = await this.showInvoices.byId(tx, draft.invoice.id);
    const shown = invoice.positions.find((position) => position.id === id);
    if (!shown) throw notFound('The position');
    return shown;
  }
}
