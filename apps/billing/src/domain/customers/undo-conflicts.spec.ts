import { describe, expect, it } from '@jest/globals';
import { type Entanglement, type PartedParty, undoConflicts } from './undo-conflicts.js';

const party = (changed: Partial<PartedParty> = {}): PartedParty => ({
  status: 'STATUS_ACTIVE',
  currencyCode: 'EUR',
  timeZone: 'Europe/Berlin',
  mergedIntoCustomerId: null,
  isAnonymized: false,
  ...changed,
});
const APART: Entanglement = { isBeingBilled: false, sharesBillingGroup: false, sharesPrice: false };
const codes = (source: PartedParty, target: PartedParty, both: Partial<Entanglement> = {}): string[] =>
  undoConflicts(source, target, { ...APART, ...both }).map(({ code }) => code);

describe('undoing a merge', () => {
  it('is possible while both can be told apart', () => {
    expect(codes(party({ status: 'STATUS_ARCHIVED', mergedIntoCustomerId: 'target' }), party())).toEqual([]);
  });

  it('is refused by what became of the target', () => {
    const archived = { status: 'STATUS_ARCHIVED' };
    expect(codes(party(), party({ ...archived, mergedIntoCustomerId: 'another' }))).toEqual(['target_merged']);
    expect(codes(party(), party(archived))).toEqual(['target_archived']);
    expect(codes(party(), party({ isAnonymized: true }))).toEqual(['anonymized']);
    expect(codes(party({ isAnonymized: true }), party())).toEqual(['anonymized']);
    expect(codes(party(), party({ currencyCode: 'CHF', timeZone: 'Europe/Zurich' }))).toEqual([
      'currencies_differ',
      'time_zones_differ',
    ]);
  });

  it('is refused by what has grown together', () => {
    expect(codes(party(), party(), { isBeingBilled: true })).toEqual(['being_billed']);
    expect(codes(party(), party(), { sharesBillingGroup: true })).toEqual(['billing_group_shared']);
    expect(codes(party(), party(), { sharesPrice: true })).toEqual(['price_shared']);
  });
});
