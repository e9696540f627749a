import { Injectable } from '@nestjs/common';
import type { ChargesDue } from '@kontor/contracts';
import type { Tx } from '@kontor/kernel';
import { Replicas } from '@kontor/persistence';
import { chargeBatchTable } from '../db/document.row.js';
import { invoiceTable } from '../db/invoice.row.js';
import type { PositionRow } from '../db/position.row.js';
import { afterDiscount, taxKey } from '../domain/corrections/rest.js';
import { renumbered, servicePeriodOf } from '../domain/invoices/position.js';
import type { CreditLimit } from '../domain/pricing/price-document.js';
import { FinalizeDrafts } from '../finalization/finalize-drafts.js';
import { recordLimits } from '../finalization/record-limits.js';
import { nextRetry, scheduleRetries } from '../invoices/blocked-drafts.js';
import type { InvoiceNotice } from '../invoices/invoice-events.js';
import { insertPositions, movePositions, updatePositions } from '../invoices/invoice-rows.js';
import { RecordChanges } from '../invoices/record-changes.js';
import { partsOf } from '../pricing/draft.js';
import type { InvoiceContext } from '../pricing/invoice-context.js';
import { gatherParts, lockParts } from './gather-parts.js';
import { type PlannedDocument, planDocuments } from './plan-documents.js';
import { settleCharges } from './settle-charges.js';

/** What becomes of a planned document: finalized, kept as a draft, or nothing when there is nothing to document. */
type Outcome = 'finalize' | 'keep' | 'nothing';

/** Makes documents of rated charges, set-based: a bad one stays a draft with its reason and never stops the others. */
@Injectable()
export class DraftCharges {
  constructor(
    private readonly replicas: Replicas,
    private readonly finalizeDrafts: FinalizeDrafts,
    private readonly recordChanges: RecordChanges,
  ) {}

  async execute(tx: Tx, delivered: readonly ChargesDue[]): Promise<void> {
    await lockParts(tx, delivered);
    const batches = await gatherParts(tx, await unseenBatches(tx, delivered));
    if (batches.length === 0) return;
    await this.refreshCustomers(tx, batches);
    const { planned, context } = await this.prepare(tx, await planDocuments(tx, batches));
    const emptied = planned.flatMap(dropEmptied);
    const outcomes = new Map(planned.map((document) => [document, decide(document, context)]));
    const kept = planned.filter((document) => outcomes.get(document) !== 'nothing');
    const finalized = kept.filter((document) => outcomes.get(document) === 'finalize').map(({ draft }) => draft);
    // Asked for at once: while the database writes some, the others are put into words.
    await Promise.all([
      savePositions(tx, kept),
      scheduleRetries(tx, blockedIds(kept), nextRetry(context.today, context.tenant.timeZone)),
      settleCharges(tx, planned, (document) => outcomes.get(document) !== 'nothing'),
      this.announce(tx, kept, outcomes, context),
    ]);
    const save = (): Promise<void> => saveInvoices(tx, kept);
    if (finalized.length === 0) await save();
    else await this.finalizeDrafts.execute(tx, finalized, context, save);
    await recordLimits(tx, this.recordChanges, emptied);
  }

  /** Prices what is planned; what cannot be one e-invoice is two documents then. */
  private async prepare(
    tx: Tx,
    wanted: readonly PlannedDocument[],
  ): Promise<{ planned: PlannedDocument[]; context: InvoiceContext }> {
    const { context, apart } = await this.finalizeDrafts.prepareApart(
      tx,
      wanted.map(({ draft }) => draft),
    );
    const planned = wanted.flatMap((document): PlannedDocument[] => {
      const draft = apart.get(document.draft);
      return draft ? [document, { ...document, draft, isNew: true, apartFrom: document }] : [document];
    });
    return { planned, context };
  }

  /** Charges rely on a version of their customer; an older copy is fetched anew first. */
  private async refreshCustomers(tx: Tx, batches: readonly ChargesDue[]): Promise<void> {
    const needed = new Map<string, number>();
    for (const { customerId, customerVersion } of batches)
      needed.set(customerId, Math.max(needed.get(customerId) ?? 0, customerVersion));
    await this.replicas.atLeastMany(tx, 'customer', needed);
  }

