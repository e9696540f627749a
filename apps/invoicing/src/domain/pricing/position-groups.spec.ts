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
    [
      "{% assign a = 'a' %}{% for i in (1..26) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}{{ a }}",
      {},
      'Name 1',
    ],
    [
      "{% assign a = 'x,x' | split: ',' %}{% for i in (1..40) %}{% assign a = a | push: a %}{% endfor %}{{ a }}",
      {},
      'xx',
    ],
    ['{{ subscription.name }}', { name: `${'x'.repeat(254)}😀` }, 'x'.repeat(254)],
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

  it('name another customer whose lines these are, all of them together and one alone too', () => {
    const child = { id: 'child', name: 'Werk Süd GmbH', number: 'K-10002' };
    const [parents, first, second] = [
      subscription('1'),
      subscription('2', { customer: child }),
      subscription('3', { customer: child }),
    ];
    const lines = [position(parents), position(first), position(second)];
    expect(withSubscriptionGroups(lines, null).map((p) => [p.groupId, p.groupName, p.groupRanking])).toEqual([
      ['1', 'Name 1', 1],
      ['child', 'Werk Süd GmbH (K-10002)', 2],
      ['child', 'Werk Süd GmbH (K-10002)', 2],
    ]);
    expect(withSubscriptionGroups([position(first)], '{{ subscription.name }}')[0]?.groupName).toBe(
      'Werk Süd GmbH (K-10002)',
    );
  });

  describe('of a document', () => {
    const slow = `${'{% for i in (1..100) %}'.repeat(5)}${'{% endfor %}'.repeat(5)}`;
    const many = Array.from({ length: 1000 }, (_, n) => subscription(`${n}`));

    it('take no longer together than one may take', () => {
      const { user, system } = process.threadCpuUsage();
      const named = withSubscriptionGroups(
        many.map((of) => position(of)),
        slow,
      );
      const { user: users, system: systems } = process.threadCpuUsage();
      expect(named.map((p) => p.groupName)).toEqual(many.map(({ name }) => name));
      // One after the other they would take 250 seconds.
      expect((users - user + systems - system) / 1_000_000).toBeLessThan(20);
    });

    it('are written once for each subscription', () => {
      const lines = many.flatMap((of) => [position(of), position(of)]);
      const named = withSubscriptionGroups(lines, 'No. {{ subscription.number }}');
      expect(named.map((p) => p.groupName)).toEqual(many.flatMap(({ id }) => [`No. S-${id}`, `No. S-${id}`]));
    });
  });

  it('given by hand stay', () => {
    const [a, b] = [subscription('1'), subscription('2')];
    expect(
      withSubscriptionGroups([position(a, { groupId: 'own', groupName: 'Own', groupRanking: 9 }), position(b)], null)[0]
        ?.groupName,
    ).toBe('Own');
  });
});
