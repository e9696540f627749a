import { chargesDueV1 } from '@kontor/contracts';
import { appendEvents } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { ChargeBatchRow, ChargeRow } from '../db/billing-run.row.js';
import { insertRows, updateRows } from '../db/set-based.js';
import { SubscriptionItemRow } from '../db/subscription-item.row.js';
import { SubscriptionRow } from '../db/subscription.row.js';
import { publishSubscriptions } from '../subscriptions/save-agreement.js';
import { ReadSubscriptions } from '../subscriptions/subscription.read.js';
import type { BillingWorld } from './load-accounts.js';
import { batchKey, type BillingCause, type MadeBatch, makeBatches, type MadeCharges, type UsedOrdinals } from './make-batches.js';
import type { RatedAccount } from './rate-account.js';

/** What billing an item changes of it. */
const BILLED_ITEM = [
  'status', 'pricePlanId', 'quantity', 'anchorOn', 'billedFrom', 'billedTo', 'creditFrom', 'creditDueOn', 'nextPricePlanId', 'nextQuantity', 'nextFrom',
  'nextDueOn', 'lastBilledAt', 'revision', 'activatedAt', 'updatedAt',
] as const satisfies readonly (keyof SubscriptionItemRow)[]; // prettier-ignore

/**
 * Stores rated accounts, set-based: charges, batches, where each item's billing stands, and their events. The accounts are
 * locked and unchanged since they were rated. Returns the number of batches.
 */
@Injectable()
export class SaveCharges {
  constructor(private readonly read: ReadSubscriptions) {}

  async execute(tx: TenantTx, accounts: readonly RatedAccount[], world: BillingWorld, cause: BillingCause): Promise<number> {
    const used = 'runId' in cause ? await this.usedOrdinals(tx, accounts) : new Map<string, number>();
    const made = accounts.map((account) => makeBatches(tx.tenantId, account, world, cause, used));
    await this.insert(tx, made);
    const rated = accounts.flatMap((account) => account.rated);
    await updateRows(tx, SubscriptionItemRow, changedItems(rated), BILLED_ITEM);
    await this.credit(tx, rated.flatMap((one) => one.credited)); // prettier-ignore
    await this.tellCharges(tx, made.flatMap((one) => one.batches)); // prettier-ignore
    await this.tellSubscriptions(tx, rated);
    return made.reduce((count, { batches }) => count + batches.length, 0);
  }

  /** Batches of the same days that earlier runs have made. */
  private async usedOrdinals(tx: TenantTx, accounts: readonly RatedAccount[]): Promise<UsedOrdinals> {
    const customerIds = accounts.map(({ account }) => account.customerId);
    const days = [...new Set(accounts.flatMap(({ rated }) => rated.flatMap((one) => one.charges.map(({ charge }) => charge.dueOn))))];
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

  private async credit(tx: TenantTx, credited: readonly { id: string; usedTo: string; usedAmount: bigint }[]): Promise<void> {
    if (credited.length === 0) return;
    await tx.query(
      `update charge c set used_to = x.used_to, used_minor = x.used_minor from unnest($2::uuid[], $3::text[], $4::bigint[]) as x (id, used_to, used_minor)
       where c.tenant_id = $1 and c.id = x.id`,
      [tx.tenantId, credited.map((one) => one.id), credited.map((one) => one.usedTo), credited.map((one) => one.usedAmount)],
    );
  }

  /** Batches of one account follow each other; the account's row, which is locked, counts them. */
  private async tellCharges(tx: TenantTx, batches: readonly MadeBatch[]): Promise<void> {
    if (batches.length === 0) return;
    const counts = new Map<string, number>();
    for (const { row } of batches) counts.set(row.customerId, (counts.get(row.customerId) ?? 0) + 1);
    const rows = await tx.query<{ customerId: string; before: bigint }>(
      `update billing_account a set charges_seq = a.charges_seq + x.n from unnest($2::uuid[], $3::int[]) as x (customer_id, n)
       where a.tenant_id = $1 and a.customer_id = x.customer_id returning a.customer_id as "customerId", a.charges_seq - x.n as before`,
      [tx.tenantId, [...counts.keys()], [...counts.values()]],
    );
    const next = new Map(rows.map(({ customerId, before }) => [customerId, Number(before)]));
    const events = batches.map(({ row, payload }) => {
      const aggregateSeq = (next.get(row.customerId) ?? 0) + 1;
      next.set(row.customerId, aggregateSeq);
      return { aggregateId: row.customerId, aggregateSeq, payload };
    });
    await appendEvents(tx, chargesDueV1, events);
  }

  private async tellSubscriptions(tx: TenantTx, rated: RatedAccount['rated']): Promise<void> {
    const billed = rated.filter((one) => one.charges.length > 0);
    if (billed.length === 0) return;
    const rows = billed.map(({ subscription }): SubscriptionRow => ({ ...subscription, version: subscription.version + 1, lastBillingAt: tx.now, updatedAt: tx.now }));
    await updateRows(tx, SubscriptionRow, rows, ['version', 'lastBillingAt', 'updatedAt']);
    const json = await this.read.represent(tx, rows, new Map(billed.map((one) => [one.subscription.id, [...one.items]])));
    const notices = [{ type: 'subscription.billed' }];
    await publishSubscriptions(tx, rows.map((row, n) => ({ row, json: json[n] as (typeof json)[number], notices }))); // prettier-ignore
  }
}

const changedItems = (rated: RatedAccount['rated']): SubscriptionItemRow[] => rated.flatMap((one) => one.changedItems);
