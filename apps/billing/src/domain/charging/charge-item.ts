import { addDays, type Day, invariant, parseInterval } from '@kontor/kernel';
import { type Gap, type ServicePeriod, servicePeriods } from '../periods/service-periods.js';
import { leaveUnborne, releaseUnused, takeDiscounts } from '../discounts/applied-discount.js';
import type { ChargeDraft, CreditedCharge } from './charge.js';
import type { ChargeablePrice, ItemBilling, QuantityStep } from '../subscriptions/item-billing.js';
import { WHOLE } from '../proration/share.js';
import { creditLines } from './credit-lines.js';
import type { ItemContext } from './item-context.js';
import { meteredLine, regularLine } from './item-line.js';
import { nextChange, type PlannedChange, plannedOf } from '../subscriptions/planned-change.js';

export interface ItemCharges {
  /** In the order in which they fall due. */
  readonly lines: readonly ChargeDraft[];
  readonly credited: readonly CreditedCharge[];
  /** Where the item's billing stands afterwards. */
  readonly state: ItemBilling;
  /** When there is something to do again; null: never, as things are. */
  readonly nextDueOn: Day | null;
  /** Whether usage is billed then, for which its account waits a while. */
  readonly nextDueMetered: boolean;
}

/** A price with a meter is billed at the end of its period, never in advance. */
const inAdvance = (price: ChargeablePrice): boolean => price.payInAdvance && !price.meter;

const earlier = (a: Day | null, b: Day | null): Day | null => (a === null ? b : b === null || a < b ? a : b);

/**
 * Everything of one item that falls due until a day: credits for what was billed and is not used, each period that was
 * not charged yet, a change of price at its day. Nothing is charged twice, because each line moves `billedTo`.
 */
export function chargeItem(item: ItemBilling, context: ItemContext): ItemCharges {
  if (item.startOn === null || item.anchorOn === null)
    return { lines: [], credited: [], state: item, nextDueOn: null, nextDueMetered: false };
  const credited = creditOrdered(item, context);
  if (credited.waitsFor !== null)
    return { lines: [], credited: [], state: item, nextDueOn: credited.waitsFor, nextDueMetered: false };
  const charged = context.priceOf(item.pricePlanId).oneTime
    ? chargeOnce(credited.state, context)
    : chargePeriods(credited.state, context);
  const left = leave(charged.state, context);
  return {
    lines: [...credited.lines, ...charged.lines, ...left.lines],
    credited: [...credited.credited, ...charged.credited, ...left.credited],
    state: left.state,
    nextDueOn: earlier(charged.nextDueOn, left.nextDueOn),
    nextDueMetered: charged.nextDueOn !== null && context.priceOf(charged.state.pricePlanId).meter?.source === 'usage',
  };
}

interface Step {
  readonly state: ItemBilling;
  readonly lines: readonly ChargeDraft[];
  readonly credited: readonly CreditedCharge[];
  readonly nextDueOn: Day | null;
}

/**
 * A credit that was ordered: by a pause that ended, by a quantity that was measured later. What ends before it is billed again does not wait
 * for that.
 */
function creditOrdered(item: ItemBilling, context: ItemContext): Step & { waitsFor: Day | null } {
  const none = { state: item, lines: [], credited: [], nextDueOn: null, waitsFor: null };
  const dueOn = earlier(item.creditDueOn, context.endsOn);
  if (item.creditFrom === null || item.creditDueOn === null || dueOn === null) return none;
  if (dueOn > context.until) return { ...none, waitsFor: dueOn };
  const { shortened, ...credit } = creditLines(
    item.id,
    { from: item.creditFrom, dueOn },
    context.billed,
    context.priceOf,
  );
  const discountUses = releaseUnused(item, shortened);
  const billedTo = item.billedTo !== null && item.billedTo > item.creditFrom ? item.creditFrom : item.billedTo;
  return { ...none, ...credit, state: { ...item, discountUses, billedTo, creditFrom: null, creditDueOn: null } };
}

function chargePeriods(item: ItemBilling, context: ItemContext): Step {
  const lines: ChargeDraft[] = [];
  const credited: CreditedCharge[] = [];
  let state = item;
  let anchoredOn: Day | null = null;
  for (;;) {
    const price = context.priceOf(state.pricePlanId);
    const [step] = state.quantitySteps ?? [];
    const change = nextChange(state);
    const anchor = nextAnchor(state, context.gaps, anchoredOn);
    const agreed = earlier(change?.from ?? null, step?.from ?? null);
    const turn = earlier(agreed, anchor);
    const endsOn = earlier(context.endsOn, turn);
    for (const period of periodsOf(state, price, endsOn, context)) {
      if (period.dueOn > context.until) return { state, lines, credited, nextDueOn: period.dueOn };
      context.previewed?.add();
      const { line, uses } = discountedLine(state, period, price, context);
      lines.push(line);
      state = { ...state, billedTo: period.to, discountUses: uses };
    }
    if (turn === null || endsOn !== turn || turn === context.endsOn) return { state, lines, credited, nextDueOn: null };
    if (turn > context.until && turn === agreed) return { state, lines, credited, nextDueOn: turn };
    if (turn === anchor) {
      // All that is before it is billed: when it is known, what lies ahead is counted from it.
      anchoredOn = anchor;
      state = {
        ...state,
        anchorOn: anchor,
        ...(anchor <= context.until ? { billedTo: reachedBy(state, anchor) } : {}),
      };
    }
    // On one day the agreed change goes first: the measured quantity holds for the agreed price.
    if (turn === change?.from) {
      const left = creditBefore(state, change, context);
      lines.push(...left.lines);
      credited.push(...left.credited);
      state = changed(left.state, change, price, context);
    }
    if (turn === step?.from) state = stepped(state, step);
  }
}

