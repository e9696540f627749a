import { type ChargeLine, type ChargesDue } from '@kontor/contracts';
import { type Day, newUuid } from '@kontor/kernel';
import { payable } from '../domain/rating/rate-line.js';
import { groupCharges } from '../domain/charging/group-charges.js';
import { ChargeBatchRow, ChargeRow } from '../db/billing-run.row.js';
import { chargeLine, isShown } from './charge-line.js';
import type { BillingWorld } from './load-accounts.js';
import type { AccountCharge, RatedAccount } from './rate-account.js';

/** On whose behalf lines are billed: a run, or one request for itself. */
export type BillingCause = { readonly runId: string } | { readonly operationId: string; readonly today: Day };

export interface MadeBatch {
  readonly row: ChargeBatchRow;
  readonly payload: ChargesDue;
}

export interface MadeCharges {
  readonly batches: readonly MadeBatch[];
  readonly charges: readonly ChargeRow[];
}

/** Batches that a run has made of an account's day before, by `batchKey`. */
export type UsedOrdinals = ReadonlyMap<string, number>;
export const batchKey = (customerId: string, billingDay: Day, groupingKey: string): string => `${customerId} ${billingDay} ${groupingKey}`;

/** Lines of one event: an event has at most 256 KiB, the lines of a larger invoice come in several batches of one key. */
const MAX_LINES = 120;

/** The rows and events of a rated account: one batch per due day and route, in order. */
export function makeBatches(
  tenantId: string,
  { account, rated, corrections }: RatedAccount,
  world: BillingWorld,
  cause: BillingCause,
  used: UsedOrdinals,
): MadeCharges {
  const batches: MadeBatch[] = [];
  const charges: ChargeRow[] = [];
  const all = [...rated.flatMap((one) => one.charges), ...corrections];
  for (const hidden of all.filter((charge) => !isShown(charge, world)))
    charges.push(chargeRow(tenantId, newUuid(), hidden, null, world.now));
  const shown = all.filter((charge) => isShown(charge, world));
  const onDay = 'today' in cause ? shown.map((one) => ({ ...one, charge: { ...one.charge, dueOn: cause.today } })) : shown;
  for (const group of groupCharges(onDay)) {
    let ordinal = used.get(batchKey(account.customerId, group.billingDay, group.groupingKey)) ?? 0;
    for (let first = 0; first < group.charges.length; first += MAX_LINES) {
      const id = newUuid();
      const lines: ChargeLine[] = [];
      const part = group.charges.slice(first, first + MAX_LINES);
      for (const charge of part) {
        const row = chargeRow(tenantId, newUuid(), charge, id, world.now);
        charges.push(row);
        lines.push(chargeLine(row.id, charge, account, world));
      }
      ordinal += 1;
      const row: ChargeBatchRow = {
        tenantId,
        id,
        runId: 'runId' in cause ? cause.runId : null,
        customerId: account.customerId,
        billingDay: group.billingDay,
        groupingKey: group.groupingKey,
        batch: 'runId' in cause ? String(ordinal) : first === 0 ? cause.operationId : `${cause.operationId}/${ordinal}`,
        subscriptionIds: [...new Set(part.map(({ subscription }) => subscription.id))],
        settledAt: null,
        invoiceId: null,
        blockedReason: null,
        createdAt: world.now,
      };
      const payload: ChargesDue = {
        batchId: id,
        runId: row.runId,
        customerId: account.customerId,
        customerVersion: account.customerVersion,
        billingDay: group.billingDay,
        groupingKey: group.groupingKey,
        paymentMethodId: group.paymentMethodId,
        invoiceAddressId: group.invoiceAddressId,
        currencyCode: account.currencyCode,
        immediate: !('runId' in cause),
        sourceType: 'subscription',
        lines,
      };
      batches.push({ row, payload });
    }
  }
  return { batches, charges };
}

function chargeRow(
  tenantId: string,
  id: string,
  { charge, subscription, revision }: AccountCharge,
  batchId: string | null,
  now: Date,
): ChargeRow {
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
    createdAt: now,
  };
}
