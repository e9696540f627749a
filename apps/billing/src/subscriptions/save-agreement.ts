import {
  type Notice,
  type NoticeType,
  type SubscriptionChanged,
  subscriptionChangedV1,
  type SubscriptionState,
} from '@kontor/contracts';
import { appendEvents } from '@kontor/messaging';
import { cancelDueMany, scheduleDueMany, type TenantTx } from '@kontor/persistence';
import { type Day, dayOf } from '@kontor/kernel';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import { SubscriptionItemRow } from '../db/subscription-item.row.js';
import { SubscriptionRow } from '../db/subscription.row.js';
import { syncEntitlements } from '../entitlements/sync-entitlements.js';
import { rescheduleAccounts } from '../billing-accounts/accounts.js';
import { recordMovements } from '../analytics/record-movements.js';
import { recurringLevels } from '../domain/analytics/recurring-levels.js';
import { chargeItem } from '../domain/charging/charge-item.js';
import { pricePlansOf } from '../domain/subscriptions/planned-change.js';
import { nextPassage } from '../domain/subscriptions/lifecycle.js';
import { itemEnd, type SubscriptionTerms } from '../domain/subscriptions/subscription.js';
import type { LoadedAgreement, StoredAgreement } from './agreement.js';
import type { SubscriptionJson } from './subscription.schema.js';
import { ReadSubscriptions } from './subscription.read.js';
import { anchorFor, type BillingGroupDate } from '../domain/periods/billing-group.js';
import type { Prices } from '../catalogue/prices.js';

export const SUBSCRIPTION_DUE = 'billing.subscription';

/** What happened to a subscription, for the outside: `subscription.paused`. */
export interface SubscriptionNotice {
  readonly type: NoticeType;
  readonly metadata?: Record<string, unknown>;
}

const LONG_AGO: Day = '0001-01-01';

const isBilled = ({ status }: Pick<SubscriptionTerms, 'status'>): boolean =>
  status === 'active' || status === 'paused' || status === 'cancelled';

/** When an item has something to bill next, and whether it is usage, by the rules that will bill it. */
export function nextDue(
  item: SubscriptionItemRow,
  subscription: SubscriptionRow,
  prices: Prices,
  group: BillingGroupDate | null,
): Pick<SubscriptionItemRow, 'nextDueOn' | 'nextDueMetered'> {
  if (!isBilled(subscription)) return { nextDueOn: null, nextDueMetered: false };
  const context = {
    priceOf: prices.priceOf,
    gaps: subscription.pauses,
    endsOn: itemEnd(subscription, item),
    until: LONG_AGO,
    anchorFor: anchorFor(group),
    billed: [],
  };
  const { nextDueOn, nextDueMetered } = chargeItem(item, context);
  return { nextDueOn, nextDueMetered };
}

/** What other services copy of a subscription. */
export const subscriptionState = (subscription: SubscriptionRow, name: string | null): SubscriptionState => ({
  id: subscription.id,
  number: subscription.number,
  externalId: subscription.externalId,
  name,
  status: subscription.status,
  customerId: subscription.customerId,
  poNumber: subscription.poNumber,
  customFields: subscription.customFields,
  paymentMethodId: subscription.paymentMethodId,
});

export interface ToPublish {
  readonly row: SubscriptionRow;
  readonly json: SubscriptionJson;
  readonly notices: readonly SubscriptionNotice[];
  /** What it brings from now on; absent: nothing that is billed has changed. */
  readonly recurring?: SubscriptionChanged['recurring'];
}

/** Appends the events of subscriptions in their present versions, in one statement, and records what they say of recurring revenue. */
export async function publishSubscriptions(tx: TenantTx, list: readonly ToPublish[]): Promise<void> {
  const payloads = list.map(({ row, json, notices, recurring }): SubscriptionChanged => ({
    id: row.id,
    version: row.version,
    deleted: false,
    state: subscriptionState(row, json.name),
    notices: notices.map((notice) => toNotice(row, json, notice)),
    ...(recurring ? { recurring } : {}),
  }));
  await appendEvents(
    tx,
    subscriptionChangedV1,
    payloads.map((payload) => ({ aggregateId: payload.id, aggregateSeq: payload.version, payload })),
  );
  await recordMovements(tx, payloads);
}

/** Absent for what has never been active: there is nothing to say of it. */
function recurringOf(
  { subscription, items }: StoredAgreement,
  { prices, zones }: Pick<LoadedAgreement, 'prices' | 'zones'>,
  now: Date,
): SubscriptionChanged['recurring'] {
  if (items.every(({ startOn }) => startOn === null)) return undefined;
  const levels = recurringLevels({ subscription, items }, prices.priceOf);
  return {
    on: dayOf(now, zones.customer),
    levels: levels.map(({ annualMinor, ...level }) => ({ ...level, annualAmount: `${annualMinor}` })),
  };
}

/** Sent to receivers, without an entry in the customer's log: the document has one. */
const WEBHOOK_ONLY: ReadonlySet<string> = new Set(['subscription.billed', 'subscription.trial_expired']);

const toNotice = (
  row: SubscriptionRow,
  subscription: SubscriptionJson,
  { type, metadata }: SubscriptionNotice,
): Notice => ({
  type,
  objectId: row.id,
  data: { subscription: subscription as unknown as Record<string, unknown> },
  customerId: row.customerId,
  activity: WEBHOOK_ONLY.has(type)
    ? null
    : { metadata: { subscriptionId: row.id, number: row.number, name: subscription.name, ...metadata } },
});

