import { describe, expect, it, test } from '@jest/globals';
import { decimal, divideRounded, exponentOf } from '@kontor/money';
import { howMany, testSeed } from '@kontor/testing';
import fc from 'fast-check';
import { discountOf, lineAmounts } from './line.js';
import { negateTotals, type Totals, totalsOf, type TotalsLine } from './totals.js';

const line = (netMinor: number, rate = '19', discountMinor = 0): TotalsLine => ({
  netMinor: BigInt(netMinor),
  discountMinor: BigInt(discountMinor),
  category: rate === '0' ? 'Z' : 'S',
  rate,
  noteKey: null,
});

/** EN 16931 BR-CO-10 to BR-CO-17, and that the lines carry exactly the tax of the table. */
function assertExact(lines: readonly TotalsLine[], totals: Totals): void {
  let net = 0n;
  let tax = 0n;
  let gross = 0n;
  for (const paid of totals.lines) {
    net += paid.netAfterDiscountMinor;
    tax += paid.taxMinor;
    gross += paid.grossMinor;
  }
  if (net !== totals.netMinor || tax !== totals.taxMinor || gross !== totals.grossMinor)
    throw new Error('lines do not sum to the totals');
  if (totals.netMinor + totals.taxMinor !== totals.grossMinor) throw new Error('net + tax is not gross');
  if (totals.netBeforeDiscountMinor - totals.discountMinor !== totals.netMinor)
    throw new Error('discount is not the difference');
  for (const group of totals.taxes) {
    let base = 0n;
    let spread = 0n;
    lines.forEach((l, i) => {
      if (l.category !== group.category || l.rate !== group.rate) return;
      base += l.netMinor - l.discountMinor;
      spread += totals.lines[i]!.taxMinor;
    });
    const { coefficient, scale } = decimal(group.rate);
    const rounded = divideRounded(group.baseMinor * coefficient, 100n * 10n ** BigInt(scale), 'half_up');
    if (base !== group.baseMinor || spread !== group.taxMinor || rounded !== group.taxMinor)
      throw new Error('a tax group does not add up');
  }
}

describe('totals', () => {
  test.each<[string, TotalsLine[], [net: number, tax: number, gross: number], number[]]>([
    ['one line', [line(10000)], [10000, 1900, 11900], [1900]],
    ['no lines', [], [0, 0, 0], []],
    ['tax once per group, not per line', [line(3), line(3), line(3)], [9, 2, 11], [1, 1, 0]],
    ['two rates', [line(10000), line(5000, '7')], [15000, 2250, 17250], [1900, 350]],
    ['discount before tax', [line(10000, '19', 1000)], [9000, 1710, 10710], [1710]],
    ['half a cent rounds away from zero', [line(50, '19')], [50, 10, 60], [10]],
    ['and for credits too', [line(-50, '19')], [-50, -10, -60], [-10]],
    ['mixed signs', [line(10000), line(-9999)], [1, 0, 1], [1900, -1900]],
    ['decimal rate', [line(1000, '25.5')], [1000, 255, 1255], [255]],
  ])('%s', (_name, lines, [net, tax, gross], taxes) => {
    const totals = totalsOf(lines, 'EUR');
    assertExact(lines, totals);
    expect([totals.netMinor, totals.taxMinor, totals.grossMinor].map(Number)).toEqual([net, tax, gross]);
    expect(totals.lines.map((l) => Number(l.taxMinor))).toEqual(taxes);
  });

  it('separates categories that share a rate', () => {
    const lines: TotalsLine[] = [
      { netMinor: 100n, discountMinor: 0n, category: 'E', rate: '0', noteKey: 'exempt' },
      { netMinor: 100n, discountMinor: 0n, category: 'Z', rate: '0', noteKey: null },
    ];
    expect(totalsOf(lines, 'EUR').taxes.map((t) => [t.category, t.noteKey])).toEqual([['E', 'exempt'], ['Z', null]]); // prettier-ignore
  });

  it('is exact and mirrors its sign for any lines', () => {
    const anyLine = fc.record({
      netMinor: fc.bigInt({ min: -1_000_000_000_000n, max: 1_000_000_000_000n }),
      percent: fc.integer({ min: 0, max: 100 }),
      rate: fc.constantFrom('19', '7', '25.5', '0', '9.5', '5.5'),
    });
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 12 }), (drafts) => {
        const lines = drafts.map((d): TotalsLine => ({
          ...line(0, d.rate),
          netMinor: d.netMinor,
          discountMinor: (d.netMinor * BigInt(d.percent)) / 100n,
        }));
        const totals = totalsOf(lines, 'EUR');
        assertExact(lines, totals);
        const mirrored = totalsOf(
          lines.map((l) => ({ ...l, netMinor: -l.netMinor, discountMinor: -l.discountMinor })),
          'EUR',
        );
        expect(mirrored).toEqual(negateTotals(totals));
      }),
      { numRuns: 500 },
    );
  });

  it('over random invoices in 0-, 2- and 3-decimal currencies: exact, and invoice minus full credit is 0', () => {
    const seed = Number(process.env.TOTALS_SEED ?? testSeed);
    const count = Number(process.env.TOTALS_INVOICES ?? howMany(100_000, 1_000_000));
    const rates = ['19', '7', '0', '25.5', '5.5'];
    const currencies = ['JPY', 'EUR', 'KWD'];
    const random = mulberry32(seed);
    const upTo = (n: number): number => Math.floor(random() * n);
    for (let n = 0; n < count; n++) {
      const currencyCode = currencies[upTo(3)]!;
      const precision = exponentOf(currencyCode) + upTo(3);
      const lines: TotalsLine[] = [];
      for (let k = upTo(4) + 1; k > 0; k--) {
        const quantity = { coefficient: BigInt(upTo(5000) - 500), scale: upTo(3) };
        const unitPrice = { amount: BigInt(upTo(100_000)), precision, currencyCode };
        const discount =
          upTo(3) === 0 ? { percentage: String(upTo(101)) } : upTo(3) === 0 ? { fixedMinor: BigInt(upTo(3000)) } : null;
        lines.push({ ...line(0, rates[upTo(rates.length)]), ...lineAmounts(quantity, unitPrice, discount) });
      }
      const totals = totalsOf(lines, 'EUR');
      const credit = negateTotals(totals);
      try {
        assertExact(lines, totals);
        if (totals.grossMinor + credit.grossMinor !== 0n || totals.taxMinor + credit.taxMinor !== 0n)
          throw new Error('credit is no mirror');
      } catch (error) {
        throw new Error(`seed ${seed}, invoice ${n}: ${(error as Error).message}`, { cause: error });
      }
    }
  });
});

