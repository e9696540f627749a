import { decimal, exponentOf } from '@kontor/money';
import { LEGAL_NOTES, type LegalNoteKey, lineAmounts, type TaxCategory, totalsOf } from '@kontor/tax';
import fc from 'fast-check';
import type {
  DocumentSnapshot,
  SnapshotPayment,
  SnapshotPosition,
} from '../../src/domain/finalization/document-snapshot.js';
import { sampleSnapshot } from '../../src/pdf/sample-snapshot.js';
import { SAMPLE_BRAND } from './sample-brand.js';

interface Tax {
  readonly category: TaxCategory;
  readonly rate: string;
  readonly noteKey: LegalNoteKey | null;
}
const tax = (category: TaxCategory, rate = '0', noteKey: LegalNoteKey | null = null): Tax => ({
  category,
  rate,
  noteKey,
});

/** Where a recipient is, and what lines to there can be taxed by. */
const REGIMES: readonly { country: string; vatId: string | null; small?: true; taxes: readonly Tax[] }[] = [
  { country: 'DE', vatId: null, taxes: [tax('S', '19'), tax('S', '7'), tax('Z'), tax('E', '0', 'exempt')] },
  { country: 'DE', vatId: 'DE123456788', taxes: [tax('S', '19'), tax('S', '7')] },
  { country: 'FI', vatId: null, taxes: [tax('S', '25.5'), tax('S', '14')] },
  { country: 'AT', vatId: 'ATU12345675', taxes: [tax('AE', '0', 'reverse_charge'), tax('E', '0', 'exempt')] },
  { country: 'FR', vatId: 'FR61954506077', taxes: [tax('K', '0', 'intra_community_supply')] },
  { country: 'EL', vatId: 'EL094259216', taxes: [tax('AE', '0', 'reverse_charge'), tax('S', '19')] },
  { country: 'US', vatId: null, taxes: [tax('G', '0', 'export_of_goods')] },
  { country: 'CH', vatId: 'CHE116281710', taxes: [tax('O', '0', 'outside_scope')] },
  { country: 'DE', vatId: null, small: true, taxes: [tax('E', '0', 'small_business')] },
];

const NAMES = [
  'Bäckerei Müller & Söhne KG',
  'Żółć Sp. z o.o. Łódź',
  'Ελληνική Εταιρεία',
  'ООО «Пётр»',
  'İğne Çelik A.Ş.',
  '<Quote> "X" & Co.',
];

const line = fc.record({
  name: fc.oneof(fc.constantFrom(...NAMES, 'Team-Tarif'), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 })),
  description: fc.option(fc.string({ unit: 'binary', maxLength: 80 })),
  quantity: fc.constantFrom('1', '3', '0', '2.5', '1000', '0.333', '-1', '12.75'),
  amount: fc.integer({ min: 0, max: 500_000 }),
  fine: fc.constantFrom(0, 0, 0, 2, 3, 6),
  rated: fc.option(fc.integer({ min: 0, max: 900_000 }), { freq: 4 }),
  percentage: fc.option(fc.constantFrom('10', '33.333', '100')),
  tax: fc.nat({ max: 3 }),
  child: fc.boolean(),
  grouped: fc.boolean(),
  unit: fc.constantFrom('Monat', 'GB', 'Nutzer', null),
  period: fc.boolean(),
  usage: fc.boolean(),
});

const payments: readonly SnapshotPayment[] = [
  {
    kind: 'transfer',
    accountHolder: 'Nordlicht Software GmbH',
    iban: 'DE02 1203 0000 0000 2020 51',
    bic: 'BYLADEM1001',
    bankName: 'Deutsche Kreditbank',
    remittance: 'RE-2026-00042',
    qrCode: true,
  },
  {
    kind: 'sepa_debit',
    iban: 'DE02••••2051',
    mandateReference: 'MND-1',
    creditorIdentifier: 'DE98ZZZ09999999999',
    debitDate: '2026-03-14',
  },
  { kind: 'collected', label: 'Visa •••• 4242', card: { last4: '4242', holder: 'Änne Größmann' } },
  { kind: 'collected', label: 'Online-Wallet' },
  { kind: 'none' },
];

const KINDS = [
  ['TYPE_INVOICE', '380'],
  ['TYPE_INVOICE', '380'],
  ['TYPE_CREDIT', '381'],
  ['TYPE_CREDIT', '384'],
  ['TYPE_CANCEL', '384'],
] as const;

