import { describe, expect, it, test } from '@jest/globals';
import {
  type Contender,
  type EntitlementFacts,
  entitlementStatus,
  nextEntitlementChange,
  notReplaced,
} from './entitlement-status.js';
import { type FeatureType, readConfig, readValue } from './feature-config.js';

const at = (text: string): Date => new Date(text);
const NOW = at('2026-02-01T00:00:00.000Z');
const EARLIER = at('2026-01-01T00:00:00.000Z');
const LATER = at('2026-03-01T00:00:00.000Z');
const plain: EntitlementFacts = {
  active: true,
  validFrom: null,
  validUntil: null,
  endedAt: null,
  isAvailable: true,
  subscriptionStatus: 'active',
  itemStatus: 'active',
  isCustomerSuspended: false,
};

describe('the status of an entitlement', () => {
  test.each<[string, Partial<EntitlementFacts>, string]>([
    ['is active inside its validity', { validFrom: NOW, validUntil: LATER }, 'active'],
    ['is active without a subscription', { subscriptionStatus: null, itemStatus: null }, 'active'],
    ['is active with an item that is not billed yet', { itemStatus: 'pending' }, 'active'],
    ['is active until a cancellation takes effect', { itemStatus: 'cancelled' }, 'active'],
    ['is pending before its validity', { validFrom: LATER }, 'pending'],
    ['is pending while its feature is a draft', { isAvailable: false }, 'pending'],
    ['is pending with a draft', { subscriptionStatus: 'draft' }, 'pending'],
    ['is pending with an offer', { subscriptionStatus: 'offer' }, 'pending'],
    ['is expired at the end of its validity', { validUntil: NOW }, 'expired'],
    ['is expired with its subscription', { subscriptionStatus: 'cancelled' }, 'expired'],
    ['is expired with its item', { itemStatus: 'terminated' }, 'expired'],
    ['is expired when nothing gives it any more', { endedAt: EARLIER }, 'expired'],
    ['is disabled by hand, whatever else', { active: false, validUntil: EARLIER }, 'disabled'],
    ['is disabled while its subscription is paused', { subscriptionStatus: 'paused' }, 'disabled'],
    ['is disabled while its customer is suspended', { isCustomerSuspended: true }, 'disabled'],
    ['is expired rather than paused', { subscriptionStatus: 'paused', validUntil: EARLIER }, 'expired'],
  ])('%s', (_name, facts, status) => {
    expect(entitlementStatus({ ...plain, ...facts }, NOW)).toBe(status);
  });

  it('changes with time at the start and at the end of the validity only', () => {
    const facts = { ...plain, validFrom: EARLIER, validUntil: LATER };
    expect(nextEntitlementChange(facts, at('2025-12-01T00:00:00.000Z'))).toEqual(EARLIER);
    expect(nextEntitlementChange(facts, EARLIER)).toEqual(LATER);
    expect(nextEntitlementChange(facts, LATER)).toBeNull();
    expect(nextEntitlementChange({ ...facts, endedAt: EARLIER }, NOW)).toBeNull();
  });
});

describe('several entitlements to one feature', () => {
  const contender = (source: Contender['source'], more: Partial<Contender & { n: number }> = {}) => ({
    featureId: 'seats',
    source,
    subscriptionId: source === 'customer' ? null : 'S1',
    subscriptionItemId: source === 'customer' || source === 'subscription' ? null : 'I1',
    status: 'active' as const,
    ...more,
  });

  it('the nearest to the customer holds', () => {
    const [product, price, item, subscription, customer] = [
      contender('product'),
      contender('price'),
      contender('item'),
      contender('subscription'),
      contender('customer'),
    ] as const;
    expect(notReplaced([product, price])).toEqual([price]);
    expect(notReplaced([item, product, price])).toEqual([item]);
    expect(notReplaced([product, subscription, item])).toEqual([subscription]);
    expect(notReplaced([customer, product, price, item, subscription])).toEqual([customer]);
  });

  it('of one place the latest holds', () => {
    const early = contender('subscription', { n: 1 });
    const late = contender('subscription', { n: 2 });
    expect(notReplaced([early, late])).toEqual([late]);
  });

  it('each of several items and subscriptions has its own', () => {
    const first = contender('price');
    const second = contender('product', { subscriptionItemId: 'I2' });
    const other = contender('subscription', { subscriptionId: 'S2' });
    expect(notReplaced([first, second, other])).toEqual([first, second, other]);
  });

  it('what is not active replaces nothing and is kept', () => {
    const product = contender('product');
    const pending = contender('item', { status: 'pending' });
    expect(notReplaced([product, pending])).toEqual([product, pending]);
    expect(notReplaced([contender('product', { status: 'disabled' }), contender('customer')])).toHaveLength(2);
  });

  it('other features are not concerned', () => {
    const other = contender('customer', { featureId: 'storage' });
    expect(notReplaced([contender('product'), other])).toHaveLength(2);
  });
});

