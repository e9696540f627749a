import { dayOf } from '@kontor/kernel';
import type { TenantState } from '@kontor/contracts';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { FALLBACK_ZONE } from '../customers/create-customer.js';
import { SubscriptionRow } from '../db/subscription.row.js';
import { rescheduleAccounts } from './accounts.js';
import { LoadAccounts } from './load-accounts.js';
import { rateAccount } from './rate-account.js';
import { SaveCharges } from './save-charges.js';

export interface ImmediateBilling {
  readonly subscriptionId: string;
  /** Null: everything of the subscription that is due. */
  readonly itemIds: readonly string[] | null;
  /** Names the invoice of its own; billing the same operation again is refused by its key. */
  readonly operationId: string;
}

/**
 * Bills in the request what is due today, as an invoice of its own. The account is locked by the caller. Nobody is asked meanwhile,
 * so items whose usage falls due are left to the next run.
 */
@Injectable()
export class BillImmediately {
  constructor(
    private readonly replicas: Replicas,
    private readonly load: LoadAccounts,
    private readonly save: SaveCharges,
  ) {}

  async execute(tx: TenantTx, { subscriptionId, itemIds, operationId }: ImmediateBilling): Promise<void> {
    const { customerId } = await tx.manager.findOneByOrFail(SubscriptionRow, { tenantId: tx.tenantId, id: subscriptionId });
    const world = await this.load.execute(tx, [customerId], { subscriptionId });
    const [account] = world.accounts;
    if (!account) return;
    const today = dayOf(tx.now, account.zone);
    const rated = rateAccount(account, world, { until: today, subscriptionId, itemIds, skipUnmeasured: true });
    for (const failure of rated.failures) throw failure.error;
    if (rated.rated.length === 0) return;
    const made = await this.save.execute(tx, [rated], world, { operationId, today }, new Map([[customerId, account.chargesSeq]]));
    await tx.query('update billing_account set charges_seq = charges_seq + $3 where tenant_id = $1 and customer_id = $2', [
      tx.tenantId,
      customerId,
      made.get(customerId) ?? 0,
    ]);
    await rescheduleAccounts(
      tx,
      [customerId],
      (await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId))?.timeZone ?? FALLBACK_ZONE,
    );
  }
}
