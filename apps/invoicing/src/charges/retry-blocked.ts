import { Injectable } from '@nestjs/common';
import type { Tx } from '@kontor/kernel';
import { completeDueMany, Database, type DueBatch, DueHandler, type DueWorker, selectRows } from '@kontor/persistence';
import { InvoiceRow } from '../db/invoice.row.js';
import { finalizationObstacle } from '../finalization/finalize-drafts.js';
import { FinalizeExisting } from '../finalization/finalize-existing.js';
import { InvoiceReader } from '../invoices/invoice.read.js';
import { type InvoiceWorld, InvoiceWorlds } from '../invoices/invoice-world.js';
import { type Draft, newDraft, tryPriceDraft } from '../invoices/price-draft.js';
import { RecordChanges } from '../invoices/record-changes.js';
import { knownOf, updateInvoices, updatePositions } from '../invoices/save-drafts.js';
import { BLOCKED_WORK, nextRetry } from './blocked-work.js';

/** Tries drafts again that a run could not finalize. Billing is not asked: the charges stand as they were rated. */
@Injectable()
@DueHandler({ kind: BLOCKED_WORK, batchSize: 100 })
export class RetryBlocked implements DueWorker {
  constructor(
    private readonly database: Database,
    private readonly worlds: InvoiceWorlds,
    private readonly reader: InvoiceReader,
    private readonly finalizeExisting: FinalizeExisting,
    private readonly record: RecordChanges,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    await this.database.tenant(
      batch.tenantId,
      async (tx) => {
        const drafts = await this.blocked(
          tx,
          batch.items.map((item) => item.ref),
        );
        const world = await this.worlds.load(tx, needsOf(drafts));
        const still = await this.retry(tx, drafts, world);
        const nextDueAt = nextRetry(world);
        await completeDueMany(
          tx,
          BLOCKED_WORK,
          batch.items.map((item) => ({ item, nextDueAt: still.has(item.ref) ? nextDueAt : null })),
        );
      },
      { now: batch.now },
    );
  }

  private async blocked(tx: Tx, ids: readonly string[]): Promise<Draft[]> {
    const rows = await selectRows(
      tx,
      InvoiceRow,
      `t.id = any($1::uuid[]) and t.blocked_reason is not null and t.status = 'STATUS_DRAFT' order by t.id for update`,
      [ids],
    );
    const positions = await this.reader.positions(
      tx,
      rows.map((row) => row.id),
    );
    return rows.map((row) => newDraft(row, positions.get(row.id) ?? []));
  }

  /** Ids of the drafts that stay blocked. */
  private async retry(tx: Tx, drafts: readonly Draft[], world: InvoiceWorld): Promise<Set<string>> {
    for (const draft of drafts) draft.invoice.blockedReason = tryPriceDraft(draft, world) ?? finalizationObstacle(draft, world);
    const blocked = drafts.filter((draft) => draft.invoice.blockedReason !== null);
    const free = drafts.filter((draft) => draft.invoice.blockedReason === null);
    const approving = free.filter((draft) => world.settingsOf(draft.invoice.customerId).manualApproval);
    for (const { invoice } of approving) invoice.version += 1;
    await updateInvoices(
      tx,
      [...blocked, ...approving].map((draft) => draft.invoice),
    );
    await updatePositions(
      tx,
      [...blocked, ...approving].flatMap((draft) => draft.positions),
    );
    await this.record.execute(
      tx,
      approving.map(({ invoice }) => ({ invoice, notices: ['invoice.requires_approval'] as const })),
      knownOf(approving, world),
    );
    await this.finalizeExisting.execute(
      tx,
      free.filter((draft) => !approving.includes(draft)),
      world,
    );
    return new Set(blocked.map((draft) => draft.invoice.id));
  }
}

const needsOf = (drafts: readonly Draft[]) => ({
  customerIds: drafts.map((draft) => draft.invoice.customerId),
  taxGroupIds: drafts.flatMap((draft) => draft.positions.map((position) => position.taxGroupId)),
  currencies: drafts.flatMap((draft) => [draft.invoice.currencyCode, ...draft.positions.map((position) => position.priceCurrencyCode)]),
});
