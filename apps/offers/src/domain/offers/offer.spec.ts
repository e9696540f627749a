import { describe, expect, it } from '@jest/globals';
import type { DomainError } from '@kontor/kernel';
import { assertValid } from './accept.js';
import { archive, extend, hasExpired, isOver, nextExpiry, type Offer, offerNumber, publish } from './offer.js';

const now = new Date('2026-03-01T12:00:00.000Z');
const later = new Date('2026-03-31T21:59:59.999Z');
const over = new Date('2026-03-31T22:00:00.000Z');
const before = new Date('2026-02-28T00:00:00.000Z');
const offer: Offer = {
  id: '01K00000000000000000000001',
  number: 'AN-2026-00001',
  status: 'open',
  acceptanceMode: 'click',
  customerId: 'c',
  name: null,
  dealType: 'new_business',
  locale: 'de',
  subscriptionId: null,
  autoActivateSubscription: true,
  crmDealId: null,
  customVariables: null,
  sections: [],
  choice: null,
  contactPerson: null,
  reminderDays: [],
  remindedAt: null,
  approvers: [],
  approval: null,
  validUntil: later,
  issuedAt: null,
  expiredFor: null,
  currentVersionHash: 'b',
  publishedVersionHash: null,
  published: null,
};
const published = { ...offer, issuedAt: before, publishedVersionHash: 'a' };
const quoted = { quote: null, prices: [] };

describe('an offer', () => {
  it('has a number with its year', () => expect(offerNumber(2026, 7)).toBe('AN-2026-00007'));

  it('keeps the day of its first publication when it is published again', () => {
    expect(publish(offer, quoted, now)).toMatchObject({ issuedAt: now, publishedVersionHash: 'b' });
    expect(publish(published, quoted, now)).toMatchObject({ issuedAt: before, publishedVersionHash: 'b' });
  });

  it.each([
    ['publish', () => publish({ ...offer, status: 'archived' }, quoted, now), 'invalid_status_transition'],
    ['publish after its validity', () => publish({ ...offer, validUntil: before }, quoted, now), 'validation_failed'],
    ['extend', () => extend({ ...offer, status: 'signed' }, later, now), 'invalid_status_transition'],
    ['extend into the past', () => extend(offer, before, now), 'validation_failed'],
    ['extend to an earlier day', () => extend(offer, new Date('2026-03-10T00:00:00Z'), now), 'validation_failed'],
    ['archive twice', () => archive({ ...offer, status: 'archived' }), 'invalid_status_transition'],
    ['archive a signed one', () => archive({ ...offer, status: 'signed' }), 'invalid_status_transition'],
  ])('refuses to %s', (_name, act, reason) => expect(act).toThrow(expect.objectContaining({ reason })));

  it.each([
    ['not published', offer, null],
    ['published', published, over],
    ['without end', { ...published, validUntil: null }, null],
    ['archived', { ...published, status: 'archived' as const }, null],
    ['signed', { ...published, status: 'signed' as const }, null],
    ['announced already', { ...published, expiredFor: later }, null],
    ['extended after it had expired', { ...published, expiredFor: before }, over],
  ])('%s: its next expiry', (_name, changed, expected) => expect(nextExpiry(changed)).toEqual(expected));

  it.each([
    ['open', new Date(later.getTime() - 1), false],
    ['open', later, false],
    ['open', over, true],
    ['signing', later, false],
    ['signing', over, true],
    ['awaiting_invoice_details', over, false],
  ] as const)('%s at %s: what cannot be accepted any more is over, and nothing else', (status, at, expected) => {
    const offered = { ...published, status };
    expect(isOver(offered, at)).toBe(expected);
    expect(hasExpired(offered, at)).toBe(expected && status === 'open');
    const reasonOf = (act: () => unknown): unknown => {
      try {
        return act();
      } catch (error) {
        return (error as DomainError).reason;
      }
    };
    expect(reasonOf(() => assertValid(offered, at))).toBe(expected ? 'offer_expired' : undefined);
    expect(reasonOf(() => assertValid({ ...offered, validUntil: null }, at))).toBeUndefined();
  });

  it('expires once for each end of its validity', () => {
    expect(hasExpired({ ...published, expiredFor: later }, new Date('2027-01-01T00:00:00Z'))).toBe(false);
  });
});
