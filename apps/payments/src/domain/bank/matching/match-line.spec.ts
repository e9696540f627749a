import { describe, expect, it } from '@jest/globals';
import type { Intent } from '../../customer-books/intent.js';
import type { BankTransaction } from '../bank-transaction.js';
import { matchLine, searchedText } from './match-line.js';
import { windowsOf } from './reference-windows.js';

const intent = (documentNumber: string, openMinor: bigint, more: Partial<Intent> = {}): Intent =>
  ({
    id: `intent ${documentNumber}`,
    invoiceId: documentNumber,
    documentNumber,
    customerId: 'c',
    currencyCode: 'EUR',
    amountMinor: openMinor || 1n,
    openMinor,
    pendingMinor: 0n,
    payerMinor: 0n,
    status: 'open',
    ...more,
  }) as Intent;

const topUp = (openMinor: bigint): Intent => intent('TU-3104D59E7A', openMinor, { invoiceId: null, topUpId: 't' });

const line = (text: string, amountMinor: bigint, more: Partial<BankTransaction> = {}): BankTransaction =>
  ({
    id: 'l',
    amountMinor,
    unassignedMinor: amountMinor,
    currencyCode: 'EUR',
    remittanceInformation: text,
    endToEndId: null,
    byHand: false,
    ...more,
  }) as BankTransaction;

function match(transaction: BankTransaction, ...open: Intent[]) {
  const keyOf = (it: Intent): string => it.documentNumber.toUpperCase().replace(/[^0-9A-Z]/g, '');
  const numbers = windowsOf(searchedText(transaction)).flatMap((window) =>
    open.filter((it) => keyOf(it) === window.key).map((it) => ({ ...window, intent: it })),
  );
  const moving = new Set(open.filter((it) => it.pendingMinor > it.payerMinor));
  const found = matchLine(transaction, { numbers, payers: [], moving });
  if (found.kind === 'book') return found.intents.map((it) => it.documentNumber);
  return found.kind === 'suggest' ? found.suggestions.map((it) => `${it.invoiceId}?`) : [];
}

describe('a number is recognized', () => {
  it.each([
    'RE-2026-00017',
    're 2026 00017',
    'Rechnung RE2026/00017 vom 12.11.2026, Kd. 4711',
    'RE-2026-\n00017',
    'RE-2026-000\n17',
    'RechnungRE202600017',
    'RG.NR.RE-2026-00017',
    'Danke.RE_2026_00017.',
  ])('in "%s"', (text) => expect(match(line(text, 100n), intent('RE-2026-00017', 100n))).toEqual(['RE-2026-00017']));

  it('in the end-to-end id', () =>
    expect(match(line('', 100n, { endToEndId: 'RE-2026-00017' }), intent('RE-2026-00017', 100n))).toEqual([
      'RE-2026-00017',
    ]));

  it.each(['RE-2026-000170', 'RE-2026-0001', '2026', 'XRE-2026-0017'])('and not in "%s"', (text) =>
    expect(match(line(text, 100n), intent('RE-2026-00017', 100n))).toEqual([]),
  );
});

describe('what letters claim', () => {
  const found = (transaction: BankTransaction, named: Intent[], claims: [Intent, Intent[]][]) => {
    const keyOf = (it: Intent): string => it.documentNumber.replace(/-/g, '');
    const numbers = windowsOf(searchedText(transaction)).flatMap((window) =>
      named.filter((it) => keyOf(it) === window.key).map((it) => ({ ...window, intent: it })),
    );
    return matchLine(transaction, { numbers, payers: [], claimed: new Map(claims), moving: new Set() });
  };
  const [invoice, letter] = [intent('RE-2026-1', 11900n), intent('MA-2026-1', 500n)];
  const claims = [invoice, letter];

  it.each([
    ['of a settled invoice', intent('RE-2026-00017', 0n, { status: 'succeeded', amountMinor: 11900n })],
    ['of a cancelled invoice', intent('RE-2026-00017', 0n, { status: 'cancelled', amountMinor: 11900n })],
    ['of a credit note', intent('RE-2026-00017', -11900n)],
  ])('is not booked on a number that stands inside of the one %s', (_of, longer) => {
    const other = intent('2026-00017', 11900n, { customerId: 'another' });
    const inner: [Intent, Intent[]] = [other, [other]];
    expect(found(line('RE-2026-00017', 11900n), [longer, other], [[longer, []], inner]).kind).toBe('suggest');
  });

  it('is not disturbed by a number inside of the one that is named', () => {
    const other = intent('2026-1', 700n, { customerId: 'another' });
    const named: [Intent, Intent[]][] = [
      [letter, claims],
      [other, [other]],
    ];
    expect(found(line('MA-2026-1', 12400n), [letter, other], named)).toEqual({ kind: 'book', intents: claims });
    expect(found(line('MA-2026-1', 13100n), [letter, other], named).kind).toBe('suggest');
  });

  it('is suggested where it is not certain', () => {
    const suggested = (amountMinor: bigint, more: Partial<BankTransaction> = {}) => {
      const match = found(line('MA-2026-1', amountMinor, more), [letter], [[letter, claims]]);
      return match.kind === 'suggest'
        ? match.suggestions.map(({ invoiceId, score }) => [invoiceId, score])
        : match.kind;
    };
    expect(suggested(11900n)).toEqual([
      ['RE-2026-1', 0.9],
      ['MA-2026-1', 0.7],
    ]);
    expect(suggested(6000n)).toEqual([
      ['RE-2026-1', 0.75],
      ['MA-2026-1', 0.7],
    ]);
    expect(suggested(12400n, { byHand: true })).toEqual([
      ['MA-2026-1', 0.95],
      ['RE-2026-1', 0.95],
    ]);
    expect(suggested(12400n)).toBe('book');
  });
});