/** An agreement after a change, with what its rules look at. */
export interface ChangedAgreement {
  readonly loaded: Omit<LoadedAgreement, 'agreement'>;
  readonly after: StoredAgreement;
  readonly notices: readonly SubscriptionNotice[];
}

function nextVersion(
  tx: TenantTx,
  { loaded, after }: ChangedAgreement,
): { subscription: SubscriptionRow; items: SubscriptionItemRow[] } {
  const { prices, group } = loaded;
  const subscription = Object.assign(new SubscriptionRow(), after.subscription, {
    version: after.subscription.version + 1,
    updatedAt: tx.now,
  });
  const items = after.items.map((item) =>
    Object.assign(new SubscriptionItemRow(), item, {
      ...nextDue(item, subscription, prices, group),
      updatedAt: tx.now,
    }),
  );
  return { subscription, items };
}

/** Prices that items are to have one day stay as they are until then. */
async function holdPlannedPrices(tx: TenantTx, items: readonly SubscriptionItemRow[]): Promise<void> {
  const planned = items.flatMap((item) =>
    pricePlansOf(item)
      .slice(1)
      .map((pricePlanId) => ({ itemId: item.id, pricePlanId })),
  );
  if (planned.length === 0) return;
  await tx.query(
    `INSERT INTO planned_price (tenant_id, item_id, price_plan_id)
     SELECT $1, item_id, price_plan_id FROM unnest($2::uuid[], $3::uuid[]) AS x (item_id, price_plan_id)
     ON CONFLICT DO NOTHING`,
    [tx.tenantId, planned.map(({ itemId }) => itemId), planned.map(({ pricePlanId }) => pricePlanId)],
  );
}

/** Stores a changed agreement under its next version, plans what time will do to it, and publishes it. */
@Injectable()
export class SaveAgreement {
  constructor(private readonly read: ReadSubscriptions) {}

  async execute(
    tx: TenantTx,
    loaded: Omit<LoadedAgreement, 'agreement'>,
    after: StoredAgreement,
    notices: readonly SubscriptionNotice[],
  ): Promise<SubscriptionJson> {
    const [saved] = await this.executeMany(tx, [{ loaded, after, notices }]);
    return saved as SubscriptionJson;
  }

  /** Several of a tenant by as many statements as one. */
  async executeMany(tx: TenantTx, changes: readonly ChangedAgreement[]): Promise<SubscriptionJson[]> {
    const [first] = changes;
    if (!first) return [];
    const saved = changes.map((change) => ({ ...change, ...nextVersion(tx, change) }));
    await tables.subscriptions.save(
      tx,
      saved.map(({ subscription }) => subscription),
    );
    await tables.subscriptionItems.save(
      tx,
      saved.flatMap(({ items }) => items),
    );
    await holdPlannedPrices(
      tx,
      saved.flatMap(({ items }) => items),
    );
    const customerIds = [...new Set(saved.map(({ subscription }) => subscription.customerId))];
    await rescheduleAccounts(tx, customerIds, first.loaded.zones.tenant);
    await this.schedulePassages(tx, saved);
    await syncEntitlements(
      tx,
      saved.map(({ subscription }) => subscription.id),
    );
    const json = await this.read.represent(
      tx,
      saved.map(({ subscription }) => subscription),
      new Map(saved.map(({ subscription, items }) => [subscription.id, items])),
    );
    await publishSubscriptions(
      tx,
      saved.map(({ subscription, items, loaded, notices }, i) => ({
        row: subscription,
        json: json[i] as SubscriptionJson,
        notices,
        recurring: recurringOf({ subscription, items }, loaded, tx.now),
      })),
    );
    return json;
  }

  private async schedulePassages(
    tx: TenantTx,
    saved: readonly (StoredAgreement & Pick<ChangedAgreement, 'loaded'>)[],
  ): Promise<void> {
    const passages = saved.map(({ subscription, items, loaded }) => ({
      ref: subscription.id,
      dueAt: nextPassage({ subscription, items }, loaded.prices.priceOf, tx.now, loaded.zones.customer),
    }));
    await scheduleDueMany(
      tx,
      passages.flatMap(({ ref, dueAt }) => (dueAt ? [{ kind: SUBSCRIPTION_DUE, ref, dueAt }] : [])),
    );
    await cancelDueMany(
      tx,
      SUBSCRIPTION_DUE,
      passages.filter(({ dueAt }) => !dueAt).map(({ ref }) => ref),
    );
  }

  /** Deletes a draft; its copies vanish with the event. */
  async remove(tx: TenantTx, subscription: SubscriptionRow): Promise<void> {
    const json = await this.read.representOne(tx, subscription);
    await tables.subscriptions.delete(tx, { id: subscription.id });
    const notice = toNotice(subscription, json, { type: 'subscription.removed' });
    await appendEvents(tx, subscriptionChangedV1, [
      {
        aggregateId: subscription.id,
        aggregateSeq: subscription.version + 1,
        payload: {
          id: subscription.id,
          version: subscription.version + 1,
          deleted: true,
          state: null,
          notices: [notice],
        },
      },
    ]);
  }
}
