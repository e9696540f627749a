import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { turnsOfOthers } from '@kontor/testing';
import { MAX_BANK_LINES } from '../bank.dto.js';
import { readImport } from './read-import.js';

const line = { reference: 'r', bookingDate: '2026-03-01', amount: '1.00', currencyCode: 'EUR' };
const read = (transactions: readonly unknown[]) => {
  const body = Buffer.from(JSON.stringify({ bankAccountId: newUuid(), transactions }));
  return readImport(newUuid(), body, 'application/json');
};

describe('a list of bank lines', () => {
  it('is read in turns with others', async () => {
    const lines = [1, 2, 3, 4].map((n) => ({ ...line, reference: `r${n}` }));
    const { result, turns } = await turnsOfOthers(() => read([...lines, { ...line, amount: 5 }]));
    expect([result.statements[0]?.entries.length, result.refused.length]).toEqual([4, 1]);
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  it('that is too long, or none, is refused', async () => {
    const refused = {
      reason: 'validation_failed',
      violations: [{ propertyPath: 'transactions', code: 'invalid_length' }],
    };
    for (const count of [0, MAX_BANK_LINES + 1])
      await expect(read(Array.from({ length: count }, () => line))).rejects.toMatchObject(refused);
    await expect(read([null])).resolves.toMatchObject({ statements: [], refused: [{ index: 0 }] });
  });
});
