import { Injectable } from '@nestjs/common';
import type { ChargesDue } from '@kontor/contracts';
import { newUuid, type Tx } from '@kontor/kernel';
import { insertRows, Replicas, scheduleDueMany, selectRows } from '@kontor/persistence';
import { ChargeBatchRow } from '../db/document.row.js';
import { InvoiceRow } from '../db/invoice.row.js';
import { type DraftPlan, joinKey, planDrafts, positionsOfCharges, subscriptionIdsOf } from '../domain/draft-from-charges.js';
import { FinalizeDrafts, finalizationObstacle } from '../finalization/finalize-drafts.js';
import { InvoiceReader } from '../invoices/invoice.read.js';
import { type InvoiceWorld, InvoiceWorlds } from '../invoices/invoice-world.js';
import { type Draft, newDraft, tryPriceDraft } from '../invoices/price-draft.js';
import { RecordChanges } from '../invoices/record-changes.js';
import {
  knownOf,
  emptyInvoice,
  insertInvoices,
  insertPositions,
  unpricedPosition,
  updateInvoices,
  updatePositions,
} from '../invoices/save-drafts.js';
import type { InvoiceNotice } from '../published-events.js';
import { BLOCKED_WORK, nextRetry } from './blocked-work.js';
import { settle } from './settle-charges.js';

/** One document in the making and the batches that it answers. */
interface Planned {
  readonly plan: DraftPlan;
  readonly draft: Draft;
  /** False for a draft that was there before. */
  readonly isNew: boolean;
  readonly newPositions: Draft['positions'];
  outcome: 'finalize' | 'keep' | 'nothing';
}

/** Makes documents of rated charges, set-wise: a bad one stays behind with its reason and never stops the others. */
@Injectable()
export class DraftCharges {
  constructor(
    private readonly replicas: Replicas,
    private readonly worlds: InvoiceWorlds,
    private readonly reader: InvoiceReader,
    private readonly finalizing: FinalizeDrafts,
    private readonly record: RecordChanges,
  ) {}

  async execute(tx: Tx, delivered: readonly ChargesDue[]): Promise<void> {
    const batches = await this.unseen(tx, delivered);
    if (batches.length === 0) return;
    await this.refreshCustomers(tx, batches);
    const planned = await this.plan(tx, planDrafts(batches));
    const world = await this.worlds.load(tx, needsOf(planned));
    for (const one of planned) one.outcome = decide(one, world);
    const kept = planned.filter((one) => one.outcome !== 'nothing');
    const finalized = kept.filter((one) => one.outcome === 'finalize').map((one) => one.draft);
    await insertPositions(
      tx,
      kept.flatMap((one) => one.draft.positions.filter((position) => one.newPositions.some((p) => p.id === position.id))),
    );
    await this.retryLater(tx, kept, world);
    await this.answer(tx, planned);
    await this.announce(tx, kept, world);
    await this.finalizing.freeze(tx, finalized, world);
    for (const { invoice } of finalized) invoice.version += 1;
    await insertInvoices(
      tx,
      kept.filter((one) => one.isNew).map((one) => one.draft.invoice),
    );
    await this.updateJoined(
      tx,
      kept.filter((one) => !one.isNew),
    );
    await this.finalizing.publish(tx, finalized, world);
    await this.announceSettled(tx, finalized, world);
  }

  /** Batches that are not on a document yet; billing may send one again. */
  private async unseen(tx: Tx, delivered: readonly ChargesDue[]): Promise<ChargesDue[]> {
    const unique = new Map(delivered.map((batch) => [batch.batchId, batch]));
    const known = await tx.query<{ id: string }>('select batch_id as id from charge_batch where batch_id = any($1::uuid[])', [
      [...unique.keys()],
    ]);
    for (const { id } of known) unique.delete(id);
    return [...unique.values()];
  }

  /** Charges rely on a version of their customer; an older copy is fetched anew first. */
  private async refreshCustomers(tx: Tx, batches: readonly ChargesDue[]): Promise<void> {
    const needed = new Map<string, number>();
    for (const { customerId, customerVersion } of batches) needed.set(customerId, Math.max(needed.get(customerId) ?? 0, customerVersion));
    const rows = await tx.query<{ id: string; version: bigint }>(
      `select id, version from replica where tenant_id = $1 and kind = 'customer' and id = any($2::text[])`,
      [tx.tenantId, [...needed.keys()]],
    );
    for (const { id, version } of rows) if (Number(version) >= (needed.get(id) ?? 0)) needed.delete(id);
    for (const [id, version] of needed) await this.replicas.atLeast(tx, 'customer', id, version);
  }

