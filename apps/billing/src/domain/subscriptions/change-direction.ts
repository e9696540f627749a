import { DomainError, type Interval, parseInterval } from '@kontor/kernel';
import {
  addDecimal,
  compareDecimal,
  type Decimal,
  decimal,
  decimalOf,
  exponentOf,
  multiplyDecimal,
} from '@kontor/money';
import { priceUnits } from '../rating/price-units.js';
import type { ItemPrice } from './subscription.js';

export type ChangeBehaviour = 'upgradeable_and_downgradeable' | 'upgradeable' | 'downgradeable' | 'not_changeable';
export type ChangeTiming = 'immediately' | 'end_of_period' | 'custom';
export type ChangeDirection = 'upgrade' | 'downgrade' | 'same';

/** Length in ten-thousandths of a day; a month is a twelfth of 365.25 days. */
const LENGTH: Readonly<Record<Interval['unit'], bigint>> = { D: 10_000n, W: 70_000n, M: 304_375n, Y: 3_652_500n };

/** Of an interval, in ten-thousandths of a day. */
export const lengthOf = ({ billingInterval }: Pick<ItemPrice, 'billingInterval'>): Decimal => {
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

export interface PlanTarget {
  /** Place among other plans; null: the price decides. */
  readonly rank: number | null;
  readonly lines: readonly ItemTarget[];
}

/** By the ranks of both plans where they have different ones, else by price. */
export function planDirection(before: PlanTarget, after: PlanTarget): ChangeDirection {
  const ranked = before.rank !== null && after.rank !== null && before.rank !== after.rank;
  return ranked ? directionOf(after.rank - before.rank) : priceDirectionOfLines(before.lines, after.lines);
}

/** All lines of a plan at the price that they have in a common time. */
function priceDirectionOfLines(before: readonly ItemTarget[], after: readonly ItemTarget[]): ChangeDirection {
  const lengths = [...new Set([...before, ...after].map(({ price }) => price.billingInterval))];
  const perCommonTime = ({ price, quantity }: ItemTarget): Decimal =>
    lengths
      .filter((interval) => interval !== price.billingInterval)
      .reduce(
        (amount, billingInterval) => multiplyDecimal(amount, lengthOf({ billingInterval })),
        amountOf(price, quantity),
      );
  const sum = (targets: readonly ItemTarget[]): Decimal =>
    targets.map(perCommonTime).reduce((a, b) => addDecimal(a, b), decimalOf(0n));
  return directionOf(compareDecimal(sum(after), sum(before)));
}

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
  for (const direction of directions) refuseDirectionOf(behaviour, direction);
}

/** @throws DomainError `change_not_allowed` */
export function refuseDirectionOf(behaviour: ChangeBehaviour, direction: ChangeDirection): void {
  if (!isAllowed(behaviour, direction))
    throw new DomainError('change_not_allowed', {
      detail: `The plan is ${behaviour}: ${direction === 'same' ? 'it allows no change' : `it allows no ${direction}`}.`,
    });
}
