import type { DocumentSnapshot, SnapshotPosition } from '../domain/finalization/document-snapshot.js';

const NAMES = [
  'Team-Tarif',
  'Zusätzliche Nutzer',
  'Speicher 500 GB',
  'Premium-Support',
  'Schnittstellen-Paket',
  'Einrichtung',
];

/** One position of 49.90 × quantity with 19 % tax. */
export function samplePosition(n: number, changes: Partial<SnapshotPosition> = {}): SnapshotPosition {
  const netAmount = 4990 * n;
  const taxAmount = Math.round(netAmount * 0.19);
  return {
    id: `p${n}`,
    label: String(n),
    groupId: null,
    name: NAMES[(n - 1) % NAMES.length] ?? 'Leistung',
    description: null,
    quantity: String(n),
    unitName: n % 2 ? 'Monat' : 'Nutzer',
    unitPrice: { amount: 4990, precision: 2 },
    netAmount,
    discountAmount: 0,
    discountPercentage: null,
    netAfterDiscount: netAmount,
    taxAmount,
    grossAmount: netAmount + taxAmount,
    taxCategory: 'S',
    taxRate: '19',
    servicePeriod: { from: '2026-02-01', to: '2026-02-28' },
    children: [],
    ...changes,
  };
}

const flat = (positions: readonly SnapshotPosition[]): SnapshotPosition[] =>
  positions.flatMap((position) => [position, ...position.children]);

/** A document of made-up companies with totals that add up; for the bench and tests. */
export function sampleSnapshot(count: number, changes: Partial<DocumentSnapshot> = {}): DocumentSnapshot {
  const positions = changes.positions ?? Array.from({ length: count }, (_, i) => samplePosition(i + 1));
  const all = flat(positions);
  const sum = (pick: (position: SnapshotPosition) => number): number =>
    all.reduce((total, position) => total + pick(position), 0);
  const netAmount = sum((position) => position.netAfterDiscount);
  const taxAmount = sum((position) => position.taxAmount);
  const rates = [...new Set(all.map((position) => `${position.taxCategory} ${position.taxRate}`))];
  return {
    version: 1,
    type: 'TYPE_INVOICE',
    number: 'RE-2026-00042',
    draft: false,
    language: 'de',
    currencyCode: 'EUR',
    issueDate: '2026-02-28',
    dueDate: '2026-03-14',
    servicePeriod: { from: '2026-02-01', to: '2026-02-28' },
    seller: {
      companyName: 'Nordlicht Software GmbH',
      address: {
        street: 'Speicherstraße',
        houseNumber: '12',
        addition: null,
        zip: '20457',
        city: 'Hamburg',
        countryCode: 'DE',
      },
      vatId: 'DE123456789',
      taxNumber: '27/123/45678',
      registrationLines: ['Amtsgericht Hamburg HRB 123456', 'Geschäftsführung: Dr. Jürgen Österreicher'],
      contact: {
        name: 'Buchhaltung',
        email: 'rechnung@nordlicht.example',
        phone: '+49 40 1234567',
        website: 'nordlicht.example',
      },
      bankAccount: {
        accountHolder: 'Nordlicht Software GmbH',
        iban: 'DE02120300000000202051',
        bic: 'BYLADEM1001',
        bankName: 'Deutsche Kreditbank',
      },
      creditorIdentifier: 'DE98ZZZ09999999999',
    },
    recipient: {
      customerId: '0199f000-0000-7000-8000-000000000001',
      customerNumber: 'K-10042',
      nameLines: ['Bäckerei Müller & Söhne KG', 'Frau Änne Größmann'],
      companyName: 'Bäckerei Müller & Söhne KG',
      personName: 'Änne Größmann',
      address: {
        street: 'Königstraße',
        houseNumber: '7a',
        addition: 'Hinterhaus',
        zip: '04109',
        city: 'Leipzig',
        countryCode: 'DE',
      },
      vatId: 'DE987654321',
      costCentre: null,
      email: 'buero@baeckerei-mueller.example',
    },
    texts: {
      title: 'Rechnung',
      introduction:
        'Guten Tag Frau Größmann,\nvielen Dank für Ihr Vertrauen. Für den Monat Februar berechnen wir Ihnen die folgenden Leistungen.',
      closing:
        'Bei Fragen zu dieser Rechnung erreichen Sie uns unter rechnung@nordlicht.example.\nMit freundlichen Grüßen\nIhre Nordlicht Software GmbH',
    },
    references: { subscriptionNumbers: 'S-2024-00017', poNumber: 'PO-77120', leitwegId: null },
    groups: [],
    taxes: rates.map((key) => {
      const taxed = all.filter((position) => `${position.taxCategory} ${position.taxRate}` === key);
      return {
        category: taxed[0]?.taxCategory ?? 'S',
        rate: taxed[0]?.taxRate ?? '19',
        baseAmount: taxed.reduce((total, position) => total + position.netAfterDiscount, 0),
        taxAmount: taxed.reduce((total, position) => total + position.taxAmount, 0),
        legalNote: null,
        exemptionCode: null,
      };
    }),
    totals: {
      netBeforeDiscountAmount: sum((position) => position.netAmount),
      discountAmount: sum((position) => position.discountAmount),
      netAmount,
      taxAmount,
      grossAmount: netAmount + taxAmount,
    },
    payment: {
      kind: 'transfer',
      accountHolder: 'Nordlicht Software GmbH',
      iban: 'DE02120300000000202051',
      bic: 'BYLADEM1001',
      bankName: 'Deutsche Kreditbank',
      remittance: 'RE-2026-00042',
      qrCode: true,
    },
    referencedDocument: null,
    exchangeRates: [],
    smallBusiness: false,
    eInvoiceType: null,
    ...changes,
    positions,
  };
}
