import { describe, expect, it } from '@jest/globals';
import { NO_BATCH, type RawEntry, type RawStatement } from '../../domain/bank/import/statement.js';
import { packStatements, unpackStatements } from './pack-statements.js';

const entry = (n: number, parts = 1): RawEntry => ({
  name: `entry ${n}`,
  bookingDay: '2026-01-05',
  valueDay: null,
  amount: '1.00',
  isDebit: false,
  currencyCode: 'EUR',
  bankReference: null,
  details: Array.from({ length: parts }, () => ({
    amount: null,
    currencyCode: null,
    isDebit: null,
    reference: null,
    endToEndId: null,
    mandateReference: null,
    counterpartyName: 'Jürgen 🐘',
    counterpartyIban: null,
    remittance: null,
    isReturn: false,
    returnReason: null,
    charges: null,
    batch: NO_BATCH,
  })),
});
const statement = (name: string, entries: RawEntry[]): RawStatement => ({ name, account: null, entries });

const readAll = (packed: readonly Uint8Array[]): RawStatement[] => {
  const steps = unpackStatements(packed);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

describe('statements from another process', () => {
  it('are the same, and come in small pieces', () => {
    const many = Array.from({ length: 3000 }, (_, n) => entry(n));
    const statements = [statement('a', many), statement('b', []), statement('c', [entry(1, 2000), entry(2)])];
    const packed = packStatements(statements);
    expect(packed.length).toBeGreaterThan(6);
    const steps = unpackStatements(packed);
    for (const _ of packed) expect(steps.next().done).toBe(false);
    expect(steps.next()).toEqual({ done: true, value: statements });
  });

  it('have no endless texts, which a file may say once for all of its entries', () => {
    const words = 'x'.repeat(1_000_000);
    const many = Array.from({ length: 500 }, (_, n) => ({ ...entry(n), currencyCode: words }));
    const packed = packStatements([statement('a', many)]);
    expect(packed.every(({ length }) => length < 1_100_000)).toBe(true);
    const [first] = readAll(packed);
    expect(first?.entries[0]?.currencyCode).toHaveLength(4_000);
  });

  it('are refused where they are more than what banks send', () => {
    const words = 'x'.repeat(4_000);
    const { details, ...rest } = entry(1, 9_000);
    const large = { ...rest, details: details.map((detail) => ({ ...detail, remittance: words })) };
    expect(() => packStatements([statement('a', [large])])).toThrow('The entry 1 is too much to be imported');
    const half = { ...large, details: large.details.slice(0, 4_500) };
    expect(() =>
      packStatements([
        statement(
          'a',
          Array.from({ length: 8 }, () => half),
        ),
      ]),
    ).toThrow('too much');
  });

  it('an entry of too many parts is none', () => {
    expect(() => packStatements([statement('a', [entry(7, 20_001)])])).toThrow(
      'The entry 7 has more than 20000 parts.',
    );
  });
});
