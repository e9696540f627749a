import { addDays, type Day } from '@kontor/kernel';
import type { DunningRule } from './dunning-rule.js';
import type { BaseRates } from './base-rates.js';
import { defaultInterest, LUMP_SUM_CENTS } from './default-interest.js';

/** What documents about an invoice have claimed so far. */
export interface EarlierClaims {
  /** What is open of their fees. */
  readonly openFeesMinor: bigint;
  /** The documents with these fees. */
  readonly openFeeNumbers: readonly string[];
  readonly hasLumpSum: boolean;
  /** The last day for which interest was claimed. */
  readonly interestTo: Day | null;
  /** How many dunning letters there were, reminders not counted. */
  readonly letters: number;
  /** Day of the first document. */
  readonly firstDay: Day | null;
}

export const NO_CLAIMS: EarlierClaims = {
  openFeesMinor: 0n,
  openFeeNumbers: [],
  hasLumpSum: false,
  interestTo: null,
  letters: 0,
  firstDay: null,
};

/** Days on which nothing was open: from the day after a payment to the day on which it went back, both included. */
export interface PaidDays {
  readonly from: Day;
  readonly to: Day;
}

/** Interest for days without a gap, both included. */
export interface InterestSpan {
  readonly from: Day;
  readonly to: Day;
  readonly minor: bigint;
}

/** What a document claims. Minor units of the invoice's currency. */
export interface Claim {
  readonly openMinor: bigint;
  readonly earlierFeesMinor: bigint;
  readonly earlierNumbers: readonly string[];
  readonly feeMinor: bigint;
  readonly interest: readonly InterestSpan[];
  readonly interestMinor: bigint;
  readonly interestTo: Day | null;
  readonly lumpSumMinor: bigint;
  readonly claimMinor: bigint;
}

export interface ClaimTerms {
  readonly rule: Pick<DunningRule, 'type' | 'feeMinor' | 'feeCurrencyCode'>;
  readonly earlier: EarlierClaims;
  readonly today: Day;
  /** Last day on which the invoice could be paid in time. */
  readonly dueDay: Day;
  /** In their order. */
  readonly paidDays: readonly PaidDays[];
  readonly isBusiness: boolean;
  readonly interest: boolean;
  readonly lumpSum: boolean;
  readonly baseRates: BaseRates;
}

/**
 * What is open of an invoice with the fees: those of earlier documents that are still open, and this one's. Interest and
 * the lump sum are for dunning letters only: businesses are in default from the day after the due date, others from the
 * first reminder on. None is owed for the days on which it was paid, before its payment went back.
 * @see docs/rules/dunning.md#claim
 */
export function claimOf(
  invoice: { readonly unpaidMinor: bigint; readonly currencyCode: string },
  { rule, earlier, today, dueDay, paidDays, isBusiness, interest: charges, lumpSum, baseRates }: ClaimTerms,
): Claim {
  const openMinor = invoice.unpaidMinor;
  const feeMinor = rule.feeCurrencyCode === invoice.currencyCode ? rule.feeMinor : 0n;
  const isLetter = rule.type === 'dunning';
  const from = interestStart(earlier, isBusiness ? dueDay : earlier.firstDay);
  const debtor = isBusiness ? 'business' : 'consumer';
  const interest =
    isLetter && charges && from !== null
      ? openDays(from, today, paidDays)
          .map((days) => ({ ...days, minor: defaultInterest(openMinor, { ...days, debtor }, baseRates) }))
          .filter(({ minor }) => minor > 0n)
      : [];
  const interestMinor = interest.reduce((sum, { minor }) => sum + minor, 0n);
  const owesLumpSum = isLetter && lumpSum && isBusiness && !earlier.hasLumpSum && invoice.currencyCode === 'EUR';
  const lumpSumMinor = owesLumpSum ? LUMP_SUM_CENTS : 0n;
  return {
    openMinor,
    earlierFeesMinor: earlier.openFeesMinor,
    earlierNumbers: earlier.openFeeNumbers,
    feeMinor,
    interest,
    interestMinor,
    interestTo: interestMinor > 0n ? today : null,
    lumpSumMinor,
    claimMinor: openMinor + earlier.openFeesMinor + feeMinor + interestMinor + lumpSumMinor,
  };
}

/** The day after the last one that is settled: by an earlier claim of interest, or by not being in default. */
const interestStart = ({ interestTo }: EarlierClaims, lastBefore: Day | null): Day | null => {
  const last = interestTo ?? lastBefore;
  return last === null ? null : addDays(last, 1);
};

/** The days from one to another, both included, without those on which it was paid. */
function openDays(from: Day, to: Day, paidDays: readonly PaidDays[]): { readonly from: Day; readonly to: Day }[] {
  const spans: { from: Day; to: Day }[] = [];
  let next = from;
  for (const paid of paidDays) {
    if (paid.to < paid.from || paid.to < next || paid.from > to) continue;
    if (paid.from > next) spans.push({ from: next, to: addDays(paid.from, -1) });
    next = addDays(paid.to, 1);
  }
  if (next <= to) spans.push({ from: next, to });
  return spans;
}