describe('given tax', () => {
  it('is the tax of its line, and of its group when no other line is in it', () => {
    const totals = totalsOf([{ ...line(-3), givenTaxMinor: 0n }], 'EUR');
    expect([totals.lines[0]?.taxMinor, totals.taxMinor, totals.grossMinor]).toEqual([0n, 0n, -3n]);
  });

  it('is that of its group beside lines that cost nothing', () => {
    const totals = totalsOf([line(0), { ...line(-3), givenTaxMinor: 0n }, line(0)], 'EUR');
    expect(totals.lines.map(({ taxMinor }) => taxMinor)).toEqual([0n, 0n, 0n]);
    expect(totals).toMatchObject({ taxMinor: 0n, grossMinor: -3n });
  });

  it('beside other lines leaves the tax of the group as it is, and the largest of them bears the difference', () => {
    const lines = [line(10003), { ...line(-3), givenTaxMinor: 0n }, line(7)];
    const totals = totalsOf(lines, 'EUR');
    assertExact(lines, totals);
    expect(totals.lines.map(({ taxMinor }) => taxMinor)).toEqual([1900n, 0n, 1n]);
  });
});

describe('given taxes further from their rate than an e-invoice can state', () => {
  const given = (netMinor: number, taxMinor: number): TotalsLine => ({
    ...line(-netMinor),
    givenTaxMinor: BigInt(-taxMinor),
  });

  it.each([
    ['JPY', Array.from({ length: 6 }, () => given(50, 10)), -57n],
    ['JPY', Array.from({ length: 6 }, () => given(50, 9)), -57n],
    // 19 % of 55 is 10.45: both 10 and 11 can be stated.
    ['JPY', [given(50, 10), given(5, 1)], -11n],
    ['JPY', [given(50, 9), given(5, 0)], -10n],
    ['JPY', [given(0, 1)], 0n],
    ['EUR', Array.from({ length: 6 }, () => given(50, 10)), -60n],
    ['EUR', Array.from({ length: 300 }, () => given(50, 10)), -2949n],
  ] as const)('are as near as it can in %s (case %#)', (currencyCode, lines, taxMinor) => {
    const totals = totalsOf(lines, currencyCode);
    expect(totals.taxMinor).toBe(taxMinor);
    expect(totals.lines.reduce((all, { taxMinor: tax }) => all + tax, 0n)).toBe(taxMinor);
    const taxes = lines.map(({ givenTaxMinor }, i) => totals.lines[i]!.taxMinor - givenTaxMinor!);
    expect(taxes.every((change) => change >= -1n && change <= 1n)).toBe(true);
  });
});

describe('discounts', () => {
  test.each([
    [1000n, { percentage: '10' }, 100n],
    [1005n, { percentage: '10' }, 101n],
    [-1005n, { percentage: '10' }, -101n],
    [1000n, { fixedMinor: 300n }, 300n],
    [200n, { fixedMinor: 300n }, 200n],
    [-200n, { fixedMinor: 300n }, -200n],
    [1000n, { percentage: '33.333' }, 333n],
  ])('of %s by %o is %s', (net, discount, expected) => {
    expect(discountOf(net, discount)).toBe(expected);
  });

  it('rounds quantity × fine price once', () => {
    const price = { amount: 12n, precision: 5, currencyCode: 'EUR' };
    expect(lineAmounts(decimal('1000'), price, null).netMinor).toBe(12n);
    expect(lineAmounts(decimal('41.6'), price, null).netMinor).toBe(0n);
    expect(lineAmounts(decimal('41.7'), price, null).netMinor).toBe(1n);
  });
});

/** A small seeded generator: the same million invoices on every machine. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
