import { type Day, dayOf } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import type { Known, PreviewRequest } from '../preview/measured-preview.js';
import type { PreviewJson } from '../preview/preview.schema.js';
import { FOR_EVER, LONG_AGO, RatePreview } from '../preview/rate-preview.js';
import { withoutEffect } from '../db/without-effect.js';
import type { StoredAgreement } from './agreement.js';

export interface AgreementPreview {
  /** As it would be. */
  readonly after: StoredAgreement;
  /** The items that are looked at; null: all. */
  readonly itemIds: readonly string[] | null;
  /** First day of the change; null: nothing has been billed yet. */
  readonly from: Day | null;
  readonly zone: string;
  readonly known: Known;
}

/**
 * What a changed agreement would bill on the day of its change: at once its credits and the rest of the period, on a
 * later day all that falls due then, before the first billing the first lines. Nothing is stored.
 */
@Injectable()
export class PreviewAgreement {
  constructor(private readonly previews: RatePreview) {}

  execute(
    tx: TenantTx,
    { after, itemIds, from, zone, known }: AgreementPreview,
  ): Promise<{ invoice: PreviewJson; requests: readonly PreviewRequest[] }> {
    const { subscription, items } = after;
    const today = dayOf(tx.now, zone);
    const isLater = from !== null && from > today;
    return withoutEffect(tx, async () => {
      await tables.subscriptionItems.save(tx, items);
      const { rating, account } = await this.previews.load(tx, subscription);
      const scope = { itemIds, subscriptionId: subscription.id, measured: known.measured };
      const nextDays = this.previews
        .rate(account, rating, { ...scope, until: LONG_AGO })
        .items.filter(({ id }) => itemIds === null || itemIds.includes(id))
        .flatMap(({ nextDueOn }) => nextDueOn ?? []);
      const next = nextDays.reduce((a, b) => (b < a ? b : a), FOR_EVER);
      const until = isLater ? from : next > today && next !== FOR_EVER ? next : today;
      const { charges, requests } = this.previews.rate(account, rating, { ...scope, until });
      const shown = isLater ? charges.filter(({ charge }) => charge.dueOn === from) : charges;
      const priced = await this.previews.invoice(tx, { account, rating, charges: shown }, known.billed);
      return { invoice: priced.invoice, requests: [...requests, ...priced.requests] };
    });
  }
}
