import { type Day, dayOf } from '@kontor/kernel';
import { compareDecimal, decimal } from '@kontor/money';
import type { ItemBilling, QuantityStep } from '../subscriptions/item-billing.js';
import type { Reading } from './measured-quantity.js';

/**
 * The quantities of an item that are not billed yet, by day, with a reading among them: from its day on until the next
 * reading's. A day has the quantity of its last reading. `later` are the readings after this one in the order of their
 * times.
 */
export function quantitySteps(
  item: Pick<ItemBilling, 'quantity' | 'quantitySteps' | 'plannedChanges'>,
  reading: Reading,
  later: readonly Reading[],
  zone: string,
): readonly QuantityStep[] | null {
  const day = dayOf(reading.measuredAt, zone);
  const byDay = new Map<Day, string>();
  for (const { measuredAt, quantity } of [reading, ...later]) byDay.set(dayOf(measuredAt, zone), quantity);
  const before = item.quantitySteps?.filter(({ from }) => from < day) ?? [];
  const steps = [...before, ...[...byDay].map(([from, quantity]) => ({ from, quantity }))];
  // An agreed change brings another quantity: then nothing is known to be the same.
  return nullIfEmpty(item.plannedChanges === null ? withoutRepeats(steps, item.quantity) : steps);
}

function withoutRepeats(steps: readonly QuantityStep[], quantity: string): QuantityStep[] {
  let level = quantity;
  return steps.filter((step) => {
    const differs = compareDecimal(decimal(step.quantity), decimal(level)) !== 0;
    level = step.quantity;
    return differs;
  });
}

export const nullIfEmpty = <T>(list: readonly T[]): readonly T[] | null => (list.length > 0 ? list : null);
