import { describe, expect, it } from '@jest/globals';
import { DELETION_STATUSES, eraseTime, isRevocable, nextTermOf } from './tenant-deletion.js';

describe('the deletion of a tenant', () => {
  const now = new Date('2026-03-02T09:00:00Z');

  it('waits for 30 days, of a sandbox not at all', () => {
    expect(eraseTime(now, false)).toEqual(new Date('2026-04-01T09:00:00Z'));
    expect(eraseTime(now, true)).toEqual(now);
  });

  it('can be taken back until something is gone', () => {
    expect(DELETION_STATUSES.filter(isRevocable)).toEqual(['closing', 'waiting']);
  });

  it('goes on when the first term is over', () => {
    expect(nextTermOf([{ nextTerm: '2035-01-01' }, { nextTerm: null }, { nextTerm: '2033-01-01' }])).toEqual(
      new Date('2033-01-01T00:00:00Z'),
    );
    expect(nextTermOf([{ nextTerm: null }])).toBeNull();
  });
});
