import { DomainError, type Interval, parseInterval } from '@kontor/kernel';
import { compareDecimal, type Decimal, decimal, decimalOf, exponentOf, multiplyDecimal } from '@kontor/money';
import { priceUnits } from '../rating/price-units.js';
import type { ItemPrice } from './subscription.js';

export type ChangeBehaviour = 'upgradeable_and_downgradeable' | 'upgradeable' | 'downgradeable' | 'not_changeable';
export type ChangeTiming = 'immediately' | 'end_of_period';
export type ChangeDirection = 'upgrade' | 'downgrade' | 'same';

/** Length in ten-thousandths of a day; a month is a twelfth of 365.25 days. */
const LENGTH: Readonly<Record<Interval['unit'], bigint>> = { D: 10_000n, W: 70_000n, M: 304_375n, Y: 3_652_500n };

const lengthOf = ({ billingInterval }: ItemPrice): Decimal => {
  const { count, unit } = parseInterval(billingInterval);
  return decimalOf(BigInt(count) * LENGTH[unit]);
};

/** The exact price of a quantity for one interval, at least the minimum price. */
function amountOf(price: ItemPrice, quantity: string): Decimal {
  const { amount } = priceUnits(price, decimal(quantity));
  const minimum = decimalOf(price.minimumPriceAmount ?? 0n, exponentOf(price.currencyCode));
  return compareDecimal(amount, minimum) < 0 ? minimum : amount;
}

const directionOf = (compared: number): ChangeDirection =>
  compared === 0 ? 'same' : compared > 0 ? 'upgrade' : 'downgrade';

/** An upgrade is a higher price per month at equal quantity. */
export const priceDirection = (before: ItemPrice, after: ItemPrice, quantity: string): ChangeDirection =>
  directionOf(
    compareDecimal(
      multiplyDecimal(amountOf(after, quantity), lengthOf(before)),
      multiplyDecimal(amountOf(before, quantity), lengthOf(after)),
    ),
  );

export const quantityDirection = (before: string, after: string): ChangeDirection =>
  directionOf(compareDecimal(decimal(after), decimal(before)));

/** Whether a plan lets its items go into a direction. */
export function isAllowed(behaviour: ChangeBehaviour, direction: ChangeDirection): boolean {
  if (behaviour === 'not_changeable') return false;
  if (behaviour === 'upgradeable') return direction !== 'downgrade';
  return behaviour === 'upgradeable_and_downgradeable' || direction !== 'upgrade';
}

export interface ItemTarget {
  readonly price: ItemPrice;
  readonly quantity: string;
}

/**
 * Another price and another quantity must both be allowed.
 * @throws DomainError `change_not_allowed`
 */
export function refuseDirection(behaviour: ChangeBehaviour, before: ItemTarget, after: ItemTarget): void {
  const directions = [
    ...(after.price.id === before.price.id ? [] : [priceDirection(before.price, after.price, before.quantity)]),
    ...(after.quantity === before.quantity ? [] : [quantityDirection(before.quantity, after.quantity)]),
  ];
  const refused = directions.find((direction) => !isAllowed(behaviour, direction));
  if (refused !== undefined)
    throw new DomainError('change_not_allowed', {
      detail: `The plan is ${behaviour}: ${refused === 'same' ? 'it allows no change' : `it allows no ${refused}`}.`,
    });
}
