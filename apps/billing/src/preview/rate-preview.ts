import { type Day, invariant } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import type { TaxGroup } from '@kontor/tax';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { type Account, type BillingWorld, LoadAccounts } from '../billing-runs/load-accounts.js';
import type { MeteredAsk } from '../billing-runs/metered-sources.js';
import { type AccountCharge, rateAccount, type RatingScope } from '../billing-runs/rate-account.js';
import { representTaxGroup } from '../catalogue/tax-group.read.js';
import { addressesOf } from '../customers/customer-aggregate.js';
import { TaxGroupRow } from '../db/catalogue.row.js';
import { CustomerRow } from '../db/customer.row.js';
import { BillingSettingsRow } from '../db/settings.row.js';
import type { SubscriptionItemRow } from '../db/subscription-item.row.js';
import type { SubscriptionRow } from '../db/subscription.row.js';
import { effectiveSettings } from '../domain/settings/billing-settings.js';
import { type PreviewContext, previewJson, type PreviewJson } from './preview-json.js';

export const FOR_EVER: Day = '9999-12-31';
export const LONG_AGO: Day = '0001-01-01';

/** Rates what is not stored: with the rules, the lines and the taxes of a real run. */
@Injectable()
export class RatePreview {
  constructor(private readonly load: LoadAccounts) {}

  async world(tx: TenantTx, subscription: Pick<SubscriptionRow, 'id' | 'customerId'>): Promise<{ world: BillingWorld; account: Account }> {
    const world = await this.load.execute(tx, [subscription.customerId], { subscriptionId: subscription.id });
    const [account] = world.accounts;
    invariant(account, 'a subscription has its billing account');
    return { world, account };
  }

  /** @throws what rating refuses */
  rate(
    account: Account,
    world: BillingWorld,
    scope: RatingScope,
  ): { charges: readonly AccountCharge[]; items: readonly SubscriptionItemRow[]; asks: readonly MeteredAsk[] } {
    const { rated, failures, corrections, asks } = rateAccount(account, world, { ...scope, everything: true });
    for (const failure of failures) throw failure.error;
    return { charges: [...rated.flatMap((one) => one.charges), ...corrections], items: rated.flatMap((one) => one.items), asks };
  }

  async invoice(tx: TenantTx, account: Account, world: BillingWorld, charges: readonly AccountCharge[]): Promise<PreviewJson> {
    return previewJson(charges, await this.context(tx, account, world, charges));
  }

  private async context(tx: TenantTx, account: Account, world: BillingWorld, charges: readonly AccountCharge[]): Promise<PreviewContext> {
    const { tenantId } = tx;
    const settings = effectiveSettings((await tx.manager.findOneBy(BillingSettingsRow, { tenantId }))?.values ?? {});
    const customer = await tx.manager.findOneByOrFail(CustomerRow, { tenantId, id: account.customerId });
    const addresses = await addressesOf(tx, customer.id);
    const routeId = charges[0]?.route.invoiceAddressId;
    const address =
      addresses.find((one) => one.id === routeId) ??
      addresses.find((one) => one.isDefault && one.type === 'TYPE_INVOICE') ??
      addresses.find((one) => one.isDefault);
    const ids = [...new Set(charges.map(({ charge }) => world.prices.productOf(charge.pricePlanId).taxGroupId))];
    const groups = ids.length === 0 ? [] : await tx.manager.findBy(TaxGroupRow, { tenantId, id: In(ids) });
    const byId = new Map(groups.map((row): [string, TaxGroup] => [row.id, representTaxGroup(row)]));
    return {
      account,
      world,
      parties: {
        sellerCountryCode: settings.seller.address.countryCode ?? 'DE',
        smallBusiness: settings.smallBusiness,
        oss: settings.oss,
        placeCountryCode: address?.countryCode ?? customer.countryCode,
        recipientVatIdValid: customer.vatIdStatus === 'valid',
      },
      taxGroupOf: (id) => {
        const group = byId.get(id);
        invariant(group, 'a product has its tax group');
        return group;
      },
    };
  }
}

/** Does `work` and takes back whatever it stored. The surrounding transaction goes on. */
export async function withoutEffect<T>(tx: TenantTx, work: () => Promise<T>): Promise<T> {
  await tx.query('savepoint preview');
  const result = await work();
  await tx.query('rollback to savepoint preview');
  await tx.query('release savepoint preview');
  return result;
}