describe('a line', () => {
  const [a, b] = [intent('RE-2026-1', 100n), intent('RE-2026-2', 250n)];
  it.each<[string, BankTransaction, Intent[], string[]]>([
    ['books the sum of several', line('RE-2026-1 und RE-2026-2', 350n), [a, b], ['RE-2026-1', 'RE-2026-2']],
    ['of another sum suggests all of them', line('RE-2026-1 RE-2026-2', 300n), [a, b], ['RE-2026-1?', 'RE-2026-2?']],
    ['of one of them suggests', line('RE-2026-1 statt RE-2026-2', 250n), [a, b], ['RE-2026-2?', 'RE-2026-1?']],
    [
      'books what is open beside what is paid',
      line('RE-2026-1 RE-2026-2', 250n),
      [intent('RE-2026-1', 0n), b],
      ['RE-2026-2'],
    ],
    [
      'never books an ambiguous one',
      line('RE-2026-12', 100n),
      [intent('RE-2026-12', 100n), intent('RE-202612', 100n)],
      ['RE-2026-12?', 'RE-202612?'],
    ],
    ['reads the longer number', line('RE-2026-1', 100n), [a, intent('2026-1', 100n)], ['RE-2026-1']],
    ['does not trust a short number', line('Nr. 17', 100n), [intent('17a', 5n), intent('017', 100n)], []],
    ['suggests by a short number', line('Nr. 117', 100n), [intent('117', 100n)], ['117?']],
    [
      'leaves alone what is being collected',
      line('RE-2026-1', 100n),
      [intent('RE-2026-1', 100n, { pendingMinor: 100n })],
      ['RE-2026-1?'],
    ],
    ['books the reference of a top-up', line('Guthaben TU 3104D59E7A', 100n), [topUp(100n)], ['TU-3104D59E7A']],
    ['of another amount suggests no top-up', line('TU-3104D59E7A', 99n), [topUp(100n)], []],
    ['never books another currency', line('RE-2026-1', 100n, { currencyCode: 'USD' }), [a], []],
    [
      'never books a cancelled one',
      line('RE-2026-1', 100n),
      [intent('RE-2026-1', 0n, { amountMinor: 100n, status: 'cancelled' })],
      [],
    ],
    [
      'suggests one that is open again',
      line('RE-2026-1', 100n),
      [intent('RE-2026-1', 100n, { status: 'cancelled' })],
      ['RE-2026-1?'],
    ],
    ['that went out pays a credit note', line('GS-2026-1', -100n), [intent('GS-2026-1', -100n)], ['GS-2026-1']],
    ['that went out pays no invoice', line('RE-2026-1', -100n), [a], []],
    [
      'that went out pays back what was paid too much',
      line('RE-2026-1', -100n),
      [intent('RE-2026-1', -100n, { amountMinor: 500n, status: 'succeeded' })],
      ['RE-2026-1'],
    ],
    ['that a person took back is only suggested', line('RE-2026-1', 100n, { byHand: true }), [a], ['RE-2026-1?']],
  ])('%s', (_what, transaction, open, wanted) => expect(match(transaction, ...open)).toEqual(wanted));
});
