import type { UsageBreakdown } from '@kontor/contracts';
import { addDecimal, decimal, formatDecimal, subtractDecimal } from '@kontor/money';

export type Language = 'de' | 'en';

/** What was used in one day (or month) of a position's period. */
export interface UsedIn {
  /** ISO instants, half-open. */
  readonly from: string;
  readonly to: string;
  /** Decimal; negative where values are. */
  readonly value: string;
  readonly events: number;
  /** What was used by each group, where the metric has groups, and few enough for a page. */
  readonly groups?: readonly UsedByGroup[];
}

/** What one group used in a day (or month). */
export interface UsedByGroup {
  /** The values of the group's properties; empty where an event had none. */
  readonly group: Readonly<Record<string, string>>;
  readonly value: string;
  readonly events: number;
}

export type BreakdownPosition = UsageBreakdown['positions'][number] & {
  readonly granularity: 'day' | 'month';
  /** Whether the parts add up to the whole: counts and sums do, an average or a maximum does not. */
  readonly additive: boolean;
  readonly parts: readonly UsedIn[];
};

/** Everything that a page about usage shows, frozen with the document that it belongs to. */
export interface BreakdownDocument extends Omit<UsageBreakdown, 'tokenHash' | 'positions'> {
  readonly number: string;
  readonly type: string;
  readonly finalizedAt: string;
  readonly positions: readonly BreakdownPosition[];
}

/**
 * What the position bills beyond its parts: usage that came in after its period was closed is billed with another
 * document, and a correction bills only what earlier ones have not. Null when the parts are all there is.
 */
export function billedElsewhere({
  additive,
  parts,
  usage,
}: Pick<BreakdownPosition, 'additive' | 'parts' | 'usage'>): string | null {
  if (!additive) return null;
  const sum = parts.reduce((total, part) => addDecimal(total, decimal(part.value)), decimal('0'));
  const rest = formatDecimal(subtractDecimal(decimal(usage.quantity), sum));
  return rest === '0' ? null : rest;
}
