/** What an intent got of a payment and what of that has not gone back, in minor units. */
export interface StandingPart {
  readonly intentId: string;
  readonly paidMinor: bigint;
  readonly amountMinor: bigint;
}

export const standingMinor = (parts: readonly { readonly amountMinor: bigint }[]): bigint =>
  parts.reduce((sum, part) => sum + part.amountMinor, 0n);

/**
 * The parts of a payment that go back when so much of it does, at most all that stands: what its intents got last goes back first. `standing`: in
 * the order in which they got it.
 */
export function lastParts(standing: readonly StandingPart[], amountMinor: bigint): StandingPart[] {
  let leftMinor = amountMinor;
  return standing.toReversed().flatMap((part) => {
    const backMinor = part.amountMinor < leftMinor ? part.amountMinor : leftMinor;
    leftMinor -= backMinor;
    return backMinor > 0n ? [{ ...part, amountMinor: backMinor }] : [];
  });
}
