import { Injectable } from '@nestjs/common';
import type { Tx } from '@kontor/kernel';
import { completeDueMany, Database, type DueBatch, DueHandler, type DueWorker } from '@kontor/persistence';
import { invoiceTable } from '../db/invoice.row.js';
import { BLOCKED_WORK } from '../due-kinds.js';
import { FinalizeDrafts } from '../finalization/finalize-drafts.js';
import { nextRetry } from '../invoices/blocked-drafts.js';
import { loadPositions, updatePositions } from '../invoices/invoice-rows.js';
import { RecordChanges } from '../invoices/record-changes.js';
import { type Draft, newDraft, partsOf } from '../pricing/draft.js';
import type { InvoiceContext } from '../pricing/invoice-context.js';

/** Tries drafts again that a run could not finalize. Billing is not asked: the charges stand as they were rated. */
@Injectable()
@DueHandler({ kind: BLOCKED_WORK, batchSize: 100 })
export class RetryBlocked implements DueWorker {
  constructor(
    private readonly database: Database,
    private readonly finalizeDrafts: FinalizeDrafts,
    private readonly recordChanges: RecordChanges,
  ) {}

  async handle({ tenantId, items, now }: DueBatch): Promise<void> {
    await this.database.tenant(
      tenantId,
      async (tx) => {
        const drafts = await lockBlocked(
          tx,
          items.map((item) => item.ref),
        );
        const context = await this.finalizeDrafts.prepare(tx, drafts);
        const blocked = await this.retry(tx, drafts, context);
        const nextDueAt = nextRetry(context.today, context.tenant.timeZone);
        await completeDueMany(
          tx,
          BLOCKED_WORK,
          items.map((item) => ({ item, nextDueAt: blocked.has(item.ref) ? nextDueAt : null })),
        );
      },
      { now },
    );
  }

  /** Ids of the drafts that stay blocked. */
  private async retry(tx: Tx, drafts: readonly Draft[], context: InvoiceContext): Promise<Set<string>> {
    for (const { invoice, obstacle } of drafts) invoice.blockedReason = obstacle?.reason ?? null;
    const needsApproval = ({ invoice }: Draft): boolean => context.settingsOf(invoice.customerId).manualApproval;
    const blocked = drafts.filter((draft) => draft.obstacle !== null);
    const free = drafts.filter((draft) => draft.obstacle === null);
    const waiting = free.filter(needsApproval);
    for (const { invoice } of waiting) invoice.version += 1;
    await updatePositions(
      tx,
      drafts.flatMap((draft) => draft.positions),
    );
    await invoiceTable.update(
      tx,
      [...blocked, ...waiting].map((draft) => draft.invoice),
    );
    await this.recordChanges.execute(
      tx,
      waiting.map(({ invoice }) => ({ invoice, notices: ['invoice.requires_approval'] as const })),
      partsOf(waiting, context),
    );
    await this.finalizeDrafts.execute(
      tx,
      free.filter((draft) => !needsApproval(draft)),
      context,
    );
    return new Set(blocked.map((draft) => draft.invoice.id));
  }
}

async function lockBlocked(tx: Tx, ids: readonly string[]): Promise<Draft[]> {
  const rows = await invoiceTable.where(
    tx,
    `t.id = ANY($2::uuid[]) AND t.blocked_reason IS NOT NULL AND t.status = 'STATUS_DRAFT' ORDER BY t.id FOR UPDATE`,
    [ids],
  );
  const positions = await loadPositions(
    tx,
    rows.map((row) => row.id),
  );
  return rows.map((row) => newDraft(row, positions.get(row.id) ?? []));
}
