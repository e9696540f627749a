import { isSupportedDay, unknownReference, validationFailed } from '@kontor/kernel';
import { leastQuantity } from '../least-quantity.js';
import type { DealType } from './deal-type.js';
import { type ItemBlock, MAX_ITEMS, type OfferSection, type TermBlock } from './sections.js';

/** What an offer says about what is sold. */
interface Sold {
  readonly dealType: DealType;
  readonly subscriptionId: string | null;
  readonly sections: readonly OfferSection[];
}

/** Something that is sold, and what the buyer may do about it. */
export interface OfferItem {
  readonly id: string;
  readonly pricePlan: string;
  readonly quantity: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly optional: boolean;
  readonly selected: boolean;
  /** Within these the quantity can be changed; both null: it is fixed. */
  readonly minQuantity: string | null;
  readonly maxQuantity: string | null;
  readonly subscriptionItem: string | null;
}

/** What a buyer has chosen of one item. */
export interface ItemChoice {
  readonly item: string;
  readonly selected?: boolean | null;
  readonly quantity?: string | null;
}

const blocksOf = (section: OfferSection): readonly ItemBlock[] =>
  section.type === 'items' && Array.isArray(section['items']) ? (section['items'] as ItemBlock[]) : [];

const lower = (id: string | null | undefined): string | null => id?.toLowerCase() ?? null;

/** All items of all blocks, in their order; each has an id. */
export function itemsOf(sections: readonly OfferSection[]): OfferItem[] {
  return sections.flatMap(blocksOf).map((block, n) => ({
    id: block.id ?? String(n + 1),
    pricePlan: block.pricePlan.toLowerCase(),
    quantity: block.quantity ?? '1',
    name: block.name ?? null,
    description: block.description ?? null,
    optional: block.optional ?? false,
    selected: !block.optional || (block.selected ?? false),
    minQuantity: block.minQuantity ?? null,
    maxQuantity: block.maxQuantity ?? null,
    subscriptionItem: lower(block.subscriptionItem),
  }));
}

/** What the offer's first block of the type `subscription` says about it. */
export function agreementOf(sections: readonly OfferSection[]) {
  const block = sections.find(({ type }) => type === 'subscription') ?? {};
  const { plan, startsOn, trialDays, period } = block as {
    plan?: string | null;
    startsOn?: string | null;
    trialDays?: number | null;
    period?: TermBlock | null;
  };
  return {
    plan: lower(plan),
    startsOn: startsOn ?? null,
    trialDays: trialDays ?? 0,
    period: period
      ? {
          contractPeriodCount: period.contractPeriodCount ?? 1,
          contractPeriod: period.contractPeriod,
          cancellationPeriod: period.cancellationPeriod ?? null,
        }
      : null,
  };
}

/** What the blocks name of the catalogue, and where. */
export const namedIn = (
  sections: readonly OfferSection[],
): { path: string; what: 'price plan' | 'plan'; id: string }[] =>
  sections.flatMap((section, n) => {
    const plan = section.type === 'subscription' ? lower(section['plan'] as string | null | undefined) : null;
    const prices = blocksOf(section).map(({ pricePlan }, m) => ({
      path: `sections[${n}].items[${m}].pricePlan`,
      what: 'price plan' as const,
      id: pricePlan.toLowerCase(),
    }));
    return plan === null ? prices : [...prices, { path: `sections[${n}].plan`, what: 'plan' as const, id: plan }];
  });

/** Whether the offer says what is sold, and by that what accepting it leads to. */
export const sells = ({ subscriptionId, sections }: Pick<Sold, 'subscriptionId' | 'sections'>): boolean =>
  subscriptionId !== null || itemsOf(sections).length > 0 || agreementOf(sections).plan !== null;

/** What is sold, and the one type of block that says it; elsewhere it would have no effect. */
const SAID_BY: Readonly<Record<string, string>> = {
  items: 'items',
  plan: 'subscription',
  startsOn: 'subscription',
  trialDays: 'subscription',
  period: 'subscription',
};

function assertPlaces(sections: readonly OfferSection[]): void {
  const agreement = sections.find(({ type }) => type === 'subscription');
  for (const [n, section] of sections.entries())
    for (const [field, type] of Object.entries(SAID_BY)) {
      const isHeard = section.type === type && (type !== 'subscription' || section === agreement);
      if (isHeard || (section[field] ?? null) === null) continue;
      const which = type === 'subscription' ? 'the first block of the type subscription' : 'blocks of the type items';
      throw validationFailed(`sections[${n}].${field}`, `${field} belongs into ${which}.`, 'misplaced');
    }
}

