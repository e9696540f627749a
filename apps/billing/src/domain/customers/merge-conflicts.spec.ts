import { describe, expect, it } from '@jest/globals';
import { mergeConflicts, type MergedParty } from './merge-conflicts.js';

const LIMITS = { levels: 3, contacts: 100, addresses: 50 };
const party = (id: string, more: Partial<MergedParty> = {}): MergedParty => ({
  id,
  status: 'STATUS_ACTIVE',
  currencyCode: 'EUR',
  timeZone: 'Europe/Berlin',
  mergedIntoCustomerId: null,
  isAnonymized: false,
  persons: 0,
  emails: 0,
  addresses: 1,
  hasSubscriptions: true,
  isMetered: false,
  isBeingBilled: false,
  metrics: [],
  ancestors: [id],
  levels: 1,
  ...more,
});
const codes = (source: Partial<MergedParty>, target: Partial<MergedParty> = {}): string[] =>
  mergeConflicts(party('source', source), party('target', target), LIMITS).map(({ code }) => code);

describe('two customers can be one', () => {
  it('when nothing speaks against it', () => {
    expect(codes({})).toEqual([]);
    expect(codes({ status: 'STATUS_ARCHIVED' })).toEqual([]);
    expect(codes({ timeZone: 'Asia/Tokyo', hasSubscriptions: false })).toEqual([]);
    expect(codes({ metrics: ['a'] }, { metrics: ['b'] })).toEqual([]);
    expect(codes({ persons: 60, emails: 49 }, { persons: 40, emails: 50 })).toEqual([]);
    expect(codes({ levels: 2 }, { ancestors: ['target', 'top'] })).toEqual([]);
  });

  it.each<[string, Partial<MergedParty>, Partial<MergedParty>]>([
    ['same_customer', { id: 'target', ancestors: ['target'] }, {}],
    ['target_merged', {}, { mergedIntoCustomerId: 'x', status: 'STATUS_ARCHIVED' }],
    ['target_archived', {}, { status: 'STATUS_ARCHIVED' }],
    ['already_merged', { mergedIntoCustomerId: 'x' }, {}],
    ['anonymized', { isAnonymized: true }, {}],
    ['anonymized', {}, { isAnonymized: true }],
    ['currencies_differ', { currencyCode: 'CHF' }, {}],
    ['time_zones_differ', { timeZone: 'Asia/Tokyo' }, {}],
    ['time_zones_differ', { timeZone: 'Asia/Tokyo', hasSubscriptions: false, isMetered: true }, {}],
    ['being_billed', { isBeingBilled: true }, {}],
    ['metered_twice', { metrics: ['a', 'b'] }, { metrics: ['b', 'c'] }],
    ['too_many_contacts', { persons: 61 }, { persons: 40 }],
    ['too_many_contacts', { emails: 50 }, { emails: 50 }],
    ['too_many_addresses', { addresses: 26 }, { addresses: 25 }],
    ['hierarchy_invalid', { levels: 3 }, { ancestors: ['target', 'middle', 'source'] }],
    ['hierarchy_invalid', { levels: 3 }, { ancestors: ['target', 'top'] }],
  ])('not because of %s', (code, source, target) => {
    expect(codes(source, target)).toEqual([code]);
  });
});
