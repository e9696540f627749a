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

/** What a document claims. Minor units of the invoice's currency. */
export interface Claim {
  readonly openMinor: bigint;
  readonly earlierFeesMinor: bigint;
  readonly earlierNumbers: readonly string[];
  readonly feeMinor: bigint;
  readonly interestMinor: bigint;
  readonly interestFrom: Day | null;
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
  readonly isBusiness: boolean;
  readonly interest: boolean;
  readonly lumpSum: boolean;
  readonly baseRates: BaseRates;
}

/**
 * What is open of an invoice with the fees: those of earlier documents that are still open, and this one's. Interest and
 * the lump sum are for dunning letters only: businesses are in default from the day after the due date, others from the
 * first reminder on.
 * @see docs/rules/dunning.md#claim
 */
export function claimOf(
  invoice: { readonly unpaidMinor: bigint; readonly currencyCode: string },
  { rule, earlier, today, dueDay, isBusiness, interest, lumpSum, baseRates }: ClaimTerms,
): Claim {
  const openMinor = invoice.unpaidMinor;
  const feeMinor = rule.feeCurrencyCode === invoice.currencyCode ? rule.feeMinor : 0n;
  const isLetter = rule.type === 'dunning';
  const from = interestStart(earlier, isBusiness ? dueDay : earlier.firstDay);
  const owesInterest = isLetter && interest && from !== null && from <= today;
  const interestMinor = owesInterest
    ? defaultInterest(openMinor, { from, to: today, debtor: isBusiness ? 'business' : 'consumer' }, baseRates)
    : 0n;
  const owesLumpSum = isLetter && lumpSum && isBusiness && !earlier.hasLumpSum && invoice.currencyCode === 'EUR';
  const lumpSumMinor = owesLumpSum ? LUMP_SUM_CENTS : 0n;
  return {
    openMinor,
    earlierFeesMinor: earlier.openFeesMinor,
    earlierNumbers: earlier.openFeeNumbers,
    feeMinor,
    interestMinor,
    interestFrom: interestMinor > 0n ? from : null,
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
