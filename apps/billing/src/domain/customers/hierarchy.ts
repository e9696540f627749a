/** Levels of parents and children, the top one included. @see docs/rules/customers.md#hierarchy */
export const MAX_LEVELS = 3;

export interface HierarchyPosition {
  /** Ids from the future parent up to its top, the parent included. */
  readonly ancestors: readonly string[];
  /** Levels of the subtree below and including the future child: 1 when it has no children. */
  readonly childLevels: number;
}

/** Why a customer cannot become another's child, or undefined when it can. */
export function refusesParent(childId: string, { ancestors, childLevels }: HierarchyPosition): string | undefined {
  if (ancestors[0] === childId) return 'A customer cannot be its own parent.';
  if (ancestors.includes(childId)) return 'The parent is a descendant of this customer.';
  if (ancestors.length + childLevels > MAX_LEVELS) return `A hierarchy has at most ${MAX_LEVELS} levels.`;
  return undefined;
}
