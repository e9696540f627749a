import type { Conflict } from './merge-conflicts.js';

/** One of two customers whose merge is to be undone. */
export interface PartedParty {
  readonly status: string;
  readonly currencyCode: string;
  readonly timeZone: string;
  readonly mergedIntoCustomerId: string | null;
  readonly isAnonymized: boolean;
}

/** How both are entangled by now. */
export interface Entanglement {
  readonly isBeingBilled: boolean;
  /** A subscription of the one is billed by a billing group of the other. */
  readonly sharesBillingGroup: boolean;
  /** A subscription of the one has a price that was made for the other. */
  readonly sharesPrice: boolean;
}

/** What speaks against undoing a merge, in what billing knows. */
export function undoConflicts(source: PartedParty, target: PartedParty, both: Entanglement): Conflict[] {
  const conflicts: Conflict[] = [];
  const refuse = (code: string, message: string): void => void conflicts.push({ code, message });
  if (target.mergedIntoCustomerId !== null)
    refuse('target_merged', `The target was itself merged into ${target.mergedIntoCustomerId}; undo that first.`);
  else if (target.status === 'STATUS_ARCHIVED') refuse('target_archived', 'The target is archived.');
  if (source.isAnonymized || target.isAnonymized) refuse('anonymized', 'One of the customers was anonymized.');
  if (source.currencyCode !== target.currencyCode)
    refuse('currencies_differ', `One customer pays in ${source.currencyCode}, the other in ${target.currencyCode}.`);
  if (source.timeZone !== target.timeZone)
    refuse('time_zones_differ', `Days end at other times: ${source.timeZone} and ${target.timeZone}.`);
  if (both.isBeingBilled) refuse('being_billed', 'The customer is being billed; try again in a moment.');
  if (both.sharesBillingGroup)
    refuse('billing_group_shared', 'A subscription of one customer is billed by a billing group of the other.');
  if (both.sharesPrice) refuse('price_shared', 'A subscription of one customer has a price made for the other.');
  return conflicts;
}
