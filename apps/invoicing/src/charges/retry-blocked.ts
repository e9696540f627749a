import { Injectable } from '@nestjs/common';
import type { Tx } from '@kontor/kernel';
import { completeDueMany, Database, type DueBatch, DueHandler, type DueWorker } from '@kontor/persistence';
import { invoiceTable } from '../db/invoice.row.js';
import { BLOCKED_WORK } from '../due-kinds.js';
import { FinalizeDrafts } from '../finalization/finalize-drafts.js';
import { nextRetry, scheduleRetries } from '../invoices/blocked-drafts.js';
import { loadPositions, movePositions, updatePositions } from '../invoices/invoice-rows.js';
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
        const found = await lockBlocked(
          tx,
          items.map((item) => item.ref),
        );
        const { context, apart } = await this.finalizeDrafts.prepareApart(tx, found);
        await this.storeApart(tx, apart, context);
        const blocked = await this.retry(tx, [...found, ...apart.values()], context);
        const nextDueAt = nextRetry(context.today, context.tenant.timeZone);
        const added = [...apart.values()].map(({ invoice }) => invoice.id);
        await scheduleRetries(
          tx,
          added.filter((id) => blocked.has(id)),
          nextDueAt,
        );
        await completeDueMany(
          tx,
          BLOCKED_WORK,
          items.map((item) => ({ item, nextDueAt: blocked.has(item.ref) ? nextDueAt : null })),
        );
      },
      { now },
    );
  }

  /** Drafts whose lines have left others, which no e-invoice could hold with them. */
  private async storeApart(tx: Tx, apart: ReadonlyMap<Draft, Draft>, context: InvoiceContext): Promise<void> {
    if (apart.size === 0) return;
    const added = [...apart.values()];
    await invoiceTable.insert(
      tx,
      added.map(({ invoice }) => invoice),
    );
    await movePositions(
      tx,
      added.flatMap(({ positions }) => positions),
    );
    await tx.query(
      `UPDATE charge_batch b SET apart_invoice_id = k.apart
       FROM unnest($2::uuid[], $3::uuid[]) AS k (id, apart)
       WHERE b.tenant_id = $1 AND b.invoice_id = k.id`,
      [tx.tenantId, [...apart.keys()].map(({ invoice }) => invoice.id), added.map(({ invoice }) => invoice.id)],
    );
    for (const { invoice } of apart.keys()) invoice.version += 1;
    await this.recordChanges.execute(
      tx,
      [...apart].flatMap(([from, to]) => [
        { invoice: from.invoice, notices: ['invoice.updated'] as const },
        { invoice: to.invoice, notices: ['invoice.created'] as const },
      ]),
      partsOf([...apart.keys(), ...added], context),
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
