import { describe, expect, it } from '@jest/globals';
import { sampleSnapshot } from '../../pdf/sample-snapshot.js';
import { eInvoiceOf } from './from-snapshot.js';

describe("the tax in the seller's currency", () => {
  const invoiceOf = (taxAmount: number) =>
    eInvoiceOf(
      sampleSnapshot(1, {
        currencyCode: 'PLN',
        type: 'TYPE_CANCEL',
        eInvoice: { typeCode: '384', accounting: { currencyCode: 'EUR', taxAmount, rate: '0.23', date: '2026-02-27' } },
      }),
    );

  it('is stated with the rate', () => {
    const { taxCurrency, totals, notes } = invoiceOf(-218);
    expect([taxCurrency, totals.taxInTaxCurrency, notes.length]).toEqual(['EUR', '-2.18', 1]);
  });

  it('is left out where it rounds to nothing: 0 has another sign than the tax', () => {
    const { taxCurrency, totals, notes } = invoiceOf(0);
    expect([taxCurrency, totals.taxInTaxCurrency, notes.length]).toEqual([null, null, 0]);
  });
});

describe('a direct debit', () => {
  it('names mandate and creditor, and of the account what its payer knows', () => {
    const payment = {
      kind: 'sepa_debit',
      iban: 'DE02••••2051',
      mandateReference: 'MND-1',
      creditorIdentifier: 'DE98ZZZ09999999999',
      debitDate: null,
    } as const;
    const eInvoice = { typeCode: '380', accounting: null } as const;
    expect(eInvoiceOf(sampleSnapshot(1, { payment, eInvoice, eInvoiceType: 'zugferd211' })).payment).toMatchObject({
      code: '59',
      account: null,
      debit: { mandate: 'MND-1', creditorId: 'DE98ZZZ09999999999', account: 'DE02XXXX2051' },
    });
  });
});