/** @throws DomainError `validation_failed` for items that contradict each other or the deal type, and for what stands in a block that does not say it */
export function assertItems({ dealType, subscriptionId, sections }: Sold): void {
  assertPlaces(sections);
  const items = itemsOf(sections);
  const agreement = agreementOf(sections);
  if (items.length > MAX_ITEMS)
    throw validationFailed('sections', `An offer has at most ${MAX_ITEMS} items.`, 'too_many_items');
  if (new Set(items.map(({ id }) => id)).size < items.length)
    throw validationFailed('sections', 'Each item of an offer has an id of its own.', 'duplicate_item');
  const changes = dealType === 'expansion' || dealType === 'renewal';
  if (items.length > 0 && changes && subscriptionId === null)
    throw validationFailed('subscription', 'This deal type changes a subscription: name it.', 'required');
  if (dealType === 'new_business' && subscriptionId !== null && (items.length > 0 || agreement.plan !== null))
    throw validationFailed(
      'subscription',
      'The offer names a subscription, or what a new one is made of, not both.',
      'not_allowed',
    );
  if (dealType !== 'new_business' && agreement.plan !== null)
    throw validationFailed('sections', 'A plan is sold by an offer of new business only.', 'plan_not_allowed');
  if (agreement.startsOn !== null && !isSupportedDay(agreement.startsOn))
    throw validationFailed('sections', `Nothing can begin on ${agreement.startsOn}.`, 'invalid_date');
  for (const item of items) {
    if (item.subscriptionItem !== null && !changes)
      throw validationFailed('sections', 'This deal type changes no item of a subscription.', 'item_not_allowed');
    assertBounds(item, item.quantity, 'sections');
  }
  assertChangedOnce(items, 'sections');
}

/** Alternatives may change one item of a subscription; of those that are chosen one does, or it would not be known to which quantity. */
function assertChangedOnce(items: readonly OfferItem[], path: string): void {
  const changed = items.flatMap(({ selected, subscriptionItem }) => (selected && subscriptionItem) || []);
  if (new Set(changed).size < changed.length)
    throw validationFailed(
      path,
      'Two chosen items change the same item of the subscription.',
      'duplicate_subscription_item',
    );
}

/** A decimal text of at most 9 decimals, exactly. */
const scaled = (quantity: string): bigint => {
  const [whole = '0', fraction = ''] = quantity.split('.');
  return BigInt(whole + fraction.padEnd(9, '0'));
};

type Bounds = Pick<OfferItem, 'minQuantity' | 'maxQuantity'>;

function assertBounds({ minQuantity: min, maxQuantity: max }: Bounds, quantity: string, path: string): void {
  const isBelow = scaled(quantity) <= 0n || (min !== null && scaled(quantity) < scaled(min));
  const isAbove = max !== null && scaled(quantity) > scaled(max);
  if (!isBelow && !isAbove) return;
  const bounds = [min === null ? 'above 0' : `at least ${min}`, max === null ? '' : `at most ${max}`].filter(Boolean);
  throw validationFailed(path, `The quantity must be ${bounds.join(' and ')}.`, 'out_of_bounds');
}

/**
 * The items as the buyer wants them; what is not named stays.
 * @throws DomainError `unknown_reference`, `validation_failed`
 */
export function choose(
  items: readonly OfferItem[],
  choices: readonly ItemChoice[],
  { mayBeNothing = false } = {},
): OfferItem[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  for (const [n, { item: id, selected, quantity }] of choices.entries()) {
    const item = byId.get(id);
    if (!item) throw unknownReference(`items[${n}].item`, 'item of the offer');
    if (selected === false && !item.optional)
      throw validationFailed(`items[${n}].selected`, 'This item is not optional.', 'not_optional');
    const isFixed = item.minQuantity === null && item.maxQuantity === null;
    // Pages write `3.50` as 3.5: the same quantity changes nothing, not its text either.
    const isSame = !quantity || scaled(quantity) === scaled(item.quantity);
    if (isFixed && !isSame)
      throw validationFailed(`items[${n}].quantity`, 'The quantity of this item is fixed.', 'quantity_not_editable');
    const minQuantity = leastQuantity(item.minQuantity, item.quantity);
    if (quantity && !isFixed) assertBounds({ ...item, minQuantity }, quantity, `items[${n}].quantity`);
    byId.set(id, {
      ...item,
      selected: item.optional ? (selected ?? item.selected) : true,
      quantity: isSame ? item.quantity : quantity,
    });
  }
  const chosen = [...byId.values()];
  if (!mayBeNothing && !chosen.some(({ selected }) => selected))
    throw validationFailed('items', 'Nothing is chosen.', 'required');
  assertChangedOnce(chosen, 'items');
  return chosen;
}