/** Documents of any kind, currency, language, tax and payment, with amounts that add up as finalized ones do. */
export const anySnapshot: fc.Arbitrary<DocumentSnapshot> = fc
  .record({
    kind: fc.constantFrom(...KINDS),
    regime: fc.constantFrom(...REGIMES),
    currencyCode: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD', 'CHF', 'JPY', 'PLN'),
    language: fc.constantFrom('de' as const, 'en' as const),
    lines: fc.array(line, { minLength: 1, maxLength: 8 }),
    name: fc.constantFrom(...NAMES),
    payment: fc.constantFrom(...payments),
    leitwegId: fc.option(fc.constantFrom('991-33333TEST-33', '04011000-1234512345-06')),
    referenced: fc.integer({ min: 1, max: 3 }),
    periods: fc.boolean(),
    prepaid: fc.option(fc.constant(true), { freq: 8 }),
    branded: fc.boolean(),
  })
  .map((drawn) => {
    const { kind, regime, currencyCode, language, name, payment, leitwegId } = drawn;
    const [type, typeCode] = kind;
    const lines = drawn.lines.map((item) => ({ ...item, ...(regime.taxes[item.tax % regime.taxes.length] as Tax) }));
    const amounts = lines.map((item) => lineAmountsOf(item, currencyCode));
    const totals = totalsOf(
      lines.map((item, i) => ({ ...item, ...(amounts[i] as (typeof amounts)[number]) })),
      currencyCode,
    );
    // A correction returns what an invoice billed: every amount is turned around.
    const sign = type === 'TYPE_INVOICE' ? 1n : -1n;
    const minor = (value: bigint): number => Number(sign * value);
    const period = { from: '2026-02-01', to: '2026-02-28' };
    const positions: { position: SnapshotPosition; child: boolean }[] = lines.map((item, i) => {
      const { netMinor, discountMinor } = amounts[i] as (typeof amounts)[number];
      const paid = totals.lines[i] as (typeof totals.lines)[number];
      return {
        child: item.child,
        position: {
          id: `p${i}`,
          label: String(i + 1),
          groupId: item.grouped ? 'g' : null,
          name: item.name.trim() ? item.name : 'x',
          description: item.description,
          quantity: sign === 1n ? item.quantity : mirrored(item.quantity),
          unitName: item.unit,
          unitPrice: { amount: item.amount, precision: exponentOf(currencyCode) + item.fine },
          netAmount: minor(netMinor),
          discountAmount: minor(discountMinor),
          discountPercentage: item.percentage,
          netAfterDiscount: minor(paid.netAfterDiscountMinor),
          taxAmount: minor(paid.taxMinor),
          grossAmount: minor(paid.grossMinor),
          taxCategory: item.category,
          taxRate: item.rate,
          servicePeriod: drawn.periods && item.period ? period : null,
          usage: item.usage
            ? { metric: 'Traffic', quantity: '60.5', unit: 'GB', group: { region: 'eu' }, period }
            : null,
          children: [],
        },
      };
    });
    const references = Array.from({ length: drawn.referenced }, (_, n) => ({
      type: 'TYPE_INVOICE' as const,
      number: `RE-2026-0001${n}`,
      issueDate: '2026-01-31',
    }));
    const sample = sampleSnapshot(1);
    const tree = treeOf(positions);
    const gross = minor(totals.grossMinor);
    return {
      ...sample,
      type,
      number: `${type.slice(5)}-2026-00042`,
      language,
      currencyCode,
      positions: tree,
      groups: [{ id: 'g', ranking: 1, name }],
      servicePeriod: tree.some((p) => p.servicePeriod || p.children.some((c) => c.servicePeriod)) ? period : null,
      seller: regime.small ? { ...sample.seller, vatId: null } : sample.seller,
      smallBusiness: regime.small ?? false,
      recipient: {
        ...sample.recipient,
        companyName: name,
        vatId: regime.vatId,
        address: { ...sample.recipient.address, countryCode: regime.country },
      },
      references: { ...sample.references, leitwegId },
      referencedDocument: type === 'TYPE_INVOICE' ? null : (references[0] ?? null),
      referencedDocuments: type === 'TYPE_INVOICE' ? [] : references,
      taxes: totals.taxes.map((row) => ({
        category: row.category,
        rate: row.rate,
        baseAmount: minor(row.baseMinor),
        taxAmount: minor(row.taxMinor),
        legalNote: row.noteKey && LEGAL_NOTES[row.noteKey][language],
        exemptionCode: row.noteKey && LEGAL_NOTES[row.noteKey].exemptionCode,
      })),
      totals: {
        netBeforeDiscountAmount: minor(totals.netBeforeDiscountMinor),
        discountAmount: minor(totals.discountMinor),
        netAmount: minor(totals.netMinor),
        taxAmount: minor(totals.taxMinor),
        grossAmount: gross,
        ...(drawn.prepaid && gross > 0 && { prepaidAmount: gross }),
      },
      ...(drawn.branded && { brand: SAMPLE_BRAND }),
      payment: payment.kind === 'sepa_debit' && currencyCode !== 'EUR' ? { kind: 'none' } : payment,
      eInvoiceType: 'zugferd211',
      eInvoice: {
        typeCode,
        accounting:
          currencyCode === 'EUR' || totals.taxMinor === 0n
            ? null
            : { currencyCode: 'EUR', taxAmount: minor(totals.taxMinor / 2n), rate: '0.5', date: '2026-02-27' },
      },
    } satisfies DocumentSnapshot;
  });

type DrawnLine = typeof line extends fc.Arbitrary<infer L> ? L : never;

/** As pricing has them: what was rated wins over quantity × price. */
function lineAmountsOf(item: DrawnLine, currencyCode: string) {
  const price = { amount: BigInt(item.amount), precision: exponentOf(currencyCode) + item.fine, currencyCode };
  const discount = item.percentage === null ? null : { percentage: item.percentage };
  if (item.rated === null) return lineAmounts(decimal(item.quantity), price, discount);
  const rated = { amount: BigInt(item.rated), precision: exponentOf(currencyCode), currencyCode };
  return lineAmounts(decimal('1'), rated, discount);
}

const mirrored = (quantity: string): string => (quantity.startsWith('-') ? quantity.slice(1) : `-${quantity}`);

/** Those that are children hang below the one before them. */
function treeOf(positions: readonly { position: SnapshotPosition; child: boolean }[]): SnapshotPosition[] {
  const tops: { position: SnapshotPosition; children: SnapshotPosition[] }[] = [];
  for (const { position, child } of positions) {
    const parent = tops.at(-1);
    if (child && parent) parent.children.push(position);
    else tops.push({ position, children: [] });
  }
  return tops.map(({ position, children }, i) => ({
    ...position,
    label: String(i + 1),
    children: children.map((item, n) => ({ ...item, label: `${i + 1}.${n + 1}` })),
  }));
}