describe('the config of a feature', () => {
  const levels = [{ value: '10', label: 'Ten' }, { value: 'unlimited' }];
  const range = { min: '1', max: '100', step: '0.5' };
  const config = (type: FeatureType, value: unknown) => readConfig(type, value);

  it('is kept in one form', () => {
    expect(config('quantity', [{ value: 10.5 }, { value: 'unlimited', label: null }])).toEqual({
      value: [
        { value: '10.5', label: null },
        { value: 'unlimited', label: null },
      ],
    });
    expect(config('range', { min: 1, allowUnlimitedMax: true })).toEqual({
      value: { min: '1', max: null, step: null, allowUnlimitedMin: false, allowUnlimitedMax: true },
    });
    expect(config('switch', null)).toEqual({ value: null });
  });

  test.each<[string, FeatureType, unknown, string]>([
    ['none where one is needed', 'custom', undefined, 'config'],
    ['one for a switch', 'switch', levels, 'config'],
    ['no levels', 'quantity', [], 'config'],
    ['a range for levels', 'custom', range, 'config'],
    ['levels for a range', 'range', levels, 'config'],
    ['a level twice', 'quantity', [{ value: '10' }, { value: '10.0' }], 'config[1].value'],
    ['a level that is no number', 'quantity', [{ value: 'many' }], 'config[0].value'],
    ['a level below zero', 'quantity', [{ value: '-1' }], 'config[0].value'],
    ['an unknown field', 'custom', [{ value: 'gold', colour: 'gold' }], 'config[0].colour'],
    ['no minimum', 'range', { max: 5 }, 'config.min'],
    ['no maximum', 'range', { min: 5 }, 'config.max'],
    ['a maximum below the minimum', 'range', { min: 5, max: 4 }, 'config.max'],
    ['no step', 'range', { min: 1, max: 4, step: 0 }, 'config.step'],
    ['words for numbers', 'range', { min: 'one', max: 4 }, 'config.min'],
    ['an unknown field of a range', 'range', { ...range, unit: 'GB' }, 'config.unit'],
  ])('%s is refused', (_name, type, given, propertyPath) => {
    expect(config(type, given)).toMatchObject({ violation: { propertyPath } });
  });

  test.each<[string, FeatureType, unknown, unknown, string | null]>([
    ['a switch is on unless it says otherwise', 'switch', null, undefined, 'true'],
    ['a switch may be off', 'switch', null, false, 'false'],
    ['a switch has no number', 'switch', null, 1, null],
    ['a level may be written in another way', 'quantity', levels, '10.0', '10'],
    ['unlimited is a level', 'quantity', levels, 'unlimited', 'unlimited'],
    ['no level between', 'quantity', levels, '11', null],
    ['nothing is no value', 'quantity', levels, null, null],
    ['a level by its name', 'custom', [{ value: 'gold' }], 'gold', 'gold'],
    ['another name', 'custom', [{ value: 'gold' }], 'silver', null],
    ['a value in range', 'range', range, 99.5, '99.5'],
    ['the bounds', 'range', range, '100', '100'],
    ['below', 'range', range, '0.5', null],
    ['above', 'range', range, '100.5', null],
    ['off its steps', 'range', range, '1.25', null],
    ['no limit where there is one', 'range', range, 'unlimited', null],
  ])('value: %s', (_name, type, given, value, kept) => {
    const read = config(type, given);
    if (!('value' in read)) throw new Error('the config is allowed');
    const found = readValue(type, read.value, value);
    expect('value' in found ? found.value : null).toBe(kept);
  });
});
