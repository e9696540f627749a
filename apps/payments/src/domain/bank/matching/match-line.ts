import { formatMajor, money } from '@kontor/money';
import { type Intent, takesMoney } from '../../customer-books/intent.js';
import { type BankTransaction, goesTheWayOf, type Suggestion } from '../bank-transaction.js';
import { confirmable, type RecordedHit } from './match-recorded.js';

/** A document whose number (or id) stands in the text of a line, and where. */
export interface NumberHit {
  readonly intent: Intent;
  readonly key: string;
  /** Tokens of the text that it uses. */
  readonly from: number;
  readonly to: number;
}

/** A document of a customer for whom this payer has paid before, or who has the payer's name. */
export interface PayerHit {
  readonly intent: Intent;
  readonly via: 'iban' | 'name' | 'customer';
}

export interface Findings {
  readonly numbers: readonly NumberHit[];
  readonly payers: readonly PayerHit[];
  /** What letters claim of an invoice that is named, or whose letter is: that first, then the fees. By the document that is named. */
  readonly claimed?: ReadonlyMap<Intent, readonly Intent[]>;
  /** Payments that were recorded by hand and that no line has shown. */
  readonly recorded?: readonly RecordedHit[];
  /** Documents of which money is being moved in another way; what only waits for its payer, or for a file, is not. */
  readonly moving: ReadonlySet<Intent>;
}

/**
 * What is to become of a line: book these documents (and top-ups) with what they have open, note that it is the money of a top-up
 * that somebody has confirmed, or ask a person.
 */
export type Match =
  | { readonly kind: 'book'; readonly intents: readonly Intent[] }
  | { readonly kind: 'confirm'; readonly transactionId: string }
  | { readonly kind: 'suggest'; readonly suggestions: readonly Suggestion[] };

/** Shorter numbers are too likely to stand in a text by chance: they suggest only. */
const SURE_LENGTH = 4;
const MAX_SUGGESTIONS = 10;
const SETTLED_SCORE = 0.3;

/**
 * Decides about a line that nobody has touched. It is booked by itself when its text names documents (by number or id),
 * nothing about that is ambiguous, and what they have open, or what letters about them claim, is exactly the amount; a number with another amount, or the
 * amount and a known payer (or the customer's own name), suggest. So does a payment of the amount that was recorded by
 * hand and that no line has shown: the line may well be its money. The reference of a top-up is named by nothing else: the
 * line is that money, also where it was confirmed before.
 */
