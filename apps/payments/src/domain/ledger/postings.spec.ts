import { describe, expect, it } from '@jest/globals';
import { accountKey, CHART } from './chart-of-accounts.js';
import {
  collectionFailed, collectionStarted, collectionSucceeded, creditExpired, documentBooked, type LedgerOperation, moneyReturned, operation, paymentReceived,
  receivableToWallet, walletAdjusted, walletToReceivable,
} from './postings.js'; // prettier-ignore

const customerId = 'c';
const of = { id: 'x', customerId, currencyCode: 'EUR' };
const doc = { documentId: 'd', customerId, currencyCode: 'EUR' };

/** `debit < credit: amount`, one line a transfer. */
const lines = (op: LedgerOperation): string[] =>
  op.transfers.map((t) => `${short(accountKey(t.debit))} < ${short(accountKey(t.credit))}: ${t.amountMinor}`);
const short = (key: string): string => key.replace('/EUR', '').replace(/\/$/, '');

const table: [string, LedgerOperation, string[]][] = [
  [
    'an invoice of 119.00 with 19.00 tax is owed',
    documentBooked({ ...doc, grossMinor: 11900n, taxMinor: 1900n }),
    ['receivable/c < revenue: 10000', 'receivable/c < tax: 1900'],
  ],
  [
    'an invoice without tax',
    documentBooked({ ...doc, grossMinor: 500n, taxMinor: 0n }),
    ['receivable/c < revenue: 500'],
  ],
  [
    'a credit note turns both around',
    documentBooked({ ...doc, grossMinor: -11900n, taxMinor: -1900n }),
    ['revenue < receivable/c: 10000', 'tax < receivable/c: 1900'],
  ],
  [
    'a small invoice whose tax is a correction',
    documentBooked({ ...doc, grossMinor: 90n, taxMinor: -10n }),
    ['receivable/c < revenue: 100', 'tax < receivable/c: 10'],
  ],
  [
    'a bank transfer came in',
    paymentReceived({ ...of, amountMinor: 11900n, gatewayName: 'bank_transfer' }),
    ['bank < receivable/c: 11900'],
  ],
  [
    'a gateway took money',
    paymentReceived({ ...of, amountMinor: 11900n, gatewayName: 'testing' }),
    ['gateway_clearing < receivable/c: 11900'],
  ],
  [
    '31.00 too much becomes credit',
    receivableToWallet({ ...of, amountMinor: 3100n }),
    ['receivable/c < wallet/c: 3100'],
  ],
  ['credit pays an invoice', walletToReceivable({ ...of, amountMinor: 3100n }), ['wallet/c < receivable/c: 3100']],
  [
    'a debit came back and the bank took 3.00',
    moneyReturned({ ...of, amountMinor: 11900n, gatewayName: 'bank_transfer', feeMinor: 300n }),
    ['receivable/c < bank: 11900', 'fees < bank: 300'],
  ],
  ['credit given by hand', walletAdjusted({ ...of, amountMinor: 500n }), ['adjustments < wallet/c: 500']],
  ['credit taken by hand', walletAdjusted({ ...of, amountMinor: -500n }), ['wallet/c < adjustments: 500']],
  ['credit ends', creditExpired({ ...of, amountMinor: 500n }), ['wallet/c < expired_credit: 500']],
];

describe('what is booked', () => {
  it.each(table)('%s', (_name, op, expected) => expect(lines(op)).toEqual(expected));

  it('a collection is reserved first and then counts, or is released', () => {
    const p = { ...of, amountMinor: 100n, gatewayName: 'testing' };
    const [start, success, failure] = [collectionStarted(p), collectionSucceeded(p), collectionFailed(p)];
    expect([start.kind, success.kind, failure.kind]).toEqual(['pending', 'post', 'void']);
    expect(success.resolves).toBe(start.key);
    expect(failure.resolves).toBe(start.key);
    expect(success.key).toBe(failure.key);
    expect(lines(success)).toEqual(lines(start));
  });

  it('refuses what would not balance', () => {
    const debit = { code: 'bank', customerId: null, currencyCode: 'EUR' } as const;
    expect(() => operation('k', [{ debit, credit: debit, amountMinor: 1n }])).toThrow('two accounts');
    expect(() => operation('k', [{ debit, credit: { ...debit, code: 'suspense' }, amountMinor: 0n }])).toThrow(
      'positive',
    );
    expect(() =>
      operation('k', [{ debit, credit: { ...debit, code: 'suspense', currencyCode: 'CHF' }, amountMinor: 1n }]),
    ).toThrow('currency');
    expect(() => operation('k', [])).toThrow('moves something');
    expect(() => operation('k', [{ debit, credit: { ...debit, code: 'suspense' }, amountMinor: 1n }], 'post')).toThrow(
      'resolve',
    );
  });

  it('only the wallet is guarded: everybody else may be in the red', () => {
    expect(Object.entries(CHART).filter(([, kind]) => kind.guarded).map(([code]) => code)).toEqual(['wallet']); // prettier-ignore
  });
});
