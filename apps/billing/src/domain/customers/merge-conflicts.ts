export interface MergedParty {
  readonly id: string;
  readonly status: string;
  readonly currencyCode: string;
  readonly timeZone: string;
  readonly mergedIntoCustomerId: string | null;
  readonly isAnonymized: boolean;
  readonly persons: number;
  readonly emails: number;
  readonly addresses: number;
  /** Is there a subscription that was not terminated? */
  readonly hasSubscriptions: boolean;
  /** Was usage ever billed by its days? A late event has a period measured again, also of what has ended. */
  readonly isMetered: boolean;
  /** Charges that have no document yet, or a run that was asked for. */
  readonly isBeingBilled: boolean;
  /** Usage metrics that its items are billed by, or were: a late event has what they billed measured again. */
  readonly metrics: readonly string[];
  /** Ids from the customer itself up to its top. */
  readonly ancestors: readonly string[];
  /** Levels below and including it. */
  readonly levels: number;
}

export interface Conflict {
  readonly code: string;
  readonly message: string;
}

export interface MergeLimits {
  readonly levels: number;
  readonly contacts: number;
  readonly addresses: number;
}

/** Everything that speaks against making one customer of two. @see docs/rules/customers.md#merging */
export function mergeConflicts(source: MergedParty, target: MergedParty, limits: MergeLimits): Conflict[] {
  const conflicts: Conflict[] = [];
  const refuse = (code: string, message: string): void => void conflicts.push({ code, message });
  if (source.id === target.id) refuse('same_customer', 'A customer cannot be merged into itself.');
  if (target.mergedIntoCustomerId !== null)
    refuse('target_merged', `The target was itself merged into ${target.mergedIntoCustomerId}.`);
  else if (target.status === 'STATUS_ARCHIVED') refuse('target_archived', 'The target is archived.');
  if (source.mergedIntoCustomerId !== null)
    refuse('already_merged', `The customer was merged into ${source.mergedIntoCustomerId}.`);
  if (source.isAnonymized || target.isAnonymized) refuse('anonymized', 'One of the customers was anonymized.');
  if (source.currencyCode !== target.currencyCode)
    refuse('currencies_differ', `One customer pays in ${source.currencyCode}, the other in ${target.currencyCode}.`);
  if (source.timeZone !== target.timeZone && (source.hasSubscriptions || source.isMetered))
    refuse('time_zones_differ', `Days end at other times: ${source.timeZone} and ${target.timeZone}.`);
  if (source.isBeingBilled) refuse('being_billed', 'The customer is being billed; try again in a moment.');
  for (const metric of source.metrics.filter((id) => target.metrics.includes(id)))
    refuse(
      'metered_twice',
      `Both customers are billed by the usage metric ${metric}: the usage of both would count twice.`,
    );
  if (source.persons + target.persons > limits.contacts || source.emails + 1 + target.emails > limits.contacts)
    refuse('too_many_contacts', `Together they have more than ${limits.contacts} contact persons or e-mail addresses.`);
  if (source.addresses + target.addresses > limits.addresses)
    refuse('too_many_addresses', `Together they have more than ${limits.addresses} addresses.`);
  if (target.ancestors.slice(1).includes(source.id))
    refuse('hierarchy_invalid', 'The target is below the customer in the hierarchy; take it out first.');
  else if (source.levels > 1 && target.ancestors.length + source.levels - 1 > limits.levels)
    refuse('hierarchy_invalid', `The children of the customer would be deeper than ${limits.levels} levels.`);
  return conflicts;
}
