import { addDays } from '@kontor/kernel';
import { decideTax, taxAsBilled, type TaxDecision, type TaxGroup, type TaxParties, type TotalsLine } from '@kontor/tax';
import type { AccountCharge } from '../domain/charging/rated-account.js';
import type { Account, RatingContext } from '../domain/charging/rating-context.js';
import type { BilledCharge, TaxedCharge, TaxedCharges } from './billed-taxes.js';

export interface PreviewContext {
  readonly account: Account;
  readonly rating: RatingContext;
  readonly parties: TaxParties;
  readonly taxGroupOf: (id: string) => TaxGroup;
  /** How charges that are credited were taxed. */
  readonly billed: TaxedCharges;
}

type Decision = Pick<TaxDecision, 'category' | 'rate' | 'noteKey'> & { readonly tax: TaxedCharge['tax'] };

export interface PricedLine {
  readonly line: AccountCharge;
  readonly decision: Decision;
  readonly currencyCode: string;
  /** What it comes to; a credit is limited to what is left of its original. */
  readonly amounts: Pick<TotalsLine, 'netMinor' | 'discountMinor' | 'givenTaxMinor'>;
  readonly isLimited: boolean;
}

/** Decides the tax of each line; what credits an earlier line is taxed as that one was, and is none of what was never billed. */
export function priceLines(all: readonly AccountCharge[], context: PreviewContext): PricedLine[] {
  const { currencyCode } = context.account;
  const lines = all.filter(
    ({ charge }) => charge.amount.netMinor >= 0n || creditedBy(charge, context.billed) !== 'removed',
  );
  const wanted = lines.map(({ charge }) => {
    const { netMinor, discountMinor, unitPrice } = charge.amount;
    const credited = creditedBy(charge, context.billed);
    return {
      netMinor,
      discountMinor,
      lineCurrency: unitPrice.currencyCode,
      credited: credited === 'removed' ? null : credited,
    };
  });
  const asBilled = taxAsBilled(
    wanted.map(({ credited, lineCurrency, ...amounts }) => ({
      ...amounts,
      // What has to be converted is compared when it is.
      billed: lineCurrency === currencyCode ? (credited ?? undefined) : undefined,
    })),
    currencyCode,
  );
  return lines.map((line, n) => {
    const { netMinor, discountMinor, lineCurrency, credited } = wanted[n] as (typeof wanted)[number];
    const { billed: _, isLimited, ...amounts } = asBilled[n] ?? { netMinor, discountMinor, isLimited: false };
    const { category, rate, noteKey, tax } = credited === undefined ? UNKNOWN : (credited ?? decisionOf(line, context));
    return { line, decision: { category, rate, noteKey, tax }, currencyCode: lineCurrency, amounts, isLimited };
  });
}

const creditedBy = ({ creditedChargeId }: AccountCharge['charge'], billed: TaxedCharges): BilledCharge | undefined =>
  creditedChargeId === null ? null : billed.get(creditedChargeId);

/** Until invoicing has answered how the credited line was taxed; nobody is shown this. */
const UNKNOWN: Decision = { category: 'Z', rate: '0', noteKey: null, tax: null };

function decisionOf({ charge }: AccountCharge, { rating, parties, taxGroupOf }: PreviewContext): Decision {
  const product = rating.prices.productOf(charge.pricePlanId);
  return decideTax(parties, {
    group: taxGroupOf(product.taxGroupId),
    isGood: product.isGood,
    suppliedOn: addDays(charge.serviceTo, -1),
  });
}
