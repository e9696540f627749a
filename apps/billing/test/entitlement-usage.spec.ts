import { describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import type { MeteredQuantity, QuantityRequest, Unmeasured } from '../src/domain/metering/metered.js';
import { MeasureEntitlements } from '../src/entitlements/measure-entitlements.js';
import type { KnownEntitlement } from '../src/entitlements/represent-entitlement.js';
import { MeteredSources } from '../src/metering/metered-sources.js';

const METRIC = newUuid();
const context = {
  tenantId: newUuid(),
  now: new Date('2026-02-10T09:00:00.000Z'),
  zone: 'Europe/Berlin',
  metrics: new Map(),
};

const entitled = (value: string, change: Partial<KnownEntitlement> = {}) =>
  ({
    id: newUuid(),
    customerId: newUuid(),
    subscriptionId: null,
    subscriptionItemId: null,
    usageMetricId: METRIC,
    value,
    billedFrom: null,
    billedTo: null,
    ...change,
  }) as KnownEntitlement;

/** Measures with a source that answers the same for all; says what it was asked for. */
async function measured(rows: readonly KnownEntitlement[], answer: MeteredQuantity | Unmeasured) {
  const sources = new MeteredSources();
  const asked: QuantityRequest[] = [];
  sources.register({
    source: 'usage',
    measure: async (_tenant, requests) => {
      asked.push(...requests);
      return new Map(requests.map(({ key }) => [key, answer]));
    },
  });
  const usage = await new MeasureEntitlements(sources).execute(rows, context);
  return { usage: rows.map(({ id }) => usage.get(id)), asked };
}

const used = (quantity: string): MeteredQuantity => ({ quantity, groups: [], closingId: null });

describe('what is left of an entitlement', () => {
  it('is its value without what was used in the calendar month, never below zero', async () => {
    const rows = [entitled('10'), entitled('2.5'), entitled('unlimited'), entitled('1', { usageMetricId: null })];
    const { usage, asked } = await measured(rows, used('4.25'));
    expect(usage.map((found) => found?.remaining)).toEqual(['5.75', '0', 'unlimited', undefined]);
    expect(usage[0]).toMatchObject({
      used: '4.25',
      from: '2026-01-31T23:00:00.000Z',
      to: '2026-02-28T23:00:00.000Z',
    });
    expect(asked).toHaveLength(3);
  });

  it('is counted in the charged period of its item while that lasts', async () => {
    const item = { subscriptionItemId: newUuid(), subscriptionId: newUuid() };
    const rows = [
      entitled('10', { ...item, billedFrom: '2026-01-15', billedTo: '2026-02-15' }),
      entitled('10', { ...item, billedFrom: '2026-01-01', billedTo: '2026-02-01' }),
    ];
    const { asked } = await measured(rows, used('1'));
    expect(asked.map(({ from, to }) => [from, to])).toEqual([
      ['2026-01-15', '2026-02-15'],
      ['2026-02-01', '2026-03-01'],
    ]);
  });

  it('is not said when usage does not answer, or for too many', async () => {
    await expect(measured([entitled('10')], { reason: 'usage_unavailable', retryable: true })).rejects.toMatchObject({
      reason: 'usage_unavailable',
      kind: 'unavailable',
    });
    const many = Array.from({ length: 201 }, () => entitled('10'));
    await expect(measured(many, used('1'))).rejects.toMatchObject({ reason: 'too_many_entitlements' });
  });
});