/** A fixed discount that the line cannot bear is left for the next one, but for usage: more of that may come late. */
function discountedLine(
  state: ItemBilling,
  period: ServicePeriod,
  price: ChargeablePrice,
  context: ItemContext,
): { readonly line: ChargeDraft; readonly uses: ItemBilling['discountUses'] } {
  const { discounts, uses } = takeDiscounts(state, period.intervalFrom, price);
  if (price.meter) return { line: meteredLine(state, period, price, { meter: price.meter, discounts, context }), uses };
  const line = regularLine(state, period, price, discounts);
  return { line, uses: leaveUnborne(state, uses, line.amount.discounts) };
}

/** The day from which intervals are counted anew, if what is before it was not all billed when that was agreed. */
function nextAnchor({ billedTo, startOn, anchorOn }: ItemBilling, gaps: readonly Gap[], after: Day | null): Day | null {
  const reached = billedTo ?? startOn;
  const next = gaps.find(
    ({ to, isNewAnchor }) =>
      isNewAnchor &&
      to !== null &&
      to !== anchorOn &&
      (reached === null || to > reached) &&
      (after === null || to > after),
  );
  return next?.to ?? null;
}

function periodsOf(
  state: ItemBilling,
  price: ChargeablePrice,
  endsOn: Day | null,
  { gaps }: ItemContext,
): Generator<ServicePeriod> {
  invariant(state.startOn !== null && state.anchorOn !== null, 'an item that is billed has a start');
  return servicePeriods(state.billedTo ?? state.startOn, {
    anchorOn: state.anchorOn,
    interval: parseInterval(price.billingInterval),
    gaps,
    endsOn,
    advance: inAdvance(price),
    proRata: price.proRata,
  });
}

/** What was paid in advance beyond the day of a change goes back as the change says. */
function creditBefore(state: ItemBilling, { from, credit }: PlannedChange, context: ItemContext): Step {
  if (state.billedTo === null || state.billedTo <= from) return { state, lines: [], credited: [], nextDueOn: null };
  const { shortened, ...back } = creditLines(state.id, { from, dueOn: from, credit }, context.billed, context.priceOf);
  const discountUses = releaseUnused(state, shortened);
  return { ...back, state: { ...state, discountUses, billedTo: from }, nextDueOn: null };
}

/** The state from the day of a change on; another interval begins on that day, or with the item where that begins later. */
function changed(
  state: ItemBilling,
  { from: day, ...next }: PlannedChange,
  before: ChargeablePrice,
  context: ItemContext,
): ItemBilling {
  const pricePlanId = next.pricePlanId ?? state.pricePlanId;
  const { billingInterval } = context.priceOf(pricePlanId);
  return {
    ...state,
    pricePlanId,
    quantity: next.quantity ?? state.quantity,
    anchorOn:
      billingInterval === before.billingInterval
        ? state.anchorOn
        : context.anchorFor(firstDayFrom(state, day), parseInterval(billingInterval)),
    billedTo: reachedBy(state, day),
    plannedChanges: plannedOf((state.plannedChanges ?? []).slice(1)),
  };
}

const firstDayFrom = ({ startOn }: ItemBilling, day: Day): Day => (startOn !== null && startOn > day ? startOn : day);

/** The state from the day of a measured quantity on. */
function stepped(state: ItemBilling, { from, quantity }: QuantityStep): ItemBilling {
  const [, ...later] = state.quantitySteps ?? [];
  return { ...state, quantity, billedTo: reachedBy(state, from), quantitySteps: later.length > 0 ? later : null };
}

/** Nothing is billed between what is charged and a day in a pause. */
function reachedBy(state: ItemBilling, day: Day): Day | null {
  const reached = state.billedTo ?? state.startOn;
  return reached !== null && reached < day ? day : state.billedTo;
}

/** When an item ends inside a period that was billed in advance, the rest is credited on that day. */
function leave(state: ItemBilling, context: ItemContext): Step {
  const { endsOn } = context;
  const none = { state, lines: [], credited: [], nextDueOn: null };
  if (
    endsOn === null ||
    state.billedTo === null ||
    state.billedTo <= endsOn ||
    context.priceOf(state.pricePlanId).oneTime
  )
    return none;
  if (endsOn > context.until) return { ...none, nextDueOn: endsOn };
  const { shortened, ...credit } = creditLines(
    state.id,
    { from: endsOn, dueOn: endsOn, ...(context.endCredit ? { credit: context.endCredit } : {}) },
    context.billed,
    context.priceOf,
  );
  const discountUses = releaseUnused(state, shortened);
  return { ...credit, state: { ...state, discountUses, billedTo: endsOn }, nextDueOn: null };
}

function chargeOnce(state: ItemBilling, context: ItemContext): Step {
  const { startOn } = state;
  const none = { state, lines: [], credited: [], nextDueOn: null };
  if (startOn === null || state.billedTo !== null || (context.endsOn !== null && context.endsOn <= startOn))
    return none;
  if (startOn > context.until) return { ...none, nextDueOn: startOn };
  const price = context.priceOf(state.pricePlanId);
  const to = addDays(startOn, 1);
  const period: ServicePeriod = {
    from: startOn,
    to,
    intervalFrom: startOn,
    intervalTo: to,
    share: WHOLE,
    dueOn: startOn,
  };
  const { line, uses } = discountedLine(state, period, price, context);
  return { ...none, lines: [line], state: { ...state, billedTo: to, discountUses: uses } };
}
