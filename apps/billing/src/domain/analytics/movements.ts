import type { Day } from '@kontor/kernel';
import type { RecurringLevel } from './recurring-levels.js';

export const MOVEMENT_KINDS = [
  'new',
  'expansion',
  'contraction',
  'churn',
  'reactivation',
  'transfer_in',
  'transfer_out',
] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** A change of what a subscription brings in a year, on the customer's day of its effect. */
export interface Movement {
  readonly day: Day;
  readonly kind: MovementKind;
  readonly planId: string | null;
  readonly currencyCode: string;
  /** The difference, minor units. All of a subscription sum to its level. */
  readonly annualMinor: bigint;
  /** Subscriptions with an amount in the currency and the plan: 1, 0 or -1. */
  readonly subscriptions: number;
}

/** What an event says of a subscription: its levels as they were seen on a day. */
export interface SeenLevels {
  readonly on: Day;
  readonly levels: readonly RecurringLevel[];
}

interface State {
  planId: string | null;
  /** By currency; none that is 0. */
  amounts: ReadonlyMap<string, bigint>;
  everHad: boolean;
}

/**
 * The movements of a subscription after what an event says of it. What is before its day stays: figures of the past never
 * change, but for a subscription that is first seen, which counts from its beginning. The same event again changes nothing.
 * @see docs/rules/analytics.md#recurring-revenue
 */
export function movementsAfter(known: readonly Movement[], { on, levels }: SeenLevels): Movement[] {
  const kept = known.filter(({ day }) => day < on);
  const state = stateOf(kept);
  const first = kept.length === 0 ? '' : on;
  const days = [...new Set([first, ...levels.map(({ from }) => from)])].filter((day) => day >= first).sort();
  return [...kept, ...days.flatMap((day) => moveTo(state, day, levels))];
}

function stateOf(kept: readonly Movement[]): State {
  const amounts = new Map<string, bigint>();
  for (const { currencyCode, annualMinor } of kept)
    amounts.set(currencyCode, (amounts.get(currencyCode) ?? 0n) + annualMinor);
  const last = kept.findLast(({ kind }) => kind !== 'transfer_out');
  return { planId: last?.planId ?? null, amounts: withoutZeros(amounts), everHad: kept.length > 0 };
}

const withoutZeros = (amounts: ReadonlyMap<string, bigint>): Map<string, bigint> =>
  new Map([...amounts].filter(([, amount]) => amount !== 0n));

/** Moves the state to the levels of a day. */
function moveTo(state: State, day: Day, levels: readonly RecurringLevel[]): Movement[] {
  const inForce = new Map(levels.filter(({ from }) => from <= day).map((level) => [level.currencyCode, level]));
  const after = withoutZeros(new Map([...inForce].map(([code, { annualMinor }]) => [code, annualMinor])));
  const planId = [...inForce.values()].find(({ annualMinor }) => annualMinor !== 0n)?.planId ?? state.planId;
  const before = state.amounts;
  const movements = [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((currencyCode): Movement[] => {
    const from = before.get(currencyCode) ?? 0n;
    const to = after.get(currencyCode) ?? 0n;
    const moved: Movement[] = [];
    const add = (kind: MovementKind, plan: string | null, annualMinor: bigint, subscriptions: number): unknown =>
      moved.push({ day, kind, planId: plan, currencyCode, annualMinor, subscriptions });
    if (planId !== state.planId && from !== 0n && after.size > 0) {
      add('transfer_out', state.planId, -from, -1);
      add('transfer_in', planId, from, 1);
    }
    if (to !== from) add(kindOf(state, after, to - from), planId, to - from, Number(to !== 0n) - Number(from !== 0n));
    return moved;
  });
  state.everHad ||= after.size > 0;
  state.planId = planId;
  state.amounts = after;
  return movements;
}

function kindOf({ amounts, everHad }: State, after: ReadonlyMap<string, bigint>, difference: bigint): MovementKind {
  if (amounts.size === 0) return everHad ? 'reactivation' : 'new';
  if (after.size === 0) return 'churn';
  return difference > 0n ? 'expansion' : 'contraction';
}
