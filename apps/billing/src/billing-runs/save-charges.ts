import { chargesDueV1 } from '@kontor/contracts';
import { appendEvents } from '@kontor/messaging';
import { insertRows, type TenantTx, updateRows } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { ChargeBatchRow, ChargeRow } from '../db/billing-run.row.js';
import { SubscriptionItemRow } from '../db/subscription-item.row.js';
import type { CreditedCharge } from '../domain/charging/charge.js';
import type { BillingWorld } from './load-accounts.js';
import { batchKey, type BillingCause, type MadeBatch, makeBatches, type MadeCharges, type UsedOrdinals } from './make-batches.js';
import type { RatedAccount } from './rate-account.js';

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

/** … and what only a credit or a change of price does. */
const CHANGED = [
  ...BILLED, 'pricePlanId', 'quantity', 'anchorOn', 'creditFrom', 'creditDueOn', 'nextPricePlanId', 'nextQuantity', 'nextFrom', 'quantitySteps', 'revision',
] as const satisfies readonly (keyof SubscriptionItemRow)[]; // prettier-ignore

/**
 * Stores rated accounts, set-based: charges, batches, where each item's billing stands, and their events. The accounts are
 * locked and unchanged since they were rated; `sequences` are their numbers of batches so far. Returns how many each got.
 */
@Injectable()
export class SaveCharges {
  async execute(
    tx: TenantTx,
    accounts: readonly RatedAccount[],
    world: BillingWorld,
    cause: BillingCause,
    sequences: ReadonlyMap<string, bigint>,
  ): Promise<Map<string, number>> {
    const used = 'runId' in cause ? await this.usedOrdinals(tx, accounts) : new Map<string, number>();
    const made = accounts.map((account) => makeBatches(tx.tenantId, account, world, cause, used));
    await this.insert(tx, made);
    const rated = accounts.flatMap((account) => account.rated);
    await this.updateItems(tx, rated);
    await this.credit(tx, rated.flatMap((one) => one.credited)); // prettier-ignore
    await this.correct(tx, accounts.flatMap((one) => one.corrected)); // prettier-ignore
    await this.tellCharges(tx, made.flatMap((one) => one.batches), sequences); // prettier-ignore
    return new Map(accounts.map(({ account }, n) => [account.customerId, made[n]?.batches.length ?? 0]));
  }

  /** Batches of the same days that earlier runs have made. */
  private async usedOrdinals(tx: TenantTx, accounts: readonly RatedAccount[]): Promise<UsedOrdinals> {
    const customerIds = accounts.map(({ account }) => account.customerId);
    const days = [
      ...new Set(
        accounts.flatMap(({ rated, corrections }) =>
          [...rated.flatMap((one) => one.charges), ...corrections].map(({ charge }) => charge.dueOn),
        ),
      ),
    ];
    if (days.length === 0) return new Map();
    const rows = await tx.query<{ customerId: string; billingDay: string; groupingKey: string; ordinal: number }>(
      `select customer_id as "customerId", billing_day as "billingDay", grouping_key as "groupingKey", max(batch::int) as ordinal from charge_batch
       where tenant_id = $1 and customer_id = any($2::uuid[]) and billing_day = any($3::text[]) and length(batch) < 10 group by 1, 2, 3`,
      [tx.tenantId, customerIds, days],
    );
    return new Map(rows.map((row) => [batchKey(row.customerId, row.billingDay, row.groupingKey), row.ordinal]));
  }

  private async insert(tx: TenantTx, made: readonly MadeCharges[]): Promise<void> {
    await insertRows(tx, ChargeBatchRow, made.flatMap(({ batches }) => batches.map(({ row }) => row))); // prettier-ignore
    await insertRows(tx, ChargeRow, made.flatMap(({ charges }) => charges)); // prettier-ignore
  }

  private async updateItems(tx: TenantTx, rated: RatedAccount['rated']): Promise<void> {
    const plain: SubscriptionItemRow[] = [];
    const changed: SubscriptionItemRow[] = [];
    for (const { items, before } of rated) {
      items.forEach((item, n) => {
        const old = before[n];
        if (old === undefined || old === item) return;
        (old.revision === item.revision && old.nextFrom === item.nextFrom && old.quantitySteps === item.quantitySteps
          ? plain
          : changed
        ).push(item);
      });
    }
    await updateRows(tx, SubscriptionItemRow, plain, BILLED);
    await updateRows(tx, SubscriptionItemRow, changed, CHANGED);
  }

  private async credit(tx: TenantTx, credited: readonly CreditedCharge[]): Promise<void> {
    if (credited.length === 0) return;
    await tx.query(
      `update charge c set used_to = x.used_to, used_minor = x.used_minor
       from unnest($2::uuid[], $3::uuid[], $4::text[], $5::bigint[]) as x (item_id, id, used_to, used_minor)
       where c.tenant_id = $1 and c.item_id = x.item_id and c.id = x.id`,
      [
        tx.tenantId,
        credited.map((one) => one.itemId),
        credited.map((one) => one.id),
        credited.map((one) => one.usedTo),
        credited.map((one) => one.usedAmount),
      ],
    );
  }

  private async correct(tx: TenantTx, closingIds: readonly string[]): Promise<void> {
    if (closingIds.length === 0) return;
    await tx.query('delete from usage_correction where tenant_id = $1 and closing_id = any($2::uuid[])', [tx.tenantId, closingIds]);
  }

  /** Batches of one account follow each other; its row, which is locked, counts them. */
  private async tellCharges(tx: TenantTx, batches: readonly MadeBatch[], sequences: ReadonlyMap<string, bigint>): Promise<void> {
    const next = new Map<string, number>();
    const events = batches.map(({ row, payload }) => {
      const aggregateSeq = (next.get(row.customerId) ?? Number(sequences.get(row.customerId) ?? 0n)) + 1;
      next.set(row.customerId, aggregateSeq);
      return { aggregateId: row.customerId, aggregateSeq, payload };
    });
    await appendEvents(tx, chargesDueV1, events);
  }
}
