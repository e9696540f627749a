import { describe, expect, it } from '@jest/globals';
import { type DebitFacts, decideDebit } from '../sepa/decide-order.js';
import {
  endsMandate,
  isMandateReference,
  mandateEnds,
  maskIban,
  readBic,
  readIban,
  sequenceAfter,
} from './sepa-mandate.js';

describe('what a mandate says', () => {
  it.each([
    ['de89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['FR1420041010050500013M02606', 'FR1420041010050500013M02606'],
    ['CH9300762011623852957', 'CH9300762011623852957'],
    ['DE89370400440532013001', null],
    ['DE8937040044053201300', null],
    ['BR1500000000000010932840814P2', null],
    ['', null],
  ])('the account %j is %j', (text, expected) => expect(readIban(text)).toBe(expected));

  it('an account is shown by its ends', () => expect(maskIban('DE89370400440532013000')).toBe('DE89••••3000'));
  it.each([['cobadeffxxx', 'COBADEFFXXX'], ['COBA', null]])('the bank %j is %j', (text, expected) => expect(readBic(text)).toBe(expected)); // prettier-ignore

  it.each(['M-1', 'A', 'x'.repeat(35), "a+?:().,'/b"])('%j names a mandate', (text) =>
    expect(isMandateReference(text)).toBe(true),
  );
  it.each(['', 'a b', 'ä', '/a', 'a/', 'a//b', 'x'.repeat(36)])('%j does not', (text) =>
    expect(isMandateReference(text)).toBe(false),
  );

  it.each([
    ['2026-01-31', null, '2029-01-31'],
    ['2024-02-29', null, '2027-02-28'],
    ['2026-01-31', '2027-06-15', '2030-06-15'],
    ['2026-01-31', '2025-06-15', '2029-01-31'],
  ])('signed on %s and used on %s it ends on %s', (signed, used, expected) =>
    expect(mandateEnds(signed, used)).toBe(expected),
  );

  it.each([
    ['FRST', 'RCUR'],
    ['RCUR', 'RCUR'],
    ['OOFF', null],
    ['FNAL', null],
  ] as const)('after %s comes %s', (sequence, next) => expect(sequenceAfter(sequence)).toBe(next));
  it.each([
    ['AC04', true],
    ['MD01', true],
    ['AM04', false],
    ['MD06', false],
    ['MS03', false],
  ])('a return for %s ends it: %s', (code, expected) => expect(endsMandate(code)).toBe(expected));
});

describe('a waiting debit, when a file is made', () => {
  const facts: DebitFacts = {
    amountMinor: 5000n, transactionStatus: 'pending', openMinor: 5000n,
    method: { status: 'active', enabled: true, removed: false, statusReason: null, nextSequence: 'FRST' },
  }; // prettier-ignore
  const method = facts.method!;
  it.each([
    ['goes into it', {}, { kind: 'export', sequenceType: 'FRST', next: 'RCUR' }],
    [
      'of an intent that owes more goes into it',
      { openMinor: 9000n },
      { kind: 'export', sequenceType: 'FRST', next: 'RCUR' },
    ],
    ['that was decided meanwhile is dropped', { transactionStatus: 'failed' }, { kind: 'drop' }],
    ['that was paid otherwise is taken back', { openMinor: 0n }, { kind: 'cancel', rest: false }],
    ['of which some was paid is collected anew', { openMinor: 1n }, { kind: 'cancel', rest: true }],
    ['that was overpaid is taken back', { openMinor: -1n }, { kind: 'cancel', rest: false }],
    [
      'of a removed method fails',
      { method: { ...method, removed: true } },
      { kind: 'decline', reason: 'payment_method_removed' },
    ],
    [
      'of a revoked mandate fails for its reason',
      { method: { ...method, status: 'revoked', statusReason: 'MD01' } },
      { kind: 'decline', reason: 'MD01' },
    ],
    [
      'of a method that is switched off fails',
      { method: { ...method, enabled: false } },
      { kind: 'decline', reason: 'payment_method_disabled' },
    ],
    [
      'of a mandate that is used up fails',
      { method: { ...method, nextSequence: null } },
      { kind: 'decline', reason: 'mandate_used_up' },
    ],
  ])('%s', (_name, more, expected) => expect(decideDebit({ ...facts, ...more } as DebitFacts)).toEqual(expected));
});
