import { describe, expect, it } from '@jest/globals';
import { type CustomerState, customerChangedV1 } from '@kontor/contracts';
import { freezeSnapshot } from './freeze-snapshot.js';
import type { SnapshotInput } from './snapshot-input.js';
import { settingsFor } from '../invoices/settings.js';

const seller = {
  company: 'Nordlicht',
  creditorIdentifier: 'DE98ZZZ09999999999',
  bankAccount: { accountHolder: null, iban: 'DE02120300000000202051', bic: null, bankName: null },
};
const mandate = { iban: 'DE89••••3000', mandateReference: 'MND-1' };

function paymentOf(
  method: SnapshotInput['method'],
  more: { currencyCode?: string; dueAt?: Date | null; draft?: boolean; overrides?: object } = {},
) {
  const input: SnapshotInput = {
    invoice: {
      type: 'TYPE_INVOICE',
      number: 'RE-1',
      language: 'de',
      eInvoiceType: null,
      leitwegId: null,
      payDate: null,
      currencyCode: more.currencyCode ?? 'EUR',
      netMinor: 10_000n,
      discountMinor: 0n,
      taxMinor: 1900n,
      grossMinor: 11_900n,
      dueAt: more.dueAt === undefined ? new Date('2026-12-05T22:59:59.999Z') : more.dueAt,
    },
    draft: more.draft ?? false,
    eInvoice: null,
    day: '2026-11-23',
    positions: [],
    taxes: [],
    exchangeRates: [],
    customer: customerChangedV1.example.state as CustomerState,
    address: null,
    vatId: null,
    settings: settingsFor(
      { seller: { ...settingsFor(null, null).seller, ...seller } },
      (more.overrides ?? null) as never,
    ),
    method,
    referenced: [],
  };
  return freezeSnapshot(input).payment;
}
const sepa = { gatewayName: 'sepa_debit', type: 'sepa_debit', status: 'active', sepaDebit: mandate };

describe('how a document says that it is paid', () => {
  it('a debit by mandate names mandate, creditor and the day, which is a banking day', () => {
    const expected = { kind: 'sepa_debit', ...mandate, creditorIdentifier: 'DE98ZZZ09999999999' };
    expect(paymentOf(sepa)).toEqual({ ...expected, debitDate: '2026-12-07' });
    expect(paymentOf(sepa, { dueAt: new Date('2026-11-23T22:59:59.999Z') })).toEqual({
      ...expected,
      debitDate: '2026-11-25',
    });
    expect(paymentOf(sepa, { overrides: { preNotificationDays: 14 } })).toEqual({
      ...expected,
      debitDate: '2026-12-07',
    });
    expect(paymentOf(sepa, { draft: true })).toEqual({ ...expected, debitDate: null });
  });

  it('a debit by a provider has the provider’s creditor and day', () => {
    const method = { ...sepa, gatewayName: 'debit_provider' };
    expect(paymentOf(method)).toMatchObject({ kind: 'sepa_debit', creditorIdentifier: null, debitDate: null });
  });

  it.each([
    ['a mandate that ended', { ...sepa, status: 'revoked' }, {}],
    ['a mandate, but not in euro', sepa, { currencyCode: 'CHF' }],
    ['a card that expired', { gatewayName: 'card_provider', type: 'card', status: 'expired' }, {}],
    ['no method', null, {}],
  ])('with %s the recipient transfers', (_name, method, more) =>
    expect(paymentOf(method, more)).toMatchObject({
      kind: 'transfer',
      remittance: 'RE-1',
      iban: 'DE02120300000000202051',
    }),
  );

  it('a card is charged by its name', () =>
    expect(paymentOf({ gatewayName: 'card_provider', type: 'card', status: 'active', name: 'Visa •••• 4242' })).toEqual(
      {
        kind: 'collected',
        label: 'Visa •••• 4242',
      },
    ));
});
