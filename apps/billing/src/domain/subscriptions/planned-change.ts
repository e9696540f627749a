import type { Day } from '@kontor/kernel';

/** What is credited of the old price when another one begins inside a paid period: the unused days, the whole line, nothing. */
export const CHANGE_CREDITS = ['pro_rata', 'full', 'none'] as const;
export type ChangeCredit = (typeof CHANGE_CREDITS)[number];

/** Asked for one item; agreed from the beginning; part of a change of the whole plan. */
export type ChangeKind = 'change' | 'phase' | 'plan';

/** Another price or quantity from a day on; null: as it is by then. */
export interface PlannedChange {
  readonly id: string;
  readonly kind: ChangeKind;
  readonly from: Day;
  readonly pricePlanId: string | null;
  /** Decimal text. */
  readonly quantity: string | null;
  readonly credit: ChangeCredit;
}

/** In the order of their days, one a day; null: none. */
export type PlannedChanges = readonly PlannedChange[] | null;

export const nextChange = ({ plannedChanges }: { readonly plannedChanges: PlannedChanges }): PlannedChange | null =>
  plannedChanges?.[0] ?? null;

/** Null for an empty list, as it is stored. */
export const plannedOf = (changes: readonly PlannedChange[]): PlannedChanges => (changes.length > 0 ? changes : null);

/**
 * A further change among those that wait. Another price takes the place of all that was to come from its day on; another
 * quantity joins what is to come on its day, takes the place of quantities that were asked for later days, and leaves
 * prices alone.
 */
export function withChange(planned: PlannedChanges, change: PlannedChange): PlannedChanges {
  const before = (planned ?? []).filter(({ from }) => from < change.from);
  if (change.pricePlanId !== null) return [...before, change];
  const sameDay = planned?.find(({ from }) => from === change.from);
  const after = (planned ?? []).filter(({ from }) => from > change.from);
  const later = change.kind === 'change' ? withoutQuantities(after) : after;
  return [...before, sameDay ? { ...sameDay, quantity: change.quantity } : change, ...later];
}

/** What stays of changes where another quantity is asked for: prices, and what was agreed otherwise. */
export const withoutQuantities = (planned: readonly PlannedChange[]): PlannedChange[] =>
  planned
    .map((other) => (other.kind === 'change' ? { ...other, quantity: null } : other))
    .filter(({ pricePlanId, quantity }) => pricePlanId !== null || quantity !== null);

/** All price plans that an item has now or will have. */
export const pricePlansOf = (item: {
  readonly pricePlanId: string;
  readonly plannedChanges: PlannedChanges;
  readonly phases?: readonly { readonly pricePlanId: string | null }[] | null;
}): string[] => [
  item.pricePlanId,
  ...(item.plannedChanges ?? []).flatMap(({ pricePlanId }) => pricePlanId ?? []),
  ...(item.phases ?? []).flatMap(({ pricePlanId }) => pricePlanId ?? []),
];
