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

it.each([
  ['2026-02-01', true],
  ['2026-02-30', false],
  ['9999-12-31', false],
  ['0000-01-01', false],
])('begins on a day that business can be about: %s, %s', (startsOn, isOne) => {
  const sections = [{ type: 'subscription' as const, startsOn }];
  const offer = { dealType: 'new_business' as const, subscriptionId: newUuid(), sections };
  if (isOne) assertItems(offer);
  else
    expect(() => assertItems(offer)).toThrow(
      expect.objectContaining({ violations: [expect.objectContaining({ code: 'invalid_date' })] }),
    );
});

it('of which only the most is named, a buyer takes one at least', () => {
  const item = { id: 'seats', pricePlan: newUuid(), maxQuantity: '50' };
  const itemOf = (change: object) => itemsOf([{ type: 'items', items: [{ ...item, ...change }] }]);
  const take = (quantity: string, change: object = { quantity: '5' }) =>
    choose(itemOf(change), [{ item: 'seats', quantity }])[0]!.quantity;
  expect(() => take('0.000000001')).toThrow('The quantity must be at least 1 and at most 50.');
  expect(take('1')).toBe('1');
  expect(() => take('0.4', { quantity: '0.5' })).toThrow('at least 0.5');
  expect(take('0.5', { quantity: '0.5' })).toBe('0.5');
  expect(take('0.1', { quantity: '5', minQuantity: '0.1' })).toBe('0.1');
});

it.each([
  ['items in a block of texts', [{ type: 'terms', items: [] }], 'sections[0].items'],
  ['a plan among items', [{ type: 'text' }, { type: 'items', plan: newUuid() }], 'sections[1].plan'],
  [
    'a term in a second block of the subscription',
    [{ type: 'subscription' }, { type: 'subscription', period: { contractPeriod: '1Y' } }],
    'sections[1].period',
  ],
])('%s: refused, for nothing would come of it', (_what, sections, propertyPath) => {
  const offer = { dealType: 'new_business' as const, subscriptionId: null, sections };
  expect(() => assertItems(offer)).toThrow(
    expect.objectContaining({ violations: [expect.objectContaining({ propertyPath, code: 'misplaced' })] }),
  );
});
