import type { ChargeLine, ChargesDue } from '@kontor/contracts';
import type { Day } from '@kontor/kernel';
import { payable } from '../rating/rate-line.js';
import type { Charge, ChargeBatch } from './charge-batch.js';
import { chargeLine, isShown } from './charge-line.js';
import { type ChargeGroup, groupCharges } from './group-charges.js';
import type { AccountCharge, RatedAccount } from './rated-account.js';
import type { Account, RatingContext } from './rating-context.js';

/** On whose behalf lines are billed: a run, or a request that bills immediately. */
export type BillingCause =
  | { readonly runId: string }
  | {
      readonly operationId: string;
      readonly today: Day;
      readonly invoiceId: string;
      readonly sourceType?: ChargesDue['sourceType'];
    };

export interface MadeBatch {
  readonly batch: ChargeBatch;
  readonly payload: ChargesDue;
}

export interface MadeCharges {
  readonly batches: readonly MadeBatch[];
  readonly charges: readonly Charge[];
}

export interface BatchContext {
  readonly tenantId: string;
  readonly rating: RatingContext;
  readonly cause: BillingCause;
  readonly used: UsedOrdinals;
  readonly newId: () => string;
}

/** Batches that a run has made of an account's day before, by `batchKey`. */
export type UsedOrdinals = ReadonlyMap<string, number>;
export const batchKey = (customerId: string, billingDay: Day, groupingKey: string): string =>
  `${customerId} ${billingDay} ${groupingKey}`;

/**
 * Lines of one event: an event has at most 256 KiB, the lines of a larger invoice come in several batches of one key.
 */
const MAX_LINES = 120;

/** The batches and charges of a rated account: one batch per due day and route, in order. */
export function makeBatches({ account, rated, corrections }: RatedAccount, context: BatchContext): MadeCharges {
  const { rating, cause, used, newId } = context;
  const batches: MadeBatch[] = [];
  const charges: Charge[] = [];
  const all = [...rated.flatMap((subscription) => subscription.charges), ...corrections];
  for (const hidden of all.filter((line) => !isShown(line, rating)))
    charges.push(chargeOf(newId(), hidden, null, context));
  const shown = all.filter((line) => isShown(line, rating));
  for (const group of groupCharges('today' in cause ? shown.map((line) => dueOn(line, cause.today)) : shown)) {
    let ordinal = used.get(batchKey(account.customerId, group.billingDay, group.groupingKey)) ?? 0;
    for (let first = 0; first < group.charges.length; first += MAX_LINES) {
      const id = newId();
      const lines: ChargeLine[] = [];
      const part = group.charges.slice(first, first + MAX_LINES);
      for (const line of part) {
        const charge = chargeOf(newId(), line, id, context);
        charges.push(charge);
        lines.push(chargeLine(charge.id, line, account, rating));
      }
      ordinal += 1;
      const batch = batchOf(id, { ...group, charges: part }, nameOf(cause, first, ordinal), account, context);
      batches.push({
        batch,
        payload: {
          ...payloadOf(batch, group, account, lines),
          ...sourceOf(cause),
          // Each further batch of a request is a document of its own.
          ...('invoiceId' in cause && batches.length === 0 ? { invoiceId: cause.invoiceId } : {}),
        },
      });
    }
  }
  return { batches, charges };
}

const dueOn = (line: AccountCharge, day: Day): AccountCharge => ({ ...line, charge: { ...line.charge, dueOn: day } });

const sourceOf = (cause: BillingCause): Pick<ChargesDue, 'sourceType'> => ({
  sourceType: 'today' in cause ? (cause.sourceType ?? 'subscription') : 'subscription',
});

const nameOf = (cause: BillingCause, first: number, ordinal: number): string => {
  if ('runId' in cause) return String(ordinal);
  return first === 0 ? cause.operationId : `${cause.operationId}/${ordinal}`;
};

const batchOf = (
  id: string,
  group: ChargeGroup<AccountCharge>,
  batch: string,
  account: Account,
  { tenantId, cause, rating }: BatchContext,
): ChargeBatch => ({
  tenantId,
  id,
  runId: 'runId' in cause ? cause.runId : null,
  customerId: account.customerId,
  billingDay: group.billingDay,
  groupingKey: group.groupingKey,
  batch,
  subscriptionIds: [...new Set(group.charges.map(({ subscription }) => subscription.id))],
  settledAt: null,
  invoiceId: null,
  blockedReason: null,
  createdAt: rating.now,
});

const payloadOf = (
  { id, runId, billingDay, groupingKey }: ChargeBatch,
  { paymentMethodId, invoiceAddressId }: ChargeGroup<AccountCharge>,
  { customerId, customerVersion, currencyCode }: Account,
  lines: ChargeLine[],
): ChargesDue => ({
  batchId: id,
  runId,
  customerId,
  customerVersion,
  billingDay,
  groupingKey,
  paymentMethodId,
  invoiceAddressId,
  currencyCode,
  immediate: runId === null,
  sourceType: 'subscription',
  lines,
});

function chargeOf(
  id: string,
  { charge, subscription, revision }: AccountCharge,
  batchId: string | null,
  { tenantId, rating }: BatchContext,
): Charge {
  const { period: _period, interval: _interval, quantity: _quantity, ...explanation } = charge.explanation;
  return {
    tenantId,
    id,
    batchId,
    subscriptionId: subscription.id,
    itemId: charge.itemId,
    kind: charge.kind,
    pricePlanId: charge.pricePlanId,
    quantity: charge.quantity,
    currencyCode: charge.amount.unitPrice.currencyCode,
    dueOn: charge.dueOn,
    serviceFrom: charge.serviceFrom,
    serviceTo: charge.serviceTo,
    intervalFrom: charge.intervalFrom,
    intervalTo: charge.intervalTo,
    netMinor: charge.amount.netMinor,
    discountMinor: charge.amount.discountMinor,
    usedTo: charge.serviceTo,
    usedMinor: payable(charge.amount),
    creditedChargeId: charge.creditedChargeId,
    revision,
    closingId: charge.metered?.closingId ?? null,
    explanation,
    createdAt: rating.now,
  };
}
