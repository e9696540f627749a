import { type Day, DomainError } from '@kontor/kernel';
import { decimal, extend, isSafeAmount, toMinor } from '@kontor/money';
import {
  areSafeTotals,
  decideTax,
  discountOf,
  isEuCountry,
  sameCountry,
  taxAsBilled,
  type TaxGroup,
  type TaxGroupRate,
  type TaxParties,
  totalsOf,
  type TaxSubtotal,
  type TotalsLine,
} from '@kontor/tax';
import { convertMinor, convertToMinor, type CrossRate, crossRate, type EuroRate, rateText } from '../rates/exchange.js';
import type { AppliedRate } from '../invoices/invoice.js';
import { localDay } from '../invoices/local-day.js';
import type { AppliedTax, Position, PricedPosition } from '../invoices/position.js';
import type { BilledDocument, BilledLine, BilledLines } from './billed-lines.js';

/** All that the amounts of a document depend on besides its positions. */
export interface PricingContext {
  readonly currencyCode: string;
  /** Day of the document in the recipient's time zone: finalization, or today for a draft. */
  readonly day: Day;
  readonly timeZone: string;
  readonly parties: TaxParties;
  readonly taxGroups: ReadonlyMap<string, TaxGroup>;
  readonly euroRates: readonly EuroRate[];
  readonly live: boolean;
  /** The lines that positions credit or correct. */
  readonly billed: BilledLines;
}

type TaxedLine = TotalsLine & Pick<PricedPosition, 'tax'>;

/** A line that was to credit more of an earlier one than is left; minor units of the document's currency, net after discount. */
export interface CreditLimit {
  readonly positionId: string;
  readonly name: string;
  readonly original: BilledDocument;
  readonly currencyCode: string;
  readonly wantedMinor: bigint;
  readonly creditedMinor: bigint;
}

export interface PricedDocument {
  readonly positions: readonly PricedPosition[];
  readonly taxes: readonly TaxSubtotal[];
  readonly exchangeRates: readonly AppliedRate[];
  readonly limits: readonly CreditLimit[];
  readonly netMinor: bigint;
  readonly discountMinor: bigint;
  readonly taxMinor: bigint;
  readonly grossMinor: bigint;
}

/**
 * Prices the positions of a document: converts them into its currency, decides their tax and computes the totals.
 * @throws DomainError `exchange_rate_missing`, `tax_rate_missing`, `validation_failed` (an amount beyond what JSON
 * carries).
 */
export function priceDocument(positions: readonly Position[], context: PricingContext): PricedDocument {
  const crosses = new Map<string, CrossRate>();
  const wanted = positions.map((position) => {
    const billed = context.billed.of(position);
    return { ...amountsOf(position, crossOf(position, context, crosses, billed)), billed };
  });
  const asBilled = taxAsBilled(wanted, context.currencyCode);
  const lines = positions.map((position, i): TaxedLine => {
    const line = asBilled[i];
    if (!line) return { ...(wanted[i] as Amounts), ...decidedTax(position, context) };
    const { billed, netMinor, discountMinor, givenTaxMinor } = line;
    const { category, rate, noteKey, tax } = billed;
    const amounts = { netMinor, discountMinor, ...(givenTaxMinor === undefined ? {} : { givenTaxMinor }) };
    return { ...amounts, category, rate, noteKey, tax };
  });
  const limits = positions.flatMap((position, i) => {
    const line = asBilled[i];
    return line?.isLimited ? [limitOf(position, line, wanted[i] as Amounts, context)] : [];
  });
  const totals = totalsOf(lines, context.currencyCode);
  const isSafeLine = ({ netMinor, discountMinor }: Amounts): boolean =>
    isSafeAmount(netMinor) && isSafeAmount(discountMinor);
  if (!areSafeTotals(totals) || !lines.every(isSafeLine)) {
    throw new DomainError('validation_failed', { detail: 'An amount is larger than this system can show.' });
  }
  return {
    positions: positions.map((position, i) => {
      const line = lines[i] as (typeof lines)[number];
      const { netAfterDiscountMinor: _, ...paid } = totals.lines[i] as (typeof totals.lines)[number];
      const { netMinor, discountMinor, category, rate, noteKey, tax } = line;
      return {
        ...position,
        netMinor,
        discountMinor,
        ...paid,
        taxCategory: category,
        taxRate: rate,
        taxNoteKey: noteKey,
        tax,
      };
    }),
    taxes: totals.taxes,
    exchangeRates: appliedRates(crosses),
    limits,
    netMinor: totals.netMinor,
    discountMinor: totals.discountMinor,
    taxMinor: totals.taxMinor,
    grossMinor: totals.grossMinor,
  };
}

