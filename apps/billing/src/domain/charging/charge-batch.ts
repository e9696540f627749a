import type { Day } from '@kontor/kernel';
import type { ChargeKind, StoredExplanation } from './charge.js';

/** The lines of one invoice, and what became of them. */
export interface ChargeBatch {
  readonly tenantId: string;
  readonly id: string;
  /** Null for an immediate billing. */
  readonly runId: string | null;
  readonly customerId: string;
  readonly billingDay: Day;
  readonly groupingKey: string;
  /** The ordinal of that day, or the operation id of an immediate billing. */
  readonly batch: string;
  readonly subscriptionIds: readonly string[];
  /** How many it has. */
  readonly lines: number;
  readonly settledAt: Date | null;
  readonly invoiceId: string | null;
  readonly blockedReason: string | null;
  readonly createdAt: Date;
}

/** A rated line as it is kept. */
export interface Charge {
  readonly tenantId: string;
  readonly id: string;
  /** Null: not on any document, because it costs nothing and is shown only when charged. */
  readonly batchId: string | null;
  readonly subscriptionId: string;
  readonly itemId: string;
  readonly kind: ChargeKind;
  readonly pricePlanId: string;
  readonly quantity: string;
  readonly currencyCode: string;
  readonly dueOn: Day;
  readonly serviceFrom: Day;
  readonly serviceTo: Day;
  readonly intervalFrom: Day;
  readonly intervalTo: Day;
  /** Before discount. */
  readonly netMinor: bigint;
  readonly discountMinor: bigint;
  /** What is still paid for after credits: until when, and how much. */
  readonly usedTo: Day;
  readonly usedMinor: bigint;
  readonly creditedChargeId: string | null;
  /** Counts re-ratings of one period. */
  readonly revision: number;
  /** The frozen amounts that it was rated from. */
  readonly closingId: string | null;
  readonly explanation: StoredExplanation;
  readonly createdAt: Date;
}