  /** Receivers first see a document as a draft, also when it is finalized in the same transaction. */
  private async announce(
    tx: Tx,
    kept: readonly PlannedDocument[],
    outcomes: ReadonlyMap<PlannedDocument, Outcome>,
    context: InvoiceContext,
  ): Promise<void> {
    const changes = kept.map((document) => {
      const { invoice } = document.draft;
      const notices: InvoiceNotice[] = [document.isNew ? 'invoice.created' : 'invoice.updated'];
      if (outcomes.get(document) === 'keep' && invoice.blockedReason === null)
        notices.push('invoice.requires_approval');
      return { invoice, notices };
    });
    const drafts = kept.map((document) => document.draft);
    await this.recordChanges.execute(tx, changes, partsOf(drafts, context));
  }
}

/** Batches that are not on a document yet; billing may send one again. */
async function unseenBatches(tx: Tx, delivered: readonly ChargesDue[]): Promise<ChargesDue[]> {
  const unique = new Map(delivered.map((batch) => [batch.batchId, batch]));
  for (const { batchId } of await chargeBatchTable.findByIds(tx, unique.keys())) unique.delete(batchId);
  return [...unique.values()];
}

/** Takes the new lines off that nothing is left to credit of, and says which; what they credit says so itself. */
function dropEmptied({ draft, added }: PlannedDocument): CreditLimit[] {
  const emptied = draft.limits.filter((limit) => limit.creditedMinor === 0n && added.has(limit.positionId));
  if (emptied.length === 0) return [];
  const ids = new Set(emptied.map((limit) => limit.positionId));
  draft.positions = renumbered(draft.positions.filter((position) => !ids.has(position.id)));
  draft.limits = draft.limits.filter((limit) => !emptied.includes(limit));
  const left = new Set(draft.positions.map(taxKey));
  draft.taxes = draft.taxes.filter(({ category, rate, noteKey }) =>
    left.has(taxKey({ taxCategory: category, taxRate: rate, taxNoteKey: noteKey })),
  );
  const period = servicePeriodOf(draft.positions);
  Object.assign(draft.invoice, { serviceFrom: period.from, serviceLast: period.last });
  return emptied;
}

/** Notes on the draft why it is blocked and whether further charges may join it. */
function decide({ draft, plan, isNew, added, apartFrom }: PlannedDocument, context: InvoiceContext): Outcome {
  const { invoice, obstacle } = draft;
  const settings = context.settingsOf(plan.customerId);
  const isPriced = obstacle?.step !== 'price';
  if (draft.positions.length === 0) return 'nothing';
  const isAllNew = isNew && draft.positions.every(({ id }) => added.has(id));
  if (isPriced && isAllNew && isWorthless(draft.positions) && !settings.createZeroInvoices) return 'nothing';
  // Whoever approves a draft by hand finds out then what its parties lack.
  invoice.blockedReason = isPriced && settings.manualApproval ? null : (obstacle?.reason ?? null);
  if (invoice.blockedReason === null && !settings.manualApproval) return 'finalize';
  invoice.joinable = !plan.immediate && !apartFrom;
  return 'keep';
}

/**
 * Lines that sum to zero but are not zero are documented, whatever the settings: what they credit has that much less left, and
 * what they charge can be credited later.
 */
const isWorthless = (positions: readonly PositionRow[]): boolean =>
  positions.every((position) => afterDiscount(position) === 0n);

const blockedIds = (documents: readonly PlannedDocument[]): string[] =>
  documents
    .map(({ draft }) => draft.invoice)
    .filter((invoice) => invoice.blockedReason !== null)
    .map(({ id }) => id);

/** Before the numbers: these rows need none. */
async function savePositions(tx: Tx, documents: readonly PlannedDocument[]): Promise<void> {
  await insertPositions(
    tx,
    documents.flatMap(({ draft, added }) => draft.positions.filter((position) => added.has(position.id))),
  );
  const existing = ({ draft, added }: PlannedDocument): PositionRow[] =>
    draft.positions.filter((position) => !added.has(position.id));
  await movePositions(tx, documents.filter(({ apartFrom }) => apartFrom).flatMap(existing));
  await updatePositions(tx, documents.flatMap(existing));
}

async function saveInvoices(tx: Tx, documents: readonly PlannedDocument[]): Promise<void> {
  const invoicesOf = (isNew: boolean) =>
    documents.filter((document) => document.isNew === isNew).map(({ draft }) => draft.invoice);
  await Promise.all([invoiceTable.insert(tx, invoicesOf(true)), invoiceTable.update(tx, invoicesOf(false))]);
}
