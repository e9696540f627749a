import { describe, expect, it } from '@jest/globals';
import { version } from 'uuid';
import { isUuid, newUuid, uuidAt } from './ids.js';

describe('a new UUID', () => {
  it('is a version 7 of this moment, and each is greater than the one before', () => {
    const before = Date.now();
    const ids = Array.from({ length: 50_000 }, () => newUuid());
    expect(ids.every((id) => isUuid(id) && version(id) === 7 && /^[89ab]$/.test(id.charAt(19)))).toBe(true);
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids.map((id) => id.slice(24))).size).toBe(ids.length);
    const milliseconds = parseInt((ids[0] as string).replace('-', '').slice(0, 12), 16);
    expect(milliseconds).toBeGreaterThanOrEqual(before - 1);
    expect(milliseconds).toBeLessThanOrEqual(Date.now() + 1);
  });

  it('is of this moment again when a clock that was days ahead is set right', () => {
    const machine = Date.now;
    Date.now = () => machine() + 5 * 86_400_000;
    const ahead = newUuid();
    Date.now = machine;
    const [first, second] = [newUuid(), newUuid()];
    expect(first > uuidAt(new Date(machine() - 1000))).toBe(true);
    expect([first < second, second < uuidAt(new Date(machine() + 1000)), second < ahead]).toEqual([true, true, true]);
  });
});