function decidedTax(position: Position, context: PricingContext): Omit<TaxedLine, keyof Amounts> {
  const { category, rate, noteKey, tax } = decideTax(context.parties, {
    group: groupOf(position, context),
    isGood: position.isGood,
    suppliedOn: position.serviceLast ? localDay(position.serviceLast, context.timeZone) : context.day,
  });
  return { category, rate, noteKey, tax: tax && appliedTax(tax, context.parties.sellerCountryCode) };
}

function appliedTax({ id, code, rate, description, countryCode }: TaxGroupRate, sellerCountryCode: string): AppliedTax {
  const abroad = !sameCountry(countryCode, sellerCountryCode) && isEuCountry(countryCode);
  return { id, code, rate, description, ...(abroad && { destination: countryCode }) };
}

const afterDiscount = ({ netMinor, discountMinor }: Amounts): bigint => netMinor - discountMinor;

function limitOf(
  position: Position,
  line: Amounts & { readonly billed: BilledLine },
  wanted: Amounts,
  { currencyCode }: PricingContext,
): CreditLimit {
  const { document: original } = line.billed;
  const [wantedMinor, creditedMinor] = [-afterDiscount(wanted), -afterDiscount(line)];
  return { positionId: position.id, name: position.name, original, currencyCode, wantedMinor, creditedMinor };
}

function groupOf(position: Position, context: PricingContext): TaxGroup {
  const group = context.taxGroups.get(position.taxGroupId);
  if (!group)
    throw new DomainError('tax_rate_missing', {
      detail: `The tax group of position ${position.ordinal}, "${position.name}", has been deleted: give it another one.`,
      violations: [
        {
          propertyPath: `positions[${position.ordinal - 1}].taxGroup`,
          message: 'This tax group does not exist any more.',
          code: 'unknown_reference',
        },
      ],
    });
  return group;
}

/** A line that credits or corrects an earlier one is converted as that one was. */
function crossOf(
  position: Position,
  context: PricingContext,
  crosses: Map<string, CrossRate>,
  billed: BilledLine | undefined,
): CrossRate | null {
  const from = position.priceCurrencyCode;
  if (from === context.currencyCode) return null;
  const known = billed?.exchangeRate;
  if (known && known.sourceCurrencyCode === from && known.destinationCurrencyCode === context.currencyCode) {
    const cross = crossOfRate(known);
    crosses.set(`${from} ${known.exchangeRateDate} ${known.exchangeRate}`, cross);
    return cross;
  }
  const cross =
    crosses.get(from) ?? crossRate(context.euroRates, { from, to: context.currencyCode }, context.day, context.live);
  if (!cross) {
    throw new DomainError('exchange_rate_missing', {
      detail: `There is no exchange rate from ${from} to ${context.currencyCode} before ${context.day}.`,
    });
  }
  crosses.set(from, cross);
  return cross;
}

type Amounts = Pick<TotalsLine, 'netMinor' | 'discountMinor'>;

/** Net before discount and discount in the document's currency, each rounded once. */
function amountsOf(position: Position, cross: CrossRate | null): Amounts {
  const convert = (minor: bigint): bigint => (cross ? convertMinor(minor, cross) : minor);
  if (position.ratedNetMinor !== null) {
    return { netMinor: convert(position.ratedNetMinor), discountMinor: convert(position.ratedDiscountMinor ?? 0n) };
  }
  const { priceAmount: amount, pricePrecision: precision, priceCurrencyCode: currencyCode } = position;
  const major = extend(decimal(position.quantity), { amount, precision, currencyCode });
  const netMinor = cross ? convertToMinor(major, cross) : toMinor(major, currencyCode, 'half_up');
  if (position.discountPercentage !== null)
    return { netMinor, discountMinor: discountOf(netMinor, { percentage: position.discountPercentage }) };
  const fixedMinor = convert(position.discountFixedMinor ?? 0n);
  return { netMinor, discountMinor: discountOf(netMinor, { fixedMinor }) };
}

/** Each once, those of today first. */
function appliedRates(crosses: ReadonlyMap<string, CrossRate>): AppliedRate[] {
  const rates = [...crosses].sort(([a], [b]) => a.length - b.length).map(([, cross]) => appliedRate(cross));
  return [...new Map(rates.map((rate) => [JSON.stringify(rate), rate])).values()];
}

const crossOfRate = (rate: AppliedRate): CrossRate => ({
  from: rate.sourceCurrencyCode,
  to: rate.destinationCurrencyCode,
  rate: decimal(rate.exchangeRate),
  date: rate.exchangeRateDate.slice(0, 10),
});

const appliedRate = (cross: CrossRate): AppliedRate => ({
  sourceCurrencyCode: cross.from,
  destinationCurrencyCode: cross.to,
  exchangeRate: rateText(cross),
  exchangeRateDate: `${cross.date}T00:00:00.000Z`,
});
