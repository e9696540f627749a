import { expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { assertItems, choose, itemsOf } from './items.js';

it('of items that change the same item of a subscription one is chosen', () => {
  const subscriptionItem = newUuid();
  const alternative = { pricePlan: newUuid(), subscriptionItem, optional: true };
  const offer = (...items: object[]) => ({
    dealType: 'expansion' as const,
    subscriptionId: newUuid(),
    sections: [{ type: 'items' as const, items }],
  });
  const twice = expect.objectContaining({
    reason: 'validation_failed',
    violations: [expect.objectContaining({ code: 'duplicate_subscription_item' })],
  });
  const seats = { ...alternative, quantity: '5', selected: true };
  expect(() => assertItems(offer(seats, { ...seats, quantity: '7' }))).toThrow(twice);

  const alternatives = offer({ ...seats, id: 'five' }, { ...alternative, id: 'seven', quantity: '7' });
  assertItems(alternatives);
  const items = itemsOf(alternatives.sections);
  expect(() => choose(items, [{ item: 'seven', selected: true }])).toThrow(twice);
  const chosen = choose(items, [
    { item: 'five', selected: false },
    { item: 'seven', selected: true },
  ]);
  expect(chosen.filter(({ selected }) => selected).map(({ quantity }) => quantity)).toEqual(['7']);
});
