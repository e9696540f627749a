import { describe, expect, it, test } from '@jest/globals';
import { applyIntent, type IntentView } from './apply-intent.js';
import type { InvoiceStatus } from '../invoices/invoice.js';

const NOW = new Date('2026-03-02T09:00:00.000Z');
const PAID_AT = new Date('2026-03-01T08:00:00.000Z');
const intent = (change: Partial<IntentView> = {}): IntentView => ({
  id: 'i',
  version: 1,
  amountMinor: 11900n,
  openMinor: 11900n,
  status: 'open',
  waitsForPayer: false,
  paymentMethodId: null,
  paidAt: null,
  ...change,
});
const document = (status: InvoiceStatus, change: object = {}) => ({
  status,
  unpaidMinor: 11900n,
  payDate: null,
  intentVersion: 0,
  intentOpenMinor: null,
  intentStatus: null,
  ...change,
});

describe('a document follows its intent', () => {
  test.each<[string, InvoiceStatus, object, Partial<IntentView>, string[]]>([
    ['opened', 'STATUS_FINALIZING', {}, {}, ['STATUS_UNPAID 11900 invoice.finalized']],
    [
      'settled at once by credit',
      'STATUS_FINALIZING',
      {},
      { openMinor: 0n, paidAt: PAID_AT },
      ['STATUS_UNPAID 11900 invoice.finalized', 'STATUS_PAID 0 invoice.paid'],
    ],
    [
      'part-paid at once',
      'STATUS_FINALIZING',
      {},
      { openMinor: 900n },
      ['STATUS_UNPAID 11900 invoice.finalized', 'STATUS_UNPAID 900 invoice.updated'],
    ],
    ['paid', 'STATUS_UNPAID', { intentOpenMinor: 11900n }, { openMinor: 0n }, ['STATUS_PAID 0 invoice.paid']],
    ['overpaid', 'STATUS_UNPAID', { intentOpenMinor: 11900n }, { openMinor: -100n }, ['STATUS_PAID -100 invoice.paid']],
    ['returned', 'STATUS_PAID', { intentOpenMinor: 0n }, { openMinor: 11900n }, ['STATUS_UNPAID 11900 invoice.unpaid']],
    [
      'returned, refunded before',
      'STATUS_REFUNDED',
      { intentOpenMinor: 0n },
      { openMinor: 11900n },
      ['STATUS_UNPAID 11900 invoice.unpaid'],
    ],
    [
      'refunded, and paid too much',
      'STATUS_REFUNDED',
      { intentOpenMinor: 0n },
      { openMinor: -100n },
      ['STATUS_REFUNDED -100 invoice.updated'],
    ],
    [
      'under way: nothing to publish',
      'STATUS_UNPAID',
      { intentOpenMinor: 11900n },
      { status: 'processing' },
      ['STATUS_UNPAID 11900 null'],
    ],
    ['an older version', 'STATUS_UNPAID', { intentVersion: 2 }, { openMinor: 0n }, []],
    ['the same version', 'STATUS_UNPAID', { intentVersion: 1 }, { openMinor: 0n }, []],
    [
      'credit note opened',
      'STATUS_FINALIZING',
      {},
      { amountMinor: -500n, openMinor: -500n },
      ['STATUS_UNPAID -500 invoice.finalized'],
    ],
    [
      'credit note set off',
      'STATUS_UNPAID',
      { intentOpenMinor: -500n },
      { amountMinor: -500n, openMinor: 0n },
      ['STATUS_PAID 0 invoice.paid'],
    ],
    [
      'closed meanwhile: nothing of it is open, whatever is reported',
      'STATUS_CLOSED',
      { intentOpenMinor: 11900n },
      { openMinor: 0n },
      ['STATUS_CLOSED 0 null'],
    ],
  ])('%s', (_name, status, before, change, expected) => {
    const steps = applyIntent(document(status, before), intent(change), NOW);
    expect(steps.map((step) => `${step.change.status} ${step.change.unpaidMinor} ${step.notice}`)).toEqual(expected);
  });

  it('is paid when payments says so, else now', () => {
    expect(
      applyIntent(document('STATUS_UNPAID'), intent({ openMinor: 0n, paidAt: PAID_AT }), NOW)[0]?.change.payDate,
    ).toEqual(PAID_AT);
    expect(applyIntent(document('STATUS_UNPAID'), intent({ openMinor: 0n }), NOW)[0]?.change.payDate).toEqual(NOW);
  });
});
