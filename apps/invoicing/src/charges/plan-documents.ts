import type { ChargeLine, ChargesDue } from '@kontor/contracts';
import { newUuid, type Tx } from '@kontor/kernel';
import { type InvoiceRow, invoiceTable } from '../db/invoice.row.js';
import type { PositionRow } from '../db/position.row.js';
import { removedChargeTable } from '../db/removed-charge.row.js';
import { type DraftPlan, joinKey, planDrafts, positionsOfCharges } from '../domain/charges/draft-from-charges.js';
import { loadPositions } from '../invoices/invoice-rows.js';
import { emptyInvoice, unpricedPosition } from '../invoices/new-rows.js';
import { type Draft, newDraft } from '../pricing/draft.js';

/** A document in the making and the batches of charges that it answers. */
export interface PlannedDocument {
  readonly plan: DraftPlan;
  readonly draft: Draft;
  /** False for a draft that further charges join. */
  readonly isNew: boolean;
  /** Ids of the positions that these charges add. */
  readonly added: ReadonlySet<string>;
  /** The document whose lines this one has in part: outside the scope of VAT and others cannot be on one. */
  readonly apartFrom?: PlannedDocument;
}

/** Sorts charges into documents: open drafts that they join, which are locked, and new ones. */
export async function planDocuments(tx: Tx, batches: readonly ChargesDue[]): Promise<PlannedDocument[]> {
  const plans = planDrafts(batches);
  const originals = originalsOf(batches);
  const joinable = await lockDrafts(tx, plans, originals);
  const joined = plans.map((plan) => (plan.immediate ? undefined : joinable.get(joinKey(plan))));
  const positions = await loadPositions(
    tx,
    joined.filter((invoice) => invoice !== undefined).map((invoice) => invoice.id),
  );
  const removed = await removedOf(tx, originals);
  return plans.map((plan, index) => {
    const open = joined[index];
    if (open) open.version += 1;
    const invoice = open ?? newInvoice(tx, plan);
    const existing = positions.get(invoice.id) ?? [];
    const added = addedPositions(tx, plan, invoice, { after: existing.length, removed });
    return {
      plan,
      draft: newDraft(invoice, [...existing, ...added]),
      isNew: !open,
      added: new Set(added.map((position) => position.id)),
    };
  });
}

/**
 * Open drafts of the customers that take further charges, by what charges must have in common with them. With them the drafts
 * of what is credited are locked, in the order of all their ids: who takes a charge off one of those sees the draft of its
 * credit, or is seen here.
 */
async function lockDrafts(
  tx: Tx,
  plans: readonly DraftPlan[],
  originals: readonly string[],
): Promise<Map<string, InvoiceRow>> {
  const customerIds = [...new Set(plans.map((plan) => plan.customerId))];
  const rows = await invoiceTable.where(
    tx,
    `t.id = ANY(ARRAY(
       SELECT id FROM invoice WHERE tenant_id = $1 AND joinable AND customer_id = ANY($2::uuid[])
       UNION ALL
       SELECT i.id
       FROM invoice_position p
       JOIN invoice i ON i.tenant_id = $1 AND i.id = p.invoice_id AND i.number IS NULL
       WHERE p.tenant_id = $1 AND p.charge_id = ANY($3::uuid[])))
     ORDER BY t.id
     FOR UPDATE`,
    [customerIds, originals],
  );
  return new Map(
    // As they are now that they are locked.
    rows
      .filter(({ joinable }) => joinable)
      .map((invoice) => {
        const { billingDay, groupingKey } = invoice;
        return [joinKey({ ...invoice, billingDay: billingDay ?? '', groupingKey: groupingKey ?? '' }), invoice];
      }),
  );
}

interface Adding {
  readonly after: number;
  /** Charges of which nothing goes back. */
  readonly removed: ReadonlySet<string>;
}

const addedPositions = (tx: Tx, plan: DraftPlan, invoice: InvoiceRow, { after, removed }: Adding): PositionRow[] =>
  positionsOfCharges(
    plan.batches.flatMap(({ lines }) => lines.filter((line) => !creditsOneOf(removed, line))),
    { invoiceId: invoice.id, after, now: tx.now, newId: newUuid },
  ).map((position) => unpricedPosition({ tenantId: tx.tenantId, ...position }));

const creditsOneOf = (charges: ReadonlySet<string>, { originalChargeId, netAmount }: ChargeLine): boolean =>
  netAmount.amount < 0 && charges.has(originalChargeId ?? '');

const originalsOf = (batches: readonly ChargesDue[]): string[] => [
  ...new Set(batches.flatMap(({ lines }) => lines.flatMap(({ originalChargeId }) => originalChargeId ?? []))),
];

/** Of some charges, those that were taken off their drafts: they were never billed. */
async function removedOf(tx: Tx, chargeIds: readonly string[]): Promise<Set<string>> {
  if (chargeIds.length === 0) return new Set();
  const rows = await removedChargeTable.find(tx, { chargeId: chargeIds });
  return new Set(rows.map(({ chargeId }) => chargeId));
}

const newInvoice = (tx: Tx, plan: DraftPlan): InvoiceRow =>
  emptyInvoice({
    tenantId: tx.tenantId,
    id: plan.batches[0]?.invoiceId ?? newUuid(),
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
