import type { OfferTerms } from '@kontor/contracts';
import { validationFailed } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { loadPrices } from '../catalogue/prices.js';
import { CreateSubscription, type CreatedWithin } from '../subscriptions/create-subscription.js';
import { lockPricePlans, planOn, type Sold } from '../subscriptions/references.js';
import { SaleSteps } from './sale-steps.js';

/** What is sold once: charges on one invoice, and nothing after it. */
@Injectable()
export class SellOnce {
  constructor(
    private readonly createSubscription: CreateSubscription,
    private readonly steps: SaleSteps,
  ) {}

  /** The subscription that carries the charges until they are billed. @throws DomainError `validation_failed` for what recurs */
  async execute(
    tx: TenantTx,
    { customerId, name, items }: OfferTerms,
    how: CreatedWithin & { readonly sold: Sold },
  ): Promise<string> {
    await this.refuseRecurring(tx, customerId, items, how.sold);
    const { id } = await this.createSubscription.within(
      tx,
      {
        customer: customerId,
        name,
        items: items.map((item) => ({
          pricePlan: item.pricePlan,
          quantity: item.quantity,
          name: item.name,
          description: item.description,
        })),
        activate: true,
      },
      how,
    );
    await this.steps.endCharges(tx, id);
    return id;
  }

  private async refuseRecurring(
    tx: TenantTx,
    customerId: string,
    items: OfferTerms['items'],
    sold: Sold,
  ): Promise<void> {
    const ids = items.map(({ pricePlan }) => pricePlan);
    const plans = await lockPricePlans(tx, ids, sold);
    for (const [n, id] of ids.entries()) planOn(plans, customerId, id, `items[${n}].pricePlan`);
    const prices = await loadPrices(tx, ids);
    const wrong = ids.findIndex((id) => prices.productOf(id).type !== 'charge');
    if (wrong >= 0)
      throw validationFailed(
        `items[${wrong}].pricePlan`,
        'An offer of the deal type one_off sells one-time charges only.',
        'not_one_time',
      );
  }
}
