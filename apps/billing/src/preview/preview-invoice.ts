import type { Day } from '@kontor/kernel';
import { Replicas, type TenantTx, updateRows } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { groupingKeyOf } from '../domain/charging/group-charges.js';
import type { Account, BillingWorld } from '../billing-runs/load-accounts.js';
import type { Amounts, MeteredAsk } from '../billing-runs/metered-sources.js';
import type { AccountCharge, RatingScope } from '../billing-runs/rate-account.js';
import { SubscriptionItemRow } from '../db/subscription-item.row.js';
import { SubscriptionRow } from '../db/subscription.row.js';
import { activate } from '../domain/subscriptions/activate.js';
import { type LoadedAgreement, lockAgreement } from '../subscriptions/agreement.js';
import { MeasuredPreview, type PreviewAttempt } from './measured-preview.js';
import type { PreviewJson } from './preview-json.js';
import { LONG_AGO, RatePreview, withoutEffect } from './rate-preview.js';

export type InvoicePreviewJson = PreviewJson & { subscription: { id: string; number: string } };

const STARTED = ['status', 'activatedAt', 'startOn', 'anchorOn'] as const;

/** The next invoice of a subscription, without side effects; a draft is looked at as if it were activated now. */
@Injectable()
export class PreviewInvoice {
  constructor(
    private readonly replicas: Replicas,
    private readonly previews: RatePreview,
    private readonly measured: MeasuredPreview,
  ) {}

  /** @throws DomainError `not_found`, 503 `usage_unavailable` */
  execute(tenantId: string, id: string): Promise<InvoicePreviewJson> {
    return this.measured.execute(tenantId, (tx, amounts) => this.attempt(tx, id, amounts));
  }

  private async attempt(tx: TenantTx, id: string, amounts: Amounts): Promise<PreviewAttempt<InvoicePreviewJson>> {
    const loaded = await lockAgreement(tx, this.replicas, id);
    const { subscription } = loaded.agreement;
    const { invoice, asks } = await withoutEffect(tx, async () => {
      await this.startDraft(tx, loaded);
      const { world, account } = await this.previews.world(tx, subscription);
      const { charges, asks } = this.nextCharges(account, world, { subscriptionId: id, amounts, corrections: true });
      return { invoice: await this.previews.invoice(tx, account, world, charges), asks };
    });
    return { shown: { subscription: { id, number: subscription.number }, ...invoice }, asks };
  }

  private async startDraft(tx: TenantTx, { agreement, prices, zones, group }: LoadedAgreement): Promise<void> {
    if (agreement.subscription.status !== 'draft' && agreement.subscription.status !== 'offer') return;
    const started = activate(agreement, prices.priceOf, { now: tx.now, zone: zones.customer, trialDays: null, billingStart: null, group });
    await updateRows(tx, SubscriptionRow, [started.subscription], ['status', 'billingStart', 'trialEndsOn', 'anchorOn']);
    await updateRows(tx, SubscriptionItemRow, [...started.items], STARTED);
  }

  /** The lines of the earliest day on which something falls due, as far as they are on one invoice. */
  private nextCharges(
    account: Account,
    world: BillingWorld,
    scope: Omit<RatingScope, 'until'>,
  ): { charges: readonly AccountCharge[]; asks: readonly MeteredAsk[] } {
    let until: Day | null = LONG_AGO;
    // A visit without lines (a change of price that waits for its day) leads on to the next day.
    for (let step = 0; step < 5 && until !== null; step++) {
      const { charges, items, asks } = this.previews.rate(account, world, { ...scope, until });
      const [first] = [...charges].sort((a, b) => (a.charge.dueOn < b.charge.dueOn ? -1 : 1));
      if (first) {
        const key = groupingKeyOf(first.route);
        return {
          asks,
          charges: charges.filter(({ charge, route }) => charge.dueOn === first.charge.dueOn && groupingKeyOf(route) === key),
        };
      }
      until = items.map((item) => item.nextDueOn).filter((day): day is Day => day !== null).sort()[0] ?? null; // prettier-ignore
    }
    return { charges: [], asks: [] };
  }
}
