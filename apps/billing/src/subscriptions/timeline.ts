import { type Day, startOfDay } from '@kontor/kernel';
import { money, toMoneyJson } from '@kontor/money';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import type { SubscriptionRow } from '../db/subscription.row.js';
import type { Explanation, StoredExplanation } from '../domain/charging/charge.js';
import { isCancellationPending } from '../domain/subscriptions/subscription.js';
import { lockAgreement, type StoredAgreement } from './agreement.js';
import type { Measured, QuantityRequest } from '../domain/metering/metered.js';
import type { AccountCharge } from '../domain/charging/rated-account.js';
import { MeasuredPreview, type PreviewAttempt } from '../preview/measured-preview.js';
import { RatePreview } from '../preview/rate-preview.js';

export interface TimelineEntry {
  at: string;
  type: string;
  /** True for what is still to come, as things are. */
  upcoming: boolean;
  [detail: string]: unknown;
}

interface BilledRow {
  readonly batchId: string | null;
  readonly invoiceId: string | null;
  readonly itemId: string;
  readonly kind: string;
  readonly quantity: string;
  readonly currencyCode: string;
  readonly dueOn: string;
  readonly serviceFrom: string;
  readonly serviceTo: string;
  readonly netMinor: bigint;
  readonly discountMinor: bigint;
  readonly intervalFrom: string;
  readonly intervalTo: string;
  readonly explanation: StoredExplanation;
  readonly createdAt: Date;
}

const TYPE_OF_KIND: Readonly<Record<string, string>> = { credit: 'credited', correction: 'corrected' };

/** Billed lines, the latest. */
const MAX_ENTRIES = 1000;

/**
 * What happened to a subscription and what will: its states, every billed line with its explanation, the next due days
 * with what was used so far.
 */
@Injectable()
export class ReadTimeline {
  constructor(
    private readonly replicas: Replicas,
    private readonly previews: RatePreview,
    private readonly measured: MeasuredPreview,
  ) {}

  /** @throws DomainError `not_found`, 503 `usage_unavailable` */
  execute(tenantId: string, id: string): Promise<{ data: TimelineEntry[] }> {
    return this.measured.execute(tenantId, (tx, { measured }) => this.attempt(tx, id, measured));
  }

  private async attempt(
    tx: TenantTx,
    id: string,
    measured: Measured,
  ): Promise<PreviewAttempt<{ data: TimelineEntry[] }>> {
    const { agreement, zones } = await lockAgreement(tx, this.replicas, id);
    const { subscription, items } = agreement;
    const zone = zones.customer;
    const { used, requests } = await this.usedSoFar(tx, agreement, measured);
    const days = [...new Set(items.flatMap((item) => item.nextDueOn ?? []))].sort();
    const upcoming = days.map((day): TimelineEntry => ({
      at: startOfDay(day, zone).toISOString(),
      type: 'billing',
      upcoming: true,
      itemIds: items.filter((item) => item.nextDueOn === day).map((item) => item.id),
      usage: used
        .filter(({ charge }) => charge.dueOn === day)
        .map(({ charge }) => ({ itemId: charge.itemId, ...charge.explanation })),
    }));
    const data = [
      ...states(subscription, tx.now, zone),
      ...(await this.billed(
        tx,
        items.map((item) => item.id),
        zone,
      )),
      ...upcoming,
    ];
    return { shown: { data: data.sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1)) }, requests };
  }

  /** Lines of what is measured, as they would be if their period ended now: of each item the next one. */
  private async usedSoFar(
    tx: TenantTx,
    { subscription, items }: StoredAgreement,
    measured: Measured,
  ): Promise<{ used: readonly AccountCharge[]; requests: readonly QuantityRequest[] }> {
    const metered = items.filter((item) => item.nextDueOn !== null && item.nextDueMetered);
    const used: AccountCharge[] = [];
    const requests: QuantityRequest[] = [];
    if (metered.length === 0) return { used, requests };
    const { rating, account } = await this.previews.load(tx, subscription);
    for (const item of metered) {
      const scope = { until: item.nextDueOn as Day, itemIds: [item.id], subscriptionId: subscription.id, measured };
      const rated = this.previews.rate(account, rating, scope);
      used.push(...rated.charges.filter(({ charge }) => charge.metered && charge.dueOn === item.nextDueOn));
      requests.push(...rated.requests);
    }
    return { used, requests };
  }

  private async billed(tx: TenantTx, itemIds: readonly string[], zone: string): Promise<TimelineEntry[]> {
    const rows = await tx.query<BilledRow>(
      `SELECT c.batch_id AS "batchId", b.invoice_id AS "invoiceId", c.item_id AS "itemId", c.kind, c.quantity,
         c.currency_code AS "currencyCode", c.due_on AS "dueOn", c.service_from AS "serviceFrom",
         c.service_to AS "serviceTo", c.interval_from AS "intervalFrom", c.interval_to AS "intervalTo",
         c.net_minor AS "netMinor", c.discount_minor AS "discountMinor", c.explanation, c.created_at AS "createdAt"
       FROM charge c
       LEFT JOIN charge_batch b ON b.tenant_id = c.tenant_id AND b.id = c.batch_id
       WHERE c.tenant_id = $1 AND c.item_id = ANY($2::uuid[])
       ORDER BY c.due_on DESC, c.id DESC LIMIT $3`,
      [tx.tenantId, itemIds, MAX_ENTRIES],
    );
    return rows.map((row) => ({
      at: row.createdAt.toISOString(),
      type: TYPE_OF_KIND[row.kind] ?? 'billed',
      upcoming: false,
      dueDate: startOfDay(row.dueOn, zone).toISOString(),
      itemId: row.itemId,
      kind: row.kind,
      quantity: row.quantity,
      servicePeriod: {
        from: startOfDay(row.serviceFrom, zone).toISOString(),
        to: startOfDay(row.serviceTo, zone).toISOString(),
      },
      netAmount: toMoneyJson(money(row.netMinor, row.currencyCode)),
      discountAmount: row.discountMinor === 0n ? null : toMoneyJson(money(row.discountMinor, row.currencyCode)),
      invoiceId: row.invoiceId,
      explanation: {
        period: { from: row.serviceFrom, to: row.serviceTo },
        interval: { from: row.intervalFrom, to: row.intervalTo },
        quantity: row.quantity,
        ...row.explanation,
      } satisfies Explanation,
    }));
  }
}

function states(subscription: SubscriptionRow, now: Date, zone: string): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  const add = (at: Date | null, type: string, details: Record<string, unknown> = {}): void => {
    if (at) entries.push({ at: at.toISOString(), type, upcoming: at > now, ...details });
  };
  add(subscription.createdAt, 'created');
  add(subscription.activatedAt, 'activated', { billingStart: subscription.billingStart?.toISOString() ?? null });
  add(subscription.trialEndedAt ?? subscription.trialEndsOn, 'trial_ended');
  for (const gap of subscription.pauses) {
    if (gap.from === gap.to) continue;
    add(startOfDay(gap.from, zone), 'paused');
    if (gap.to !== null) add(startOfDay(gap.to, zone), 'resumed');
  }
  add(subscription.cancelledAt, 'cancellation_declared', { reason: subscription.cancellationReason });
  if (isCancellationPending(subscription) || subscription.status === 'cancelled')
    add(subscription.cancellationDate, 'cancelled');
  add(subscription.terminatedAt, 'terminated');
  return entries;
}