export function matchLine(line: BankTransaction, found: Findings): Match {
  const fitting = (intent: Intent): boolean =>
    (intent.status !== 'cancelled' || isOpenAgain(intent)) &&
    intent.currencyCode === line.currencyCode &&
    goesTheWayOf(line, intent);
  const read = withoutInner(found.numbers);
  const hits = withoutInner(found.numbers.filter((hit) => fitting(hit.intent)));
  const named = [...new Map(hits.map((hit) => [hit.intent.id, hit])).values()];
  const unclear = ambiguous(hits);
  const payable = named.filter(({ intent }) => openOf(line, intent) > 0n && !found.moving.has(intent));
  const undecided = named.some(({ intent }) => found.moving.has(intent));
  const sum = openSum(
    line,
    payable.map(({ intent }) => intent),
  );
  const recorded = (found.recorded ?? []).filter(
    ({ intent, via }) => fitting(intent) && (via !== 'number' || named.some((hit) => hit.intent === intent)),
  );
  const [toppedUp] = recorded.filter(({ intent, amountMinor }) => isTopUp(intent) && amountMinor === size(line));
  if (toppedUp && named.length === 1 && !line.byHand) return { kind: 'confirm', transactionId: toppedUp.transactionId };
  const confirms = confirmable(
    line,
    recorded.filter(({ intent }) => !isTopUp(intent)),
  );
  const claimed = claimedOf(line, found, read).filter(fitting);
  const isClaim =
    claimed.length > payable.length &&
    payable.every(({ intent }) => claimed.includes(intent)) &&
    claimed.every((intent) => !found.moving.has(intent)) &&
    openSum(line, claimed) === size(line) &&
    isSure(read) &&
    ambiguous(read).size === 0;
  // Whoever names `RE-2026-00017` does not mean `2026-00017`, whatever becomes of the longer number.
  const isRead = hits.every((hit) => read.includes(hit));
  const mayBook =
    confirms.length === 0 &&
    !undecided &&
    unclear.size === 0 &&
    isSure(payable) &&
    isRead &&
    !line.byHand &&
    ![...payable.map(({ intent }) => intent), ...claimed].some(isOpenAgain);
  if (mayBook && isClaim) return { kind: 'book', intents: claimed };
  if (mayBook && payable.length > 0 && sum === size(line))
    return { kind: 'book', intents: payable.map(({ intent }) => intent) };
  const sumFits = isClaim ? claimed : sum === size(line) ? payable.map(({ intent }) => intent) : [];
  const byLetter = unclear.size > 0 ? [] : claimed.filter((intent) => !named.some((hit) => hit.intent === intent));
  const suggestions = new Map(
    [...named.map(({ intent }) => intent), ...byLetter]
      .filter((intent) => !isTopUp(intent))
      .map((intent) => [
        intent.id,
        byNumber(line, intent, {
          isNamed: !byLetter.includes(intent),
          isUnclear: unclear.has(intent.id),
          sumFits: sumFits.includes(intent),
          isMoving: found.moving.has(intent),
        }),
      ]),
  );
  for (const payer of byPayer(
    line,
    found.payers.filter(({ intent }) => fitting(intent) && !found.moving.has(intent) && !suggestions.has(intent.id)),
  ))
    suggestions.set(payer.id, payer.suggestion);
  const all = [...confirms, ...[...suggestions.values()].filter((suggestion) => !saysLess(suggestion, confirms))];
  return { kind: 'suggest', suggestions: all.sort((a, b) => b.score - a.score).slice(0, MAX_SUGGESTIONS) };
}

/** Assigned by its reference alone: what is suggested are documents. */
const isTopUp = ({ invoiceId }: Intent): boolean => invoiceId === null;

/** Of an invoice that had ended: its payer may mean something else, so that a person has to look. */
const isOpenAgain = (intent: Intent): boolean =>
  intent.status === 'cancelled' && !isTopUp(intent) && takesMoney(intent);

/** That a document is settled already says nothing more where the line confirms what has settled it. */
const saysLess = (suggestion: Suggestion, confirms: readonly Suggestion[]): boolean =>
  suggestion.score <= SETTLED_SCORE && confirms.some(({ invoiceId }) => invoiceId === suggestion.invoiceId);

const size = (line: BankTransaction): bigint =>
  line.unassignedMinor < 0n ? -line.unassignedMinor : line.unassignedMinor;

/** What a document can still get of money that goes the line's way. */
const openOf = (line: BankTransaction, intent: Intent): bigint =>
  line.amountMinor > 0n ? intent.openMinor : -intent.openMinor;

const openSum = (line: BankTransaction, intents: readonly Intent[]): bigint =>
  intents.reduce((total, intent) => total + openOf(line, intent), 0n);

/** What letters claim of what is named, as far as it is open. */
const claimedOf = (line: BankTransaction, { claimed }: Findings, read: readonly NumberHit[]): Intent[] =>
  [...new Set(read.flatMap(({ intent }) => claimed?.get(intent) ?? []))].filter((intent) => openOf(line, intent) > 0n);

const isSure = (hits: readonly NumberHit[]): boolean => hits.every(({ key }) => key.length >= SURE_LENGTH);

/** `2026-00017` inside of `RE-2026-00017` is the same number read twice. */
const withoutInner = (hits: readonly NumberHit[]): NumberHit[] =>
  hits.filter(
    (hit) =>
      !hits.some(
        (other) =>
          other.intent !== hit.intent &&
          other.from <= hit.from &&
          other.to >= hit.to &&
          other.key.length > hit.key.length,
      ),
  );

