import { describe, expect, it, test } from '@jest/globals';
import { groupName, withSubscriptionGroups } from './position-groups.js';
import type { Position, SubscriptionReference } from '../invoices/position.js';

const subscription = (id: string, change: Partial<SubscriptionReference> = {}): SubscriptionReference => ({
  id,
  name: `Name ${id}`,
  number: `S-${id}`,
  poNumber: null,
  customFields: null,
  ...change,
});
const position = (of: SubscriptionReference | null, change: Partial<Position> = {}): Position =>
  ({ id: `${of?.id}`, subscription: of, groupId: null, groupName: null, groupRanking: null, ...change }) as Position;

describe('headlines', () => {
  test.each<[string | null, Partial<SubscriptionReference>, string]>([
    [null, {}, 'Name 1'],
    [null, { name: null }, 'S-1'],
    ['{{ subscription.name }} / {{ subscription.number }}', {}, 'Name 1 / S-1'],
    [
      '{% if subscription.poNumber %}PO {{ subscription.poNumber }}{% else %}{{ subscription.name }}{% endif %}',
      { poNumber: '77' },
      'PO 77',
    ],
    ['{{ subscription.customFields.team }}', { customFields: { team: 'Nord' } }, 'Nord'],
    ['{{ broken', {}, 'Name 1'],
    ['   ', {}, 'Name 1'],
    ['{% for i in (1..100000000) %}x{% endfor %}', {}, 'Name 1'],
    ['{{ subscription.constructor }}', {}, 'Name 1'],
  ])('%s', (template, change, expected) => {
    expect(groupName(subscription('1', change), template)).toBe(expected);
  });

  it('stand over the positions of several subscriptions, in order of appearance; one alone has none', () => {
    const [a, b] = [subscription('b'), subscription('a')];
    expect(withSubscriptionGroups([position(a), position(a)], null).map((p) => p.groupId)).toEqual([null, null]);
    expect(
      withSubscriptionGroups([position(a), position(b), position(a), position(null)], null).map((p) => [
        p.groupName,
        p.groupRanking,
      ]),
    ).toEqual([
      ['Name b', 1],
      ['Name a', 2],
      ['Name b', 1],
      [null, null],
    ]);
  });

  it('given by hand stay', () => {
    const [a, b] = [subscription('1'), subscription('2')];
    expect(
      withSubscriptionGroups([position(a, { groupId: 'own', groupName: 'Own', groupRanking: 9 }), position(b)], null)[0]
        ?.groupName,
    ).toBe('Own');
  });
});
