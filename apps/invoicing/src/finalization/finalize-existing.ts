import { Injectable } from '@nestjs/common';
import type { Tx } from '@kontor/kernel';
import type { InvoiceWorld } from '../invoices/invoice-world.js';
import type { Draft } from '../invoices/price-draft.js';
import { RecordChanges } from '../invoices/record-changes.js';
import { knownOf, updateInvoices, updatePositions } from '../invoices/save-drafts.js';
import { FinalizeDrafts } from './finalize-drafts.js';

/** Finalizes priced drafts whose rows exist and are locked. */
@Injectable()
export class FinalizeExisting {
  constructor(
    private readonly finalizing: FinalizeDrafts,
    private readonly record: RecordChanges,
  ) {}

  async execute(tx: Tx, drafts: readonly Draft[], world: InvoiceWorld): Promise<void> {
    if (drafts.length === 0) return;
    await updatePositions(
      tx,
      drafts.flatMap((draft) => draft.positions),
    );
    await this.finalizing.freeze(tx, drafts, world);
    for (const { invoice } of drafts) invoice.version += 1;
    await updateInvoices(
      tx,
      drafts.map((draft) => draft.invoice),
    );
    await this.finalizing.publish(tx, drafts, world);
    // Of total zero: no intent will come, so this is the last word.
    const paid = drafts.filter((draft) => draft.invoice.status === 'STATUS_PAID');
    await this.record.execute(
      tx,
      paid.map(({ invoice }) => ({ invoice, notices: ['invoice.finalized'] as const })),
      knownOf(paid, world),
    );
  }
}