  private async plan(tx: Tx, plans: readonly DraftPlan[]): Promise<Planned[]> {
    const open = await selectRows(tx, InvoiceRow, `t.joinable and t.customer_id = any($1::uuid[]) order by t.id for update`, [
      [...new Set(plans.map((plan) => plan.customerId))],
    ]);
    const byKey = new Map(
      open.map((invoice) => [
        joinKey({ ...invoice, billingDay: invoice.billingDay ?? '', groupingKey: invoice.groupingKey ?? '' }),
        invoice,
      ]),
    );
    const joined = plans.map((plan) => (plan.immediate ? undefined : byKey.get(joinKey(plan))));
    const positions = await this.reader.positions(
      tx,
      joined.filter((invoice) => invoice !== undefined).map((invoice) => invoice.id),
    );
    return plans.map((plan, index) => {
      const existing = joined[index];
      const invoice = existing ?? invoiceOf(tx, plan);
      const before = positions.get(invoice.id) ?? [];
      const added = positionsOfCharges(
        plan.batches.flatMap((batch) => batch.lines),
        { invoiceId: invoice.id, after: before.length, now: tx.now, newId: newUuid },
      );
      const newPositions = added.map((position) => unpricedPosition(tx.tenantId, position));
      if (existing) invoice.version += 1;
      return { plan, draft: newDraft(invoice, [...before, ...newPositions]), isNew: !existing, newPositions, outcome: 'keep' };
    });
  }

  /** A document begins as a draft for those who are told, also when it is finalized in the same transaction. */
  private async announce(tx: Tx, kept: readonly Planned[], world: InvoiceWorld): Promise<void> {
    const changes = kept.map(({ draft: { invoice }, isNew, outcome }) => {
      const waits = outcome === 'keep' && invoice.blockedReason === null;
      const notices: InvoiceNotice[] = [
        isNew ? 'invoice.created' : 'invoice.updated',
        ...(waits ? (['invoice.requires_approval'] as const) : []),
      ];
      return { invoice, notices };
    });
    await this.record.execute(
      tx,
      changes,
      knownOf(
        kept.map((one) => one.draft),
        world,
      ),
    );
  }

  private async updateJoined(tx: Tx, joined: readonly Planned[]): Promise<void> {
    await updateInvoices(
      tx,
      joined.map((one) => one.draft.invoice),
    );
    await updatePositions(
      tx,
      joined.flatMap((one) => one.draft.positions),
    );
  }

  /** Documents of total zero have no intent to wait for: they are paid, and that is all there is to say. */
  private async announceSettled(tx: Tx, finalized: readonly Draft[], world: InvoiceWorld): Promise<void> {
    const paid = finalized.filter((draft) => draft.invoice.status === 'STATUS_PAID');
    await this.record.execute(
      tx,
      paid.map(({ invoice }) => ({ invoice, notices: ['invoice.finalized'] as const })),
      knownOf(paid, world),
    );
  }

  private async retryLater(tx: Tx, kept: readonly Planned[], world: InvoiceWorld): Promise<void> {
    const blocked = kept.filter((one) => one.draft.invoice.blockedReason !== null);
    const dueAt = nextRetry(world);
    await scheduleDueMany(
      tx,
      blocked.map(({ draft }) => ({ kind: BLOCKED_WORK, ref: draft.invoice.id, dueAt })),
    );
  }

  private async answer(tx: Tx, planned: readonly Planned[]): Promise<void> {
    const answers = planned.flatMap(({ plan, draft, outcome }) =>
      plan.batches.map((batch) => ({
        batch,
        invoice: outcome === 'nothing' ? null : draft.invoice,
        subscriptionIds: subscriptionIdsOf(batch.lines),
      })),
    );
    const rows = answers.map(({ batch, invoice, subscriptionIds }): ChargeBatchRow => {
      const { batchId, runId, customerId } = batch;
      return { tenantId: tx.tenantId, batchId, invoiceId: invoice?.id ?? null, runId, customerId, subscriptionIds, createdAt: tx.now };
    });
    await insertRows(tx, ChargeBatchRow, rows);
    await settle(tx, answers);
  }
}

const invoiceOf = (tx: Tx, plan: DraftPlan): InvoiceRow =>
  emptyInvoice({
    tenantId: tx.tenantId,
    id: newUuid(),
    sourceType: plan.sourceType,
    customerId: plan.customerId,
    currencyCode: plan.currencyCode,
    createdAt: tx.now,
    paymentMethodId: plan.paymentMethodId,
    invoiceAddressId: plan.invoiceAddressId,
    runId: plan.batches[0]?.runId ?? null,
    billingDay: plan.billingDay,
    groupingKey: plan.groupingKey,
  });

const needsOf = (planned: readonly Planned[]) => ({
  customerIds: planned.map((one) => one.plan.customerId),
  taxGroupIds: planned.flatMap((one) => one.draft.positions.map((position) => position.taxGroupId)),
  currencies: planned.flatMap((one) => [one.plan.currencyCode, ...one.draft.positions.map((position) => position.priceCurrencyCode)]),
});

/** Prices a draft and says what becomes of it. */
function decide(one: Planned, world: InvoiceWorld): Planned['outcome'] {
  const { draft, plan, isNew } = one;
  const { invoice } = draft;
  const settings = world.settingsOf(plan.customerId);
  const priced = tryPriceDraft(draft, world);
  if (priced === null && isNew && invoice.grossMinor === 0n && !settings.createZeroInvoices) return 'nothing';
  invoice.blockedReason = priced ?? (settings.manualApproval ? null : finalizationObstacle(draft, world));
  if (invoice.blockedReason === null && !settings.manualApproval) return 'finalize';
  invoice.joinable = !plan.immediate;
  return 'keep';
}
