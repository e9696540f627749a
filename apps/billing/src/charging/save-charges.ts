import { chargesDueV1 } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { appendEvents } from '@kontor/messaging';
import { type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import type { SubscriptionItemRow } from '../db/subscription-item.row.js';
import type { CreditedCharge } from '../domain/charging/charge.js';
import {
  batchKey,
  type BillingCause,
  type MadeBatch,
  makeBatches,
  type UsedOrdinals,
} from '../domain/charging/make-batches.js';
import type { RatedAccount } from '../domain/charging/rated-account.js';
import type { BillableItem, RatingContext } from '../domain/charging/rating-context.js';

/** What billing an item always changes of it … */
const BILLED = [
  'status',
  'billedFrom',
  'billedTo',
  'nextDueOn',
  'nextDueMetered',
  'lastBilledAt',
  'activatedAt',
  'updatedAt',
] as const satisfies readonly (keyof SubscriptionItemRow)[];

/** … beside how far its discounts are used … */
const DISCOUNTED = [...BILLED, 'discountUses'] as const satisfies readonly (keyof SubscriptionItemRow)[];

/** … and what only a credit, a change of price or a new anchor does. */
const CHANGED = [
  ...DISCOUNTED,
  'pricePlanId',
  'quantity',
  'anchorOn',
  'creditFrom',
  'creditDueOn',
  'plannedChanges',
  'quantitySteps',
  'revision',
] as const satisfies readonly (keyof SubscriptionItemRow)[];

/** What an account's charges became. */
export interface SavedCharges {
  readonly batches: number;
  /** Of all its batches. */
  readonly lines: number;
}

/**
 * Stores rated accounts, set-based: charges, batches, where each item's billing stands, and their events. The accounts
 * are locked and unchanged since they were rated; `sequences` are their numbers of batches so far. Returns how many
 * each has made; those of one payer are billed together.
 */
@Injectable()
export class SaveCharges {
  async execute(
    tx: TenantTx,
    accounts: readonly RatedAccount[],
    rating: RatingContext,
    cause: BillingCause,
    sequences: ReadonlyMap<string, bigint>,
  ): Promise<Map<string, SavedCharges>> {
    const used = 'runId' in cause ? await usedOrdinals(tx, accounts, rating) : new Map<string, number>();
    const context = { tenantId: tx.tenantId, rating, cause, used, newId: newUuid };
    const made = familiesOf(accounts).map((family) => makeBatches(family, context));
    const madeBatches = made.flatMap((result) => result.batches);
    const rated = accounts.flatMap((account) => account.rated);
    const closingIds = accounts.flatMap(({ corrected }) => corrected);
    // Asked for at once: while the database writes some, the others are put into words.
    await Promise.all([
      tables.chargeBatches.insert(
        tx,
        madeBatches.map(({ batch }) => batch),
      ),
      tables.charges.insert(
        tx,
        made.flatMap((result) => result.charges),
      ),
      updateItems(tx, rated),
      storeCredited(
        tx,
        rated.flatMap(({ credited }) => credited),
      ),
      closingIds.length > 0 && tables.usageCorrections.delete(tx, { closingId: closingIds }),
      publishCharges(tx, madeBatches, sequences),
    ]);
    return new Map(
      [...Map.groupBy(madeBatches, ({ accountId }) => accountId)].map(([id, batches]) => [
        id,
        { batches: batches.length, lines: batches.reduce((sum, { batch }) => sum + batch.lines, 0) },
      ]),
    );
  }
}

/** Accounts that are billed together: those of one payer, its own first. */
function familiesOf(accounts: readonly RatedAccount[]): RatedAccount[][] {
  const families = [...Map.groupBy(accounts, ({ account }) => account.payerId).values()];
  for (const family of families) if (family.length > 1) family.sort(payerFirst);
  return families;
}

const payerFirst = ({ account: a }: RatedAccount, { account: b }: RatedAccount): number => {
  if (a.customerId === a.payerId) return -1;
  if (b.customerId === b.payerId) return 1;
  return a.customerNumber < b.customerNumber ? -1 : 1;
};

/** Batches of the same days that earlier runs have made. */
async function usedOrdinals(
  tx: TenantTx,
  accounts: readonly RatedAccount[],
  { recipients }: RatingContext,
): Promise<UsedOrdinals> {
  const customerIds = [...new Set([...recipients.values()].map(({ customerId }) => customerId))];
  const lines = accounts.flatMap((account) => [
    ...account.rated.flatMap((subscription) => subscription.charges),
    ...account.corrections,
  ]);
  const days = [...new Set(lines.map(({ charge }) => charge.dueOn))];
  if (days.length === 0) return new Map();
  const rows = await tx.query<{ customerId: string; billingDay: string; groupingKey: string; ordinal: number }>(
    `SELECT customer_id AS "customerId", billing_day AS "billingDay", grouping_key AS "groupingKey",
       max(batch::int) AS ordinal
     FROM charge_batch
     WHERE tenant_id = $1 AND customer_id = ANY($2::uuid[]) AND billing_day = ANY($3::text[]) AND length(batch) < 10
     GROUP BY 1, 2, 3`,
    [tx.tenantId, customerIds, days],
  );
  return new Map(rows.map((row) => [batchKey(row.customerId, row.billingDay, row.groupingKey), row.ordinal]));
}

async function updateItems(tx: TenantTx, rated: RatedAccount['rated']): Promise<void> {
  const plain: BillableItem[] = [];
  const discounted: BillableItem[] = [];
  const changed: BillableItem[] = [];
  for (const { items: after, before } of rated) {
    after.forEach((item, n) => {
      const old = before[n];
      if (old === undefined || old === item) return;
      const isPlain =
        old.revision === item.revision &&
        old.anchorOn === item.anchorOn &&
        old.plannedChanges === item.plannedChanges &&
        old.quantitySteps === item.quantitySteps;
      (isPlain ? (old.discountUses === item.discountUses ? plain : discounted) : changed).push(item);
    });
  }
  await Promise.all([
    tables.subscriptionItems.update(tx, plain, BILLED),
    tables.subscriptionItems.update(tx, discounted, DISCOUNTED),
    tables.subscriptionItems.update(tx, changed, CHANGED),
  ]);
}

/** What credits leave of the earlier lines. */
async function storeCredited(tx: TenantTx, credited: readonly CreditedCharge[]): Promise<void> {
  if (credited.length === 0) return;
  await tx.query(
    `UPDATE charge c SET used_to = x.used_to, used_minor = x.used_minor
     FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::bigint[]) AS x (item_id, id, used_to, used_minor)
     WHERE c.tenant_id = $1 AND c.item_id = x.item_id AND c.id = x.id`,
    [
      tx.tenantId,
      credited.map(({ itemId }) => itemId),
      credited.map(({ id }) => id),
      credited.map(({ usedTo }) => usedTo),
      credited.map(({ usedAmount }) => usedAmount),
    ],
  );
}

/** Batches of one account follow each other; its row, which is locked, counts them. */
async function publishCharges(
  tx: TenantTx,
  made: readonly MadeBatch[],
  sequences: ReadonlyMap<string, bigint>,
): Promise<void> {
  const next = new Map<string, number>();
  const events = made.map(({ accountId, payload }) => {
    const aggregateSeq = (next.get(accountId) ?? Number(sequences.get(accountId) ?? 0n)) + 1;
    next.set(accountId, aggregateSeq);
    return { aggregateId: accountId, aggregateSeq, payload };
  });
  await appendEvents(tx, chargesDueV1, events);
}
