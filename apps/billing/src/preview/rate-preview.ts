import { type Day, invariant } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import type { TaxGroup } from '@kontor/tax';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import { LoadRatingContext } from '../charging/load-rating-context.js';
import { rateAccount } from '../domain/charging/rate-account.js';
import { PreviewedLines } from '../domain/charging/previewed-lines.js';
import type { AccountCharge, RatingScope } from '../domain/charging/rated-account.js';
import type { Account, BillableItem, RatingContext } from '../domain/charging/rating-context.js';
import type { QuantityRequest } from '../domain/metering/metered.js';
import { representTaxGroup } from '../catalogue/tax-group.read.js';
import { addressesOf } from '../customers/customer-aggregate.js';
import type { SubscriptionRow } from '../db/subscription.row.js';
import { effectiveSettings } from '../domain/settings/billing-settings.js';
import { previewJson } from './preview-json.js';
import type { PreviewContext } from './price-lines.js';
import type { TaxedCharges } from './billed-taxes.js';
import type { TaxRequest } from './measured-preview.js';
import type { PreviewJson } from './preview.schema.js';

export const FOR_EVER: Day = '9999-12-31';
export const LONG_AGO: Day = '0001-01-01';

/** Lines of one invoice, and what they were rated with. */
export interface RatedLines {
  readonly account: Account;
  readonly rating: RatingContext;
  readonly charges: readonly AccountCharge[];
}

/** Rates what is not stored: with the rules, the lines and the taxes of a real run. */
@Injectable()
export class RatePreview {
  constructor(private readonly loadContext: LoadRatingContext) {}

  async load(
    tx: TenantTx,
    subscription: Pick<SubscriptionRow, 'id' | 'customerId'>,
  ): Promise<{ rating: RatingContext; account: Account }> {
    const rating = await this.loadContext.execute(tx, [subscription.customerId], { subscriptionId: subscription.id });
    const [account] = rating.accounts;
    invariant(account, 'a subscription has its billing account');
    return { rating, account };
  }

  /** @throws what rating refuses */
  rate(
    account: Account,
    rating: RatingContext,
    scope: RatingScope,
  ): { charges: readonly AccountCharge[]; items: readonly BillableItem[]; requests: readonly QuantityRequest[] } {
    const { rated, failures, corrections, requests } = rateAccount(account, rating, {
      ...scope,
      everything: true,
      previewed: new PreviewedLines(),
    });
    for (const failure of failures) throw failure.error;
    return {
      charges: [...rated.flatMap((subscription) => subscription.charges), ...corrections],
      items: rated.flatMap((subscription) => subscription.items),
      requests,
    };
  }

  /** The invoice of some lines; how what it credits was taxed is requested. */
  async invoice(
    tx: TenantTx,
    { account, rating, charges }: RatedLines,
    billed: TaxedCharges,
  ): Promise<{ invoice: PreviewJson; requests: readonly TaxRequest[] }> {
    const credited = charges.flatMap(({ charge }) => charge.creditedChargeId ?? []);
    return {
      invoice: previewJson(charges, { ...(await this.context(tx, account, rating, charges)), billed }),
      requests: credited.filter((id) => !billed.has(id)).map((creditedChargeId) => ({ creditedChargeId })),
    };
  }

  private async context(
    tx: TenantTx,
    account: Account,
    rating: RatingContext,
    charges: readonly AccountCharge[],
  ): Promise<Omit<PreviewContext, 'billed'>> {
    const settings = effectiveSettings((await tables.billingSettings.findOne(tx, {}))?.values ?? {});
    // Whoever pays is taxed.
    const customer = await tables.customers.findOneOrFail(tx, { id: account.payerId });
    const addresses = await addressesOf(tx, customer.id);
    const routeId = charges[0]?.route.invoiceAddressId;
    const address =
      addresses.find(({ id }) => id === routeId) ??
      addresses.find(({ isDefault, type }) => isDefault && type === 'TYPE_INVOICE') ??
      addresses.find(({ isDefault }) => isDefault);
    const groups = await tables.taxGroups.findByIds(
      tx,
      charges.map(({ charge }) => rating.prices.productOf(charge.pricePlanId).taxGroupId),
    );
    const byId = new Map(groups.map((row): [string, TaxGroup] => [row.id, representTaxGroup(row)]));
    return {
      account,
      rating,
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
