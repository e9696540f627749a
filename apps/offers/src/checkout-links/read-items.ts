import { newUuid, validationFailed } from '@kontor/kernel';
import { assertQuantity, type CartItem, type LinkOptions } from '../domain/carts/cart.js';
import type { CartItemDto } from './link.dto.js';

/** The items that a request names. Whether they are sold is for billing to say. @throws DomainError `validation_failed` */
export function readItems(items: readonly CartItemDto[], options: LinkOptions): CartItem[] {
  const read = items.map(({ pricePlan, plan, quantity }, n): CartItem => {
    if (!pricePlan === !plan)
      throw validationFailed(`items[${n}]`, 'An item names a pricePlan or a plan.', 'either_or');
    if (plan && quantity && Number(quantity) !== 1)
      throw validationFailed(`items[${n}].quantity`, 'A plan has the quantities that are part of it.', 'not_allowed');
    if (quantity) assertQuantity(quantity, options);
    return {
      id: newUuid(),
      pricePlan: pricePlan?.toLowerCase() ?? null,
      plan: plan?.toLowerCase() ?? null,
      quantity: quantity ?? (plan ? '1' : (options.minQuantity ?? '1')),
    };
  });
  if (read.filter(({ plan }) => plan !== null).length > 1)
    throw validationFailed('items', 'At most one plan is sold together with price plans.', 'exclusive');
  return read;
}
