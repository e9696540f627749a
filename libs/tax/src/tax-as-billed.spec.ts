import { describe, expect, it } from '@jest/globals';
import { type BilledTax, taxAsBilled } from './tax-as-billed.js';

const billed = (more: Partial<BilledTax> = {}): BilledTax => ({
  chargeId: 'a',
  currencyCode: 'EUR',
  category: 'S',
  rate: '20',
  noteKey: null,
  billedMinor: 12_000n,
  netMinor: 12_000n,
  taxMinor: 2_400n,
  ...more,
});
const line = (netMinor: bigint, of: BilledTax | undefined) => ({ netMinor, discountMinor: 0n, billed: of });
const amounts = (lines: ReturnType<typeof taxAsBilled>) =>
  lines.map((found) => found && [found.netMinor, found.givenTaxMinor, found.isLimited]);

describe('what goes back is taxed as it was billed', () => {
  it('a line that credits nothing is left to be decided', () => {
    expect(taxAsBilled([line(100n, undefined)], 'EUR')).toEqual([null]);
  });

  it('a part has the rate, all of it the very tax that was billed', () => {
    expect(amounts(taxAsBilled([line(-5_000n, billed())], 'EUR'))).toEqual([[-5_000n, undefined, false]]);
    const rounded = billed({ netMinor: 333n, taxMinor: 66n });
    expect(amounts(taxAsBilled([line(-333n, rounded)], 'EUR'))).toEqual([[-333n, -66n, false]]);
  });

  it('no more goes back than is left, and nothing where nothing is', () => {
    const rest = billed({ netMinor: 100n, taxMinor: 20n });
    expect(amounts(taxAsBilled([line(-5_000n, rest)], 'EUR'))).toEqual([[-100n, -20n, true]]);
    const none = billed({ netMinor: 0n, taxMinor: 0n });
    expect(amounts(taxAsBilled([line(-5_000n, none)], 'EUR'))).toEqual([[0n, 0n, true]]);
  });

  it('two lines that take from one share its tax, to the last unit', () => {
    const odd = billed({ billedMinor: 101n, netMinor: 101n, taxMinor: 21n });
    const [first, second] = taxAsBilled([line(-50n, odd), line(-51n, odd)], 'EUR');
    expect([first?.givenTaxMinor, second?.givenTaxMinor]).toEqual([-10n, -11n]);
  });

  it('in another currency than its document nothing is compared', () => {
    expect(amounts(taxAsBilled([line(-50_000n, billed())], 'USD'))).toEqual([[-50_000n, undefined, false]]);
    const none = billed({ netMinor: 0n, taxMinor: 0n });
    expect(amounts(taxAsBilled([line(-50_000n, none), line(300n, none)], 'USD'))).toEqual([
      [0n, 0n, true],
      [300n, undefined, false],
    ]);
  });
});
