import { invariant } from '@kontor/kernel';

/** Where credit came from, kept for a later pay-out over the same way. */
export interface Origin {
  readonly paymentMethodId: string | null;
  readonly gatewayName: string | null;
  /** The gateway's or bank's reference of the original payment. */
  readonly reference: string | null;
}

/** A piece of a wallet's credit. The sum of all `remainingMinor` is the wallet's balance. */
export interface Lot {
  readonly id: string;
  readonly walletId: string;
  /** Payment, or null for credit that no payment brought. */
  readonly sourceTransactionId: string | null;
  /** The overpaid or credited document. */
  readonly sourceIntentId: string | null;
  readonly origin: Origin;
  readonly promotional: boolean;
  readonly expiresAt: Date | null;
  readonly amountMinor: bigint;
  remainingMinor: bigint;
  /** Grows with every lot of the wallet: "oldest" without depending on clocks. */
  readonly ordinal: number;
  readonly createdAt: Date;
}

/** How much of which lot a wallet transaction took; a reversal gives exactly this back. */
export interface LotUse {
  readonly lotId: string;
  /** Minor units, more than zero. */
  readonly amountMinor: bigint;
}

type LotTerms = Pick<Lot, 'promotional' | 'expiresAt' | 'ordinal'>;

const forever = Number.POSITIVE_INFINITY;
/** The order in which lots are used: promotional, earliest expiry, oldest. */
export const byUse = (a: LotTerms, b: LotTerms): number =>
  Number(b.promotional) - Number(a.promotional) ||
  compare(a.expiresAt?.getTime() ?? forever, b.expiresAt?.getTime() ?? forever) ||
  a.ordinal - b.ordinal;
const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

/** Lots that still have credit at `now`, in the order in which they are used. */
export const usableLots = (lots: readonly Lot[], now: Date): Lot[] =>
  lots.filter((lot) => lot.remainingMinor > 0n && (lot.expiresAt === null || lot.expiresAt > now)).sort(byUse);

/** Credit that can be used at `now`: expired lots that nobody has booked out yet do not count. */
export const usableMinor = (lots: readonly Lot[], now: Date): bigint =>
  usableLots(lots, now).reduce((sum, lot) => sum + lot.remainingMinor, 0n);

/** Which lots pay for `amountMinor`; undefined when they do not suffice. Nothing is used yet. */
export function planUse(lots: readonly Lot[], amountMinor: bigint, now: Date): LotUse[] | undefined {
  const uses: LotUse[] = [];
  let left = amountMinor;
  for (const lot of usableLots(lots, now)) {
    if (left === 0n) break;
    const taken = lot.remainingMinor < left ? lot.remainingMinor : left;
    uses.push({ lotId: lot.id, amountMinor: taken });
    left -= taken;
  }
  return left === 0n ? uses : undefined;
}

/** Uses of lots with the same origin: each group becomes a wallet transaction that can name it. */
export function groupByOrigin(
  lots: readonly Lot[],
  uses: readonly LotUse[],
): { origin: Origin; uses: LotUse[]; amountMinor: bigint }[] {
  const groups = new Map<string, { origin: Origin; uses: LotUse[]; amountMinor: bigint }>();
  for (const use of uses) {
    const lot = lots.find((l) => l.id === use.lotId);
    invariant(lot, 'a use names a lot of its wallet');
    const key = [lot.origin.paymentMethodId, lot.origin.gatewayName, lot.origin.reference].join('|');
    const group = groups.get(key) ?? { origin: lot.origin, uses: [], amountMinor: 0n };
    group.uses.push(use);
    group.amountMinor += use.amountMinor;
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Takes planned uses from their lots. */
export function take(lots: readonly Lot[], uses: readonly LotUse[]): void {
  for (const use of uses) {
    const lot = lots.find((l) => l.id === use.lotId);
    invariant(lot && lot.remainingMinor >= use.amountMinor, 'a lot gives no more than it has');
    lot.remainingMinor -= use.amountMinor;
  }
}

/** Gives uses back to the same lots; one that has expired meanwhile is refilled all the same and expires again. */
export function refill(lots: readonly Lot[], uses: readonly LotUse[]): void {
  for (const use of uses) {
    const lot = lots.find((l) => l.id === use.lotId);
    invariant(
      lot && lot.remainingMinor + use.amountMinor <= lot.amountMinor,
      'a lot never holds more than it came with',
    );
    lot.remainingMinor += use.amountMinor;
  }
}
