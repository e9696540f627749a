import { dayOf, newUuid } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import { tenantZone } from '../settings/tenant.js';
import { rescheduleAccounts } from '../billing-accounts/accounts.js';
import { LoadRatingContext } from './load-rating-context.js';
import { rateAccount } from '../domain/charging/rate-account.js';
import { payable } from '../domain/rating/rate-line.js';
import { SaveCharges } from './save-charges.js';

export interface ImmediateBilling {
  readonly subscriptionId: string;
  /** Null: everything of the subscription that is due. */
  readonly itemIds: readonly string[] | null;
  /** The key of the invoice: billing the same operation again is refused by it. */
  readonly operationId: string;
  /** What the invoice names as its source; a subscription when absent. */
  readonly sourceType?: 'subscription' | 'cart';
  /** Of the document; a new one when absent. */
  readonly invoiceId?: string;
}

/**
 * Bills in the request what is due today, as a separate invoice. The account is locked by the caller. No quantities are
 * measured, so items whose usage falls due are left to the next run, and so is all that is more than a portion.
 */
@Injectable()
export class BillImmediately {
  constructor(
    private readonly replicas: Replicas,
    private readonly load: LoadRatingContext,
    private readonly save: SaveCharges,
  ) {}

  /** Says which document it becomes; null: nothing was due, or no line costs anything and that makes none (`createZeroInvoices`). */
  async execute(
    tx: TenantTx,
    { subscriptionId, itemIds, operationId, sourceType, invoiceId = newUuid() }: ImmediateBilling,
  ): Promise<{ id: string } | null> {
    const { customerId } = await tables.subscriptions.findOneOrFail(tx, { id: subscriptionId });
    const context = await this.load.execute(tx, [customerId], { subscriptionId });
    const [account] = context.accounts;
    if (!account) return null;
    const today = dayOf(tx.now, account.zone);
    const rated = rateAccount(account, context, {
      until: today,
      subscriptionId,
      itemIds,
      skipUnmeasured: true,
      inPortions: true,
    });
    for (const failure of rated.failures) throw failure.error;
    if (rated.rated.length === 0) return null;
    const made = await this.save.execute(
      tx,
      [rated],
      context,
      { operationId, today, invoiceId, ...(sourceType && { sourceType }) },
      new Map([[customerId, account.chargesSeq]]),
    );
    await tx.query(
      'UPDATE billing_account SET charges_seq = charges_seq + $3 WHERE tenant_id = $1 AND customer_id = $2',
      [tx.tenantId, customerId, made.get(customerId)?.batches ?? 0],
    );
    await rescheduleAccounts(tx, [customerId], await tenantZone(tx, this.replicas));
    const charges = rated.rated.flatMap((subscription) => subscription.charges);
    const isDocumented = account.createZeroInvoices || charges.some(({ charge }) => payable(charge.amount) !== 0n);
    return isDocumented ? { id: invoiceId } : null;
  }
}
