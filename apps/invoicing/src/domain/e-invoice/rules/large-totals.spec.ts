import { expect, it } from '@jest/globals';
import { sampleSnapshot } from '../../../pdf/sample-snapshot.js';
import type { EInvoice } from '../e-invoice.js';
import { eInvoiceOf } from '../from-snapshot.js';
import type { Finding } from './finding.js';
import { checkTaxes } from './taxes.js';
import { checkTotals } from './totals.js';

/** Of lines that are exact to the cent, where numbers are not. */
function invoiceOf(change: Partial<EInvoice['totals']> = {}): EInvoice {
  const sample = eInvoiceOf(sampleSnapshot(2));
  const nets = ['75000000000000.01', '0.02'];
  return {
    ...sample,
    allowances: [],
    lines: sample.lines.map((line, n) => ({
      ...line,
      quantity: '1',
      baseQuantity: null,
      price: nets[n]!,
      net: nets[n]!,
      allowances: [],
    })),
    taxes: sample.taxes.map((row) => ({ ...row, base: '75000000000000.03', tax: '14250000000000.01' })),
    totals: {
      ...sample.totals,
      lines: '75000000000000.03',
      net: '75000000000000.03',
      tax: '14250000000000.01',
      gross: '89250000000000.04',
      payable: '89250000000000.04',
      ...change,
    },
  };
}

function findingsOf(invoice: EInvoice): string[] {
  const found: string[] = [];
  const report = ({ ruleId, en }: Omit<Finding, 'severity'>): unknown => found.push(`${ruleId}: ${en}`);
  checkTotals(invoice, report);
  checkTaxes(invoice, report);
  return found;
}

it('sums of 75 trillion are added to the cent', () => expect(findingsOf(invoiceOf())).toEqual([]));

it('a cent of them that is missing is found', () =>
  expect(findingsOf(invoiceOf({ gross: '89250000000000.05', payable: '89250000000000.05' }))).toEqual([
    'BR-CO-15: The gross amount is wrong: 89250000000000.05 instead of 89250000000000.04.',
  ]));

it('a tax that is one unit of the currency away from its rate is found, as the official rule does', () => {
  const withTax = (tax: string): string[] => {
    const invoice = invoiceOf();
    const [row] = invoice.taxes;
    return findingsOf({ ...invoice, taxes: [{ ...row!, tax }] }).filter((found) => found.startsWith('BR-CO-17'));
  };
  expect([withTax('14250000000001.00'), withTax('14250000000001.01')]).toEqual([
    [],
    ['BR-CO-17: The VAT 14250000000001.01 is not 19% of 75000000000000.03.'],
  ]);
});

it('amounts are read as XML may have them, and a missing one is said', () => {
  expect(findingsOf(invoiceOf({ lines: ' +75000000000000.030 ', prepaid: '.00' }))).toEqual([]);
  expect(findingsOf(invoiceOf({ lines: '' }))[0]).toBe(
    'BR-CO-10: The sum of the lines is wrong: – instead of 75000000000000.03.',
  );
});
