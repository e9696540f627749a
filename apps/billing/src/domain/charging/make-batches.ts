import type { ChargeLine, ChargesDue } from '@kontor/contracts';
import { type Day, invariant } from '@kontor/kernel';
import { payable } from '../rating/rate-line.js';
import type { Charge, ChargeBatch } from './charge-batch.js';
import { chargeLine, isShown } from './charge-line.js';
import { type ChargeGroup, groupCharges } from './group-charges.js';
import type { RatedAccount } from './rated-account.js';
import type { RatingContext, Recipient } from './rating-context.js';
import { addressed, type AddressedCharge } from './recipients.js';

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
  /** The account that counts it. */
  readonly accountId: string;
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

/** Batches that a run has made for a customer's day before, by `batchKey`. */
export type UsedOrdinals = ReadonlyMap<string, number>;
export const batchKey = (customerId: string, billingDay: Day, groupingKey: string): string =>
  `${customerId} ${billingDay} ${groupingKey}`;

/**
 * Lines of one event: an event has at most 256 KiB, the lines of a larger invoice come in several batches of one key.
 */
const MAX_LINES = 120;

/** The batches and charges of accounts with one payer, who is the first: one batch per due day and route, in order. */
export function makeBatches(family: readonly RatedAccount[], context: BatchContext): MadeCharges {
  const { rating, cause, used, newId } = context;
  const batches: MadeBatch[] = [];
  const charges: Charge[] = [];
  const { customerId: accountId, payerId } = (family[0] as RatedAccount).account;
  const all = family.flatMap(({ account, rated, corrections }) =>
    [...rated.flatMap((subscription) => subscription.charges), ...corrections].map((line) =>
      addressed(line, account, rating),
    ),
  );
  for (const hidden of all.filter((line) => !isShown(line, rating)))
    charges.push(chargeOf(newId(), hidden, null, context));
  const shown = all.filter((line) => isShown(line, rating));
  const billed = 'today' in cause ? shown.map((line) => dueOn(line, cause.today)) : shown;
  for (const group of groupCharges(billed, payerId)) {
    const recipient = rating.recipients.get(group.recipientId);
    invariant(recipient, 'who gets an invoice is known');
    let ordinal = used.get(batchKey(group.recipientId, group.billingDay, group.groupingKey)) ?? 0;
    const count = Math.ceil(group.charges.length / MAX_LINES);
    let firstId = '';
    for (let first = 0; first < group.charges.length; first += MAX_LINES) {
      const id = newId();
      if (first === 0) firstId = id;
      const lines: ChargeLine[] = [];
      const part = group.charges.slice(first, first + MAX_LINES);
      for (const line of part) {
        const charge = chargeOf(newId(), line, id, context);
        charges.push(charge);
        lines.push(chargeLine(charge.id, line, recipient, rating));
      }
      ordinal += 1;
      const batch = batchOf(id, { ...group, charges: part }, nameOf(cause, first, ordinal), context);
      batches.push({
        accountId,
        batch,
        payload: {
          ...payloadOf(batch, group, recipient, lines),
          ...sourceOf(cause),
          // Each further batch of a request is a document of its own.
          ...('invoiceId' in cause && batches.length === 0 ? { invoiceId: cause.invoiceId } : {}),
          ...('runId' in cause && count > 1 ? { part: { of: firstId, number: first / MAX_LINES + 1, count } } : {}),
        },
      });
    }
  }
  return { batches, charges };
}

const dueOn = (line: AddressedCharge, day: Day): AddressedCharge => ({
  ...line,
  charge: { ...line.charge, dueOn: day },
});

const sourceOf = (cause: BillingCause): Pick<ChargesDue, 'sourceType'> => ({
  sourceType: 'today' in cause ? (cause.sourceType ?? 'subscription') : 'subscription',
});

const nameOf = (cause: BillingCause, first: number, ordinal: number): string => {
  if ('runId' in cause) return String(ordinal);
  return first === 0 ? cause.operationId : `${cause.operationId}/${ordinal}`;
};

const batchOf = (
  id: string,
  group: ChargeGroup<AddressedCharge>,
  batch: string,
  { tenantId, cause, rating }: BatchContext,
): ChargeBatch => ({
  tenantId,
  id,
  runId: 'runId' in cause ? cause.runId : null,
  customerId: group.recipientId,
  billingDay: group.billingDay,
  groupingKey: group.groupingKey,
  batch,
  subscriptionIds: [...new Set(group.charges.map(({ subscription }) => subscription.id))],
  lines: group.charges.length,
  settledAt: null,
  invoiceId: null,
  blockedReason: null,
  createdAt: rating.now,
});

const payloadOf = (
  { id, runId, billingDay, groupingKey }: ChargeBatch,
  { paymentMethodId, invoiceAddressId }: ChargeGroup<AddressedCharge>,
  { customerId, customerVersion, currencyCode }: Recipient,
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
  { charge, subscription, revision }: AddressedCharge,
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