/** Documents that claim the same piece of the text. */
function ambiguous(hits: readonly NumberHit[]): Set<string> {
  const unclear = new Set<string>();
  for (const a of hits)
    for (const b of hits)
      if (a.intent !== b.intent && a.from <= b.to && b.from <= a.to) unclear.add(a.intent.id).add(b.intent.id);
  return unclear;
}

interface Naming {
  /** Or a dunning letter binds it to what the text names. */
  readonly isNamed: boolean;
  readonly isUnclear: boolean;
  /** With others the document makes exactly the amount. */
  readonly sumFits: boolean;
  /** Its money is being moved in another way. */
  readonly isMoving: boolean;
}

function byNumber(
  line: BankTransaction,
  intent: Intent,
  { isNamed, isUnclear, sumFits, isMoving }: Naming,
): Suggestion {
  const invoiceId = intent.invoiceId ?? intent.id;
  const open = openOf(line, intent);
  const amounts = (minor: bigint): string => `${formatMajor(money(minor, line.currencyCode))} ${line.currencyCode}`;
  const names = isNamed
    ? `The text names ${intent.documentNumber}`
    : `What the text names belongs, as dunned, to ${intent.documentNumber}`;
  const suggest = (score: number, more: string): Suggestion => ({ invoiceId, score, reason: `${names}${more}` });
  if (isUnclear) return suggest(0.5, ", but it can be read as another document's number as well.");
  if (open <= 0n) return suggest(SETTLED_SCORE, ', which is settled already: the money would be too much.');
  if (isMoving) return suggest(0.4, ', which is just being collected in another way.');
  if (open === size(line)) return suggest(isNamed ? 0.95 : 0.9, ', and the amount is exactly what is open on it.');
  if (sumFits) return suggest(0.95, ' among others, and together exactly this amount is open on them.');
  const difference = size(line) - open;
  const compared = difference < 0n ? `${amounts(-difference)} less than` : `${amounts(difference)} more than`;
  const score = (difference < 0n ? 80 : 70) - (isNamed ? 0 : 5);
  return suggest(score / 100, `, but the amount is ${compared} the ${amounts(open)} that are open on it.`);
}

const PAYERS: Readonly<Record<PayerHit['via'], { readonly who: string; readonly score: number }>> = {
  iban: { who: 'The same account has paid for this customer before', score: 0.7 },
  customer: { who: 'The payer has the name of this customer', score: 0.6 },
  name: { who: 'A payer of this name has paid for this customer before', score: 0.5 },
};

function byPayer(line: BankTransaction, hits: readonly PayerHit[]): { id: string; suggestion: Suggestion }[] {
  const equal = hits.filter(({ intent }) => openOf(line, intent) === size(line));
  const strongestLast = [...equal].sort((a, b) => PAYERS[a.via].score - PAYERS[b.via].score);
  const unique = [...new Map(strongestLast.map((hit) => [hit.intent.id, hit])).values()];
  return unique.map(({ intent, via }) => {
    const { who, score: alone } = PAYERS[via];
    const others = unique.length > 1 ? ` (so are ${unique.length - 1} other open documents)` : '';
    const score = alone - (unique.length > 1 ? 0.2 : 0);
    return {
      id: intent.id,
      suggestion: {
        invoiceId: intent.invoiceId ?? intent.id,
        score: Math.round(score * 100) / 100,
        reason: `${who}, and the amount is exactly what is open on ${intent.documentNumber}${others}.`,
      },
    };
  });
}

/** The text in which numbers are looked for. */
export const searchedText = (line: Pick<BankTransaction, 'remittanceInformation' | 'endToEndId'>): string =>
  [line.remittanceInformation, line.endToEndId].filter((part) => part !== null).join(' ');
